import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeText } from "../../lib/markdown/decode.ts";
import { FORMATS } from "../../lib/markdown/registry.ts";
import { shuffled } from "../support/chance.ts";
import { BLOCKS } from "./hostile-blocks.ts";
import { hostileBytes, hostileText } from "./hostile-texts.ts";

const FORMAT_LIST = [FORMATS.canon, FORMATS.portable, FORMATS.candidate, FORMATS.reference];
const COUNT = 400;

test("T-R5 four hundred generated frontmatters get a record or an error in every format, and touch no prototype", () => {
  const names = Reflect.ownKeys(Object.prototype).length;
  const seen = new Set<string>();
  for (const seed of shuffled(COUNT, 11)) {
    const { name, text } = hostileText(seed);
    for (const one of name.split(" + ")) seen.add(one);
    for (const format of FORMAT_LIST) {
      const { record, diagnostics } = format.parse(text, { file: "h/SKILL.md" });
      const refused = diagnostics.some((one) => one.severity === "error");
      assert.equal(record === undefined, refused, `seed ${seed} (${name}) as ${format.name}`);
    }
    assert.equal(Reflect.ownKeys(Object.prototype).length, names, `seed ${seed} (${name})`);
    assert.equal(Reflect.get({}, "polluted"), undefined, `seed ${seed} (${name})`);
  }
  assert.equal(seen.size, Object.keys(BLOCKS).length, "every attack came up");
});

test("T-R5 what the generated frontmatters say survives being written back unchanged", () => {
  for (let seed = 0; seed < COUNT; seed++) {
    const { name, text } = hostileText(seed);
    for (const format of [FORMATS.canon, FORMATS.portable]) {
      const { record } = format.parse(text, { file: "h/SKILL.md" });
      if (record !== undefined)
        assert.equal(format.serialise(record, text), text, `seed ${seed} (${name}) as ${format.name}`);
    }
  }
});

test("B103 bytes that are no UTF-8 are refused where the first of them stands, whatever is around it", () => {
  for (let seed = 0; seed < COUNT; seed++) {
    const bytes = hostileBytes(seed);
    const { text, diagnostics } = decodeText(bytes, "h.md");
    const [found] = diagnostics;
    assert.equal(text === undefined, found !== undefined, `seed ${seed}`);
    if (found?.code !== "FILE_NOT_UTF8") continue;
    const at = Number(/^Byte (\d+) /.exec(found.message)?.[1]);
    const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
    const before = lenient.decode(bytes.subarray(0, at));
    assert.ok(Buffer.from(before).equals(bytes.subarray(0, at)), `seed ${seed}: good up to byte ${at}`);
    assert.equal(lenient.decode(bytes)[before.length], "\uFFFD", `seed ${seed}: bad at byte ${at}`);
    const lines = before.split(/\r\n?|\n/);
    assert.deepEqual(
      [found.line, found.column],
      [lines.length, (lines.at(-1)?.length ?? 0) + 1],
      `seed ${seed}`,
    );
  }
});
