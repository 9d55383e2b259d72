import fc from "fast-check";

/** One promise about any input: `holds` throws where it is broken. */
export interface Fuzz {
  readonly name: string;
  /** How much longer or shorter it runs than the others, for the time that one run takes; default 1. */
  readonly share?: number;
  readonly run: (runs: number, seed: number) => Promise<string | undefined>;
}

/** A promise about what an arbitrary makes; the answer of `run` is the failure with its seed, or undefined. */
export function fuzz<T>(
  name: string,
  input: fc.Arbitrary<T>,
  holds: (value: T) => void | Promise<void>,
  share = 1,
): Fuzz {
  return {
    name,
    share,
    async run(runs, seed) {
      const property = fc.asyncProperty(input, async (value) => {
        await holds(value);
      });
      const details = await fc.check(property, { numRuns: Math.max(1, Math.round(runs * share)), seed });
      return details.failed ? `seed ${seed}: ${fc.defaultReportMessage(details) ?? "failed"}` : undefined;
    },
  };
}

const UNITS = [
  "---\n",
  "name: ",
  "description: ",
  ": ",
  "- ",
  "? ",
  "[",
  "]",
  "{",
  "}",
  ", ",
  '"',
  "'",
  "|",
  ">",
  "&a ",
  "*a ",
  "!t ",
  "<<: ",
  "# ",
  "#\n",
  "\n",
  "\r\n",
  "\r",
  "\t",
  "  ",
  "__proto__",
  "constructor",
  "metadata:\n",
  "triggers: ",
  "\\",
  "\0",
  "\uFEFF",
  "\ud800",
  "\u2028",
  "x",
  "1",
  "~",
  "null",
  "%YAML",
  "...\n",
  "```\n",
  "> ",
  "* ",
  "**",
  "`",
  "![",
  "](",
  "<a>",
  "<!--",
  "[^1]: ",
  "|a|b|\n|-|-|\n",
  "====\n",
  "1. ",
] as const;

/** Text that looks like a skill file to whoever reads it, put together without any order. */
export const noise: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...UNITS) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
    ),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.join(""));

/** The same, with a beginning and an end that make a frontmatter of the first part. */
export const fileNoise: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("---\n", "---\nname: n\ndescription: d\n", "\uFEFF---\r\n", ""),
    noise,
    fc.constantFrom("\n---\n", "", "\n...\n"),
    noise,
  )
  .map((parts) => parts.join(""));

/** Bytes: any at all, text with some of them exchanged, and text as other encodings have it. */
export const bytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fileNoise.map((text) => Buffer.from(text)),
  fc.tuple(fileNoise, fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
    const copy = Buffer.from(`${text} `);
    copy[at % copy.length] = byte;
    return copy;
  }),
  fileNoise.map((text) => Buffer.from(`\uFEFF${text}`, "utf16le")),
);

/** Any JSON text, whole, cut or with a character exchanged, and things that are none. */
export function jsonNoise(example: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc.nat(example.length).map((at) => example.slice(0, at)),
    fc
      .tuple(
        fc.nat(example.length),
        fc.constantFrom('"', "{", "}", "[", "]", "\0", "__proto__", "1e999", "null", "\\u0000", "\ud800"),
      )
      .map(([at, piece]) => example.slice(0, at) + piece + example.slice(at + 1)),
    fc.constantFrom(
      "",
      " ",
      "null",
      "[]",
      "{}",
      "NaN",
      '{"__proto__":{"x":1}}',
      "[".repeat(10_000),
      '{"a":'.repeat(5_000),
    ),
    fc.string({ unit: "binary", maxLength: 60 }),
  );
}
