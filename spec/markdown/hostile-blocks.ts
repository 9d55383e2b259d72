import type { Chance } from "../support/chance.ts";

/** One kind of attack on a frontmatter reader: lines of a block, or a whole text where it must be at the beginning. */
export type Attack = (chance: Chance, size: number) => string;

const KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "toString",
  "__defineGetter__",
  "valueOf",
] as const;
const KEY_OF_OURS = [
  "name",
  "description",
  "version",
  "triggers",
  "metadata",
  "telemetry",
  "applies_to",
  "tags",
  "kind",
  "wave",
  "allowed-tools",
  "when_to_use",
] as const;
const SCALARS = [
  "x",
  "",
  "~",
  "yes",
  "1e999",
  "-0",
  "0o17",
  ".inf",
  "2024-01-01",
  "[",
  "{",
  "]",
  "}",
  ",",
  "*a",
  "&a x",
  "!t x",
  "!!binary x",
  "<<",
  "|",
  ">",
  "|9",
  ">-",
  '"',
  "'",
  '"\\x00"',
  '"\\ud800"',
  '"\\UFFFFFFFF"',
  '"\\q"',
  "@x",
  "`x",
  "%x",
  "? x",
  "- x",
  ": x",
  "a: b: c",
  "# x",
  "x #y",
  "\u0000",
  "\uFEFF",
  "\ud800",
  "\udc00\ud800",
  "\u2028",
  "\u0085",
  "\t",
  "\t\tx",
  "\u202ex",
  "\u{E0041}",
  "\u{1F600}",
] as const;

const times = (unit: string, size: number): string =>
  unit.repeat(Math.max(1, Math.floor(size / unit.length)));
const lines = (count: number, make: (at: number) => string): string =>
  Array.from({ length: Math.max(1, count) }, (_, at) => make(at)).join("\n");

function bomb(levels: number, width: number): string {
  return lines(levels, (at) =>
    at === 0
      ? `a0: &a0 [${Array(width).fill("x").join(",")}]`
      : `a${at}: &a${at} [${Array(width)
          .fill(`*a${at - 1}`)
          .join(",")}]`,
  );
}

