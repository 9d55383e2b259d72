import { type Chance, createChance } from "../support/chance.ts";
import { BLOCKS } from "./hostile-blocks.ts";

const NAMES = Object.keys(BLOCKS);
const HEADS = ["", "", "name: n\ndescription: d\n", "name: n\ndescription: d\n", "name: n\n"] as const;
const OPENINGS = [
  "---",
  "---",
  "---",
  "---",
  "---",
  "---",
  "--- ",
  "---yaml",
  "---yml",
  "---js",
  "---json",
  "---coffee",
  "----",
  "\uFEFF---",
  "\uFEFF\uFEFF---",
  " ---",
  "\n---",
  "+++",
  "--- {a: b}",
] as const;
const CLOSINGS = ["---", "---", "---", "---", "...", "---  ", "", "--", "----", "---# T", "\t---"] as const;
const BODIES = [
  "B\n",
  "",
  "# T\n\nB\n",
  "---\nname: second\n---\n",
  "---js\nx\n---\n",
  "\u0000",
  "x".repeat(500),
] as const;
const BREAKS = ["\n", "\n", "\n", "\n", "\r\n", "\r", "mixed"] as const;

export interface Hostile {
  readonly seed: number;
  /** The attacks it is made of. */
  readonly name: string;
  readonly text: string;
}

/**
 * The frontmatter that this seed stands for: one to three attacks, between fences that are whole, odd or missing.
 * Most are small, since that is where the grammar is; one in forty fills the 64 KB that are read, one in four
 * hundred has a megabyte, one in five thousand ten.
 */
export function hostileText(seed: number): Hostile {
  const chance = createChance(seed);
  const size = sizeOf(chance);
  const count = size > 100_000 ? 1 : 1 + chance.upTo(3);
  const names = Array.from({ length: count }, () => NAMES[chance.upTo(NAMES.length)] ?? "tags");
  const blocks = names.map((name) => BLOCKS[name]?.(chance, size / count) ?? "");
  const inner = chance.of(HEADS) + blocks.join(chance.of(["\n", "\n", "\n\n", " ", ""]));
  const text = `${chance.of(OPENINGS)}\n${inner}\n${chance.of(CLOSINGS)}\n${chance.of(BODIES)}`;
  return { seed, name: names.join(" + "), text: mutated(chance, broken(chance, text)) };
}

function sizeOf(chance: Chance): number {
  if (chance.oneIn(5_000)) return 10_000_000;
  if (chance.oneIn(400)) return 1_000_000;
  if (chance.oneIn(40)) return 62_000;
  if (chance.oneIn(10)) return 7_500;
  return 20 + chance.upTo(600);
}

/** Line breaks of one kind, or of all. */
function broken(chance: Chance, text: string): string {
  const kind = chance.of(BREAKS);
  if (kind === "\n") return text;
  return text.replace(/\n/g, () => (kind === "mixed" ? chance.of(["\n", "\r\n", "\r"]) : kind));
}

/** One in three is spoilt: cut, doubled, a character exchanged, a piece moved. */
function mutated(chance: Chance, text: string): string {
  if (!chance.oneIn(3)) return text;
  const at = chance.upTo(text.length + 1);
  const to = Math.min(text.length, at + chance.upTo(40));
  switch (chance.upTo(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(at);
    case 2:
      return (
        text.slice(0, at) +
        chance.of(["\0", "\t", '"', "'", ":", "\n", "\ud800", "- ", "[", "#", "&a ", "!"]) +
        text.slice(at)
      );
    case 3:
      return text.slice(0, at) + text.slice(to);
    case 4:
      return text.slice(0, to) + text.slice(at);
    default:
      return text.length > 200_000 ? text : text + text;
  }
}

/** The same as bytes; one in eight is no UTF-8: Latin-1, UTF-16, a sequence cut or a byte exchanged. */
export function hostileBytes(seed: number): Buffer {
  const { text } = hostileText(seed);
  const chance = createChance(seed ^ 0x5bd1e995);
  if (!chance.oneIn(8)) return Buffer.from(text);
  switch (chance.upTo(4)) {
    case 0:
      return Buffer.from(`\u00ff${text}`, "latin1");
    case 1:
      return Buffer.from(`\uFEFF${text}`, "utf16le");
    case 2:
      return Buffer.concat([Buffer.from(text), Buffer.from([0xe2, 0x82])]);
    default: {
      const bytes = Buffer.from(`${text} `);
      bytes[chance.upTo(bytes.length)] = 0x80 + chance.upTo(0x80);
      return bytes;
    }
  }
}
