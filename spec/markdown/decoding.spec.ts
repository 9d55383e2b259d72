import assert from "node:assert/strict";
import { test } from "node:test";
import { clip } from "../../lib/core/text.ts";
import { decodeText } from "../../lib/markdown/decode.ts";
import portable from "../../lib/markdown/portable.ts";

function refusal(bytes: Uint8Array): unknown[] {
  const { text, diagnostics } = decodeText(bytes, "x/SKILL.md");
  assert.equal(text, undefined);
  return diagnostics.flatMap(({ code, line, column, severity }) => [code, line, column, severity]);
}

test("B103 bytes that are not UTF-8 are refused with the offset of the first bad one", () => {
  const gbk = Buffer.from([
    0x2d, 0x2d, 0x2d, 0x0a, 0x6e, 0x61, 0x6d, 0x65, 0x3a, 0x20, 0xc4, 0xe3, 0x0a, 0x2d, 0x2d, 0x2d,
  ]);
  assert.deepEqual(refusal(gbk), ["FILE_NOT_UTF8", 2, 7, "error"]);
  assert.match(decodeText(gbk, "x").diagnostics[0]?.message ?? "", /Byte 10 \(0xc4\)/);
  const dash = Buffer.concat([Buffer.from("部 one "), Buffer.from([0x97]), Buffer.from(" two")]);
  assert.match(decodeText(dash, "x").diagnostics[0]?.message ?? "", /Byte 8 \(0x97\)/);
  const cut = Buffer.from("ab🚀").subarray(0, 4);
  assert.match(decodeText(cut, "x").diagnostics[0]?.message ?? "", /Byte 2 \(0xf0\)/);
  const surrogate = Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62]);
  assert.match(decodeText(surrogate, "x").diagnostics[0]?.message ?? "", /Byte 1 \(0xed\)/);
});

test("B103 emoji and CJK are UTF-8; a NUL is an error where it stands", () => {
  assert.deepEqual(decodeText(Buffer.from("部署 🚀"), "x"), { text: "部署 🚀", diagnostics: [] });
  assert.deepEqual(refusal(Buffer.from("one\ntwo\0")), ["FILE_HAS_NUL", 2, 4, "error"]);
});

test("B25 UTF-16 is named as what it is, and an empty file as empty", () => {
  assert.deepEqual(refusal(Buffer.from("\uFEFFabc", "utf16le")), ["FILE_UTF16", 1, 1, "error"]);
  assert.deepEqual(refusal(Buffer.from([0xfe, 0xff, 0, 0x61])), ["FILE_UTF16", 1, 1, "error"]);
  assert.deepEqual(refusal(new Uint8Array()), ["FILE_EMPTY", 1, 1, "error"]);
});

test("B25 a byte order mark stays in the text, at the start and in the middle", () => {
  const text = "\uFEFF---\nname: n\ndescription: d\n---\nmid\uFEFFdle\n";
  assert.equal(decodeText(Buffer.from(text), "x").text, text);
  assert.equal(portable.parse(text, { file: "x.md" }).record?.body, "mid\uFEFFdle\n");
});

test("trust T-R6: every prefix of a file, in bytes, is read or refused without an exception", () => {
  const bytes = Buffer.from(
    '\uFEFF---\r\nname: pre-fix\r\ndescription: "部署 🚀: x"\r\ntags: [a, {b: c}]\r\nmetadata:\r\n  x: |\r\n    y\r\n---\r\n# T\r\n\r\n```\r\nz\r\n',
  );
  for (let length = 0; length <= bytes.length; length++) {
    const { text } = decodeText(bytes.subarray(0, length), "x");
    if (text !== undefined) portable.parse(text, { file: "x/SKILL.md" });
  }
});

function invisible(body: string): { line: number; message: string }[] {
  const { diagnostics } = portable.parse(`---\nname: n\ndescription: d\n---\n${body}\n`, { file: "x.md" });
  return diagnostics
    .filter((one) => one.code === "TEXT_INVISIBLE")
    .map(({ line, message }) => ({ line, message }));
}

const tags = (text: string): string =>
  [...text].map((char) => String.fromCodePoint(0xe0000 + (char.codePointAt(0) ?? 0))).join("");
const SCOTLAND = `\u{1F3F4}${tags("gbsct")}\u{E007F}`;

test("B111 tag characters are flagged with what they spell and where", () => {
  const [found] = invisible(`one\ntwo ${tags("hide me")}`);
  assert.equal(found?.line, 6);
  assert.match(found?.message ?? "", /"hide me"/);
});

test("B111 the flag of Scotland and joined emoji are clean; a flag with more tags behind it is not", () => {
  assert.deepEqual(invisible(`${SCOTLAND} and \u{1F468}\u200D\u{1F469}\u200D\u{1F467}`), []);
  assert.equal(invisible(`${SCOTLAND}${tags("run")}`).length, 1);
  assert.match(invisible(`\u{1F3F4}${tags("secret")}\u{E007F}`)[0]?.message ?? "", /secret/);
});

test("B111 direction overrides and marks inside the text are flagged", () => {
  assert.equal(invisible("rm \u202Efdp.x").length, 1);
  assert.equal(invisible("a \u2066b\u2069").length, 1);
  assert.equal(invisible("a\uFEFFb").length, 1);
});

test("B67 a cut never goes through a character: the result is well-formed and no longer than asked", () => {
  const family = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}";
  for (const tail of ["🚀", family, SCOTLAND, "e\u0301"]) {
    for (let limit = 55; limit <= 70; limit++) {
      const cut = clip("x".repeat(59) + tail + "y".repeat(40), limit);
      assert.ok(cut.isWellFormed() && cut.length <= limit, `${limit}`);
      assert.ok(!/[\u200D\u0301]/.test(cut) || cut.includes(tail), `${limit}: ${cut}`);
    }
  }
  assert.equal(clip(`${"x".repeat(59)}🚀`, 60), `${"x".repeat(59)}…`);
});
