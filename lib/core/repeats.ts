/**
 * Finds keys that come twice among very many without holding them: a first pass marks bits and keeps the few keys
 * whose bit was taken, true repeats and some by chance; a second pass looks at these alone.
 */
export interface Repeats {
  /** The first pass. */
  mark(key: string): void;
  /** Whether a second pass has anything to look at. */
  readonly any: boolean;
  /** The second pass: whether the key has to be looked at. */
  isSuspect(key: string): boolean;
}

const BITS = 26;

export function createRepeats(): Repeats {
  const bits = new Uint32Array(2 ** (BITS - 5));
  const suspects = new Set<string>();
  return {
    mark(key) {
      const at = bitOf(key);
      const word = at >>> 5;
      const before = bits[word] ?? 0;
      const mask = 1 << (at & 31);
      if ((before & mask) !== 0) suspects.add(key);
      bits[word] = before | mask;
    },
    get any() {
      return suspects.size > 0;
    },
    isSuspect: (key) => suspects.has(key),
  };
}

/** FNV-1a over UTF-16 units, folded to the bits of the table. */
function bitOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return ((hash >>> BITS) ^ hash) & (2 ** BITS - 1);
}
