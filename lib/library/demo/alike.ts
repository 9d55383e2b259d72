/** A text to be compared: what it is called, and what it says. */
export interface Text {
  readonly name: string;
  readonly text: string;
}

export interface Alike {
  readonly a: string;
  readonly b: string;
  /** 0 to 1: the part of their runs of three words that both have, estimated. */
  readonly likeness: number;
}

const SKETCH = 128;
const RUN = 3;
/** What so many texts have in common is a phrase and no likeness. */
const COMMON = 50;
const TEXT_CHARS = 40_000;
const WORD = /\p{Script=Han}|[\p{L}\p{N}]+/gu;

/**
 * Pairs of texts that are nearly the same, the likest first: each text is kept as its 128 smallest hashes of three
 * words in a row, and only texts that share some are compared.
 */
export function findAlike(texts: readonly Text[], least: number): Alike[] {
  const sketches = texts.map(({ text }) => sketchOf(text.slice(0, TEXT_CHARS)));
  const holders = new Map<number, number[]>();
  for (const [at, sketch] of sketches.entries())
    for (const hash of sketch) {
      const list = holders.get(hash);
      if (list === undefined) holders.set(hash, [at]);
      else list.push(at);
    }
  const shared = new Map<number, number>();
  for (const list of holders.values()) {
    if (list.length > COMMON) continue;
    for (const [i, a] of list.entries())
      for (const b of list.slice(i + 1)) {
        const pair = a * texts.length + b;
        shared.set(pair, (shared.get(pair) ?? 0) + 1);
      }
  }
  const pairs: Alike[] = [];
  for (const [pair, count] of shared) {
    const [one, other] = [Math.floor(pair / texts.length), pair % texts.length];
    const shorter = Math.min(sketches[one]?.length ?? 0, sketches[other]?.length ?? 0);
    if (count < (shorter * least) / 2) continue;
    const likeness = likenessOf(sketches[one] ?? [], sketches[other] ?? []);
    const [a, b] = [texts[one]?.name ?? "", texts[other]?.name ?? ""].sort();
    if (likeness >= least && a !== undefined && b !== undefined) pairs.push({ a, b, likeness });
  }
  return pairs.sort(
    (x, y) => y.likeness - x.likeness || (x.a < y.a ? -1 : x.a > y.a ? 1 : x.b < y.b ? -1 : 1),
  );
}

/** The smallest hashes of runs of three words, ascending. Every word is hashed once: texts are long. */
function sketchOf(text: string): number[] {
  const words = Uint32Array.from(text.toLowerCase().match(WORD) ?? [], hashOf);
  if (words.length < RUN) return [];
  const runs = new Uint32Array(words.length - RUN + 1).map((_, at) => {
    let hash = 0;
    for (let next = at; next < at + RUN; next++) hash = Math.imul(hash ^ (words[next] ?? 0), 0x01000193);
    return stir(hash);
  });
  runs.sort();
  const smallest: number[] = [];
  for (let at = 0; at < runs.length && smallest.length < SKETCH; at++)
    if (at === 0 || runs[at] !== runs[at - 1]) smallest.push(runs[at] ?? 0);
  return smallest;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return stir(hash);
}

/** Mixes the bits once more, so that the smallest hashes are a fair sample. */
function stir(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** Of the smallest hashes of both together, the part that is in both. */
function likenessOf(a: readonly number[], b: readonly number[]): number {
  const both = new Set(b);
  const union = [...new Set([...a, ...b])].sort((x, y) => x - y).slice(0, SKETCH);
  const inA = new Set(a);
  const common = union.filter((hash) => inA.has(hash) && both.has(hash)).length;
  return union.length === 0 ? 0 : common / union.length;
}