/** Inside the fences; `size` is about how many characters it may take. */
export const BLOCKS: Readonly<Record<string, Attack>> = Object.freeze({
  "prototype keys": (chance, size) =>
    lines(Math.min(40, size / 40), () =>
      chance.of([
        `${chance.of(KEYS)}: {polluted: yes}`,
        `${chance.of(KEYS)}:\n  polluted: yes`,
        `metadata:\n  ${chance.of(KEYS)}: {polluted: "yes"}`,
        `metadata: {${chance.of(KEYS)}: {${chance.of(KEYS)}: {polluted: yes}}}`,
        `"__pro\\u0074o__": {polluted: yes}`,
        `? ${chance.of(KEYS)}\n: {polluted: yes}`,
        `telemetry: {${chance.of(KEYS)}: 1}`,
      ]),
    ),
  "billion laughs": (chance, size) => bomb(Math.min(60, Math.ceil(size / 60)), 2 + chance.upTo(9)),
  "anchors and aliases": (chance, size) =>
    lines(size / 12, (at) => chance.of([`k${at}: &a${at} x`, `k${at}: *a${at}`, `k${at}: &s [*s]`, "- *a"])),
  "merge keys": (chance, size) =>
    lines(size / 16, (at) => chance.of(["<<: {a: b}", `k${at}: {<<: {a: b}}`, "<<: [*a, *b]", "? <<\n: x"])),
  tags: (chance, size) =>
    lines(size / 20, (at) =>
      chance.of([
        `k${at}: !!js/function "x"`,
        `k${at}: !<tag:yaml.org,2002:str> x`,
        "!!map {a: b}",
        `k${at}: !`,
        "%TAG ! tag:x,2000:",
        `k${at}: !!set {a, b}`,
      ]),
    ),
  "flow depth": (chance, size) => `k: ${times(chance.of(["[", "{", "[{a: ", "{a: [", "[[", "{? "]), size)}`,
  "closed flow depth": (_chance, size) =>
    `k: ${"[".repeat(Math.ceil(size / 2))}${"]".repeat(Math.ceil(size / 2))}`,
  "indent depth": (_chance, size) => lines(Math.sqrt(size * 2), (at) => `${" ".repeat(at)}k:`),
  "list depth": (chance, size) => times(chance.of(["- ", "- - ", "-\t", "- ? ", "- k: "]), size),
  "complex keys": (chance, size) => times(chance.of(["? ", "? - ", "? [", "? {a: b}\n: c\n", "?\n"]), size),
  "many keys": (_chance, size) => lines(size / 9, (at) => `k${at}: v`),
  "many keys, one line": (_chance, size) => `{${Array.from({ length: size / 9 }, (_, at) => `k${at}: v`)}}`,
  "duplicate keys": (chance, size) =>
    lines(size / 12, () => `${chance.of(KEY_OF_OURS)}: ${chance.of(SCALARS)}`),
  "long scalar": (chance, size) => `k: ${chance.of(["", '"', "'", "|\n  ", ">\n  "])}${"x".repeat(size)}`,
  "long key": (chance, size) => `${chance.of(["", '"', "? ", "'"])}${"k".repeat(size)}: v`,
  "quote flood": (chance, size) => times(chance.of(['k: "\n', "k: '\n", 'k: "a" "b"\n', "k: ''''\n"]), size),
  "open quotes": (chance, size) =>
    lines(size / 14, (at) => `k${at}: ${chance.of(['"open', "'open", 'x"', "x'"])}`),
  "colon flood": (chance, size) => times(chance.of([": ", ":", "a: b: c: ", "a:b\n", ":\n"]), size),
  "comment flood": (chance, size) => times(chance.of(["#\n", "# x\n", " #", "k: v #\n", "#"]), size),
  "blank flood": (chance, size) => times(chance.of(["\n", "\r", "\r\n", " \n", "\t\n", "\n\r"]), size),
  "tab flood": (chance, size) => lines(size / 8, (at) => `${"\t".repeat(chance.upTo(4))}k${at}: v`),
  "huge indent": (chance, size) => `k:\n${" ".repeat(size)}${chance.of(["a: b", "- x", "x", ""])}`,
  "block scalars": (chance, size) =>
    lines(
      size / 24,
      (at) =>
        `k${at}: ${chance.of(["|", ">", "|-", ">+", "|9", ">1-", "|0"])}\n${" ".repeat(chance.upTo(5))}x`,
    ),
  "folded flood": (chance, size) =>
    `k: >\n${times(chance.of(["  x\n", "  x\n\n", "\n", "  \n   x\n", " \tx\n"]), size)}`,
  "escape flood": (chance, size) =>
    `k: "${times(chance.of(["\\x41", "\\u0000", "\\ud800", "\\", "\\U0010FFFF", "\\\n"]), size)}"`,
  "document marks": (chance, size) =>
    times(chance.of([" ---\n", "--- x\n", "...x\n", "k: ---\n", "--- |\n", " ...\n"]), size),
  directives: (chance, size) =>
    times(chance.of(["%YAML 1.2\n", "%YAML 9.9\n", "%TAG !a! x\n", "%x\n", "%"]), size),
  "odd scalars": (chance, size) =>
    lines(Math.min(200, size / 16), () => `${chance.of(KEY_OF_OURS)}: ${chance.of(SCALARS)}`),
  "unicode noise": (chance, size) =>
    times(
      chance.of([
        "\uFEFF",
        "\u2028",
        "\u0085",
        "\ud800",
        "\u202e",
        "\u{E0041}",
        "\u0000",
        "\u{10FFFF}",
        "e\u0301\u0301",
      ]),
      size,
    ),
  "text of chance": (chance, size) =>
    Array.from({ length: Math.min(size, 4_000) }, () =>
      chance.oneIn(6) ? chance.of(["\n", "\r\n", "\r", "\n  ", "\n- "]) : chance.of(SCALARS),
    ).join(chance.of(["", " ", ": "])),
  "wrong brackets": (chance, size) =>
    `k: ${Array.from({ length: Math.min(size, 5_000) }, () => chance.of(["[", "]", "{", "}", ",", ":", '"', "a"])).join("")}`,
  "list of flows": (chance, size) =>
    lines(size / 20, () => `  - [${chance.of(SCALARS)}, {a: ${chance.of(SCALARS)}}]`),
  "json text": (chance, size) =>
    `metadata:\n  canonry.triggers: '${times(chance.of(["[", '{"a":', '["a",', '{"__proto__":{"x":1}}']), Math.min(size, 20_000))}'`,
});
