/** Longer words than this are compared by their beginning. */
const COMPARED = 128;

/** Which of 32 classes of letters a word has: each that the other lacks takes an edit of its own. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function ones(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/**
 * Edits (insertions, deletions, substitutions, neighbours that changed places) from one word to others; more than
 * `limit` where it gives up. Most of ten thousand names are passed over by their length or letters.
 */
function createDistance(word: string): (other: string, limit: number) => number {
  const letters = lettersOf(word);
  let [older, row, next] = [0, 1, 2].map(() => new Uint16Array(COMPARED + 1)) as [
    Uint16Array,
    Uint16Array,
    Uint16Array,
  ];
  return (other, limit) => {
    if (Math.abs(word.length - other.length) > limit) return limit + 1;
    const theirs = lettersOf(other);
    if (ones(letters & ~theirs) > limit || ones(theirs & ~letters) > limit) return limit + 1;
    for (let j = 0; j <= other.length; j++) row[j] = j;
    for (let i = 1; i <= word.length; i++) {
      next[0] = i;
      let least = i;
      for (let j = 1; j <= other.length; j++) {
        const same = word[i - 1] === other[j - 1];
        let edits = Math.min((row[j - 1] ?? 0) + (same ? 0 : 1), (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
        if (i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1])
          edits = Math.min(edits, (older[j - 2] ?? 0) + 1);
        next[j] = edits;
        if (edits < least) least = edits;
      }
      if (least > limit) return limit + 1;
      [older, row, next] = [row, next, older];
    }
    return row[other.length] ?? limit + 1;
  };
}

/** People slip less often on the first letters. */
function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

interface Near {
  readonly name: string;
  readonly score: number;
  readonly begins: number;
}

function byNearness(a: Near, b: Near): number {
  return a.score - b.score || b.begins - a.begins || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** The known words that are at most so many edits away, nearest first. */
export function withinEdits(word: string, known: Iterable<string>, most: number): string[] {
  const wanted = folded(word);
  const distance = createDistance(wanted);
  const found: Near[] = [];
  for (const name of known) {
    const other = folded(name);
    const score = distance(other, most);
    if (score <= most) found.push({ name, score, begins: sharedStart(wanted, other) });
  }
  return found.sort(byNearness).map(({ name }) => name);
}

function folded(word: string): string {
  return word.toLowerCase().slice(0, COMPARED);
}

/** So much of a word tells what is meant by it. */
const TELLING = 3;

/** The known words nearest to `word`, nearest first, at most `count`; for "did you mean". */
export function nearest(word: string, known: Iterable<string>, count = 3): string[] {
  const wanted = folded(word);
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  const distance = createDistance(wanted);
  const found: Near[] = [];
  for (const name of known) {
    const other = folded(name);
    const score = isPart(wanted, other)
      ? 0.5 + Math.abs(other.length - wanted.length) / 1_000
      : distance(other, limit);
    if (score <= limit) found.push({ name, score, begins: sharedStart(wanted, other) });
  }
  return found
    .sort(byNearness)
    .slice(0, count)
    .map(({ name }) => name);
}

/** Whether one is a part of the other that tells it: what was typed of a name, or a name that is half of what was typed. */
function isPart(wanted: string, other: string): boolean {
  if (wanted.length < TELLING || other.length < TELLING) return false;
  return other.includes(wanted) || (2 * other.length >= wanted.length && wanted.includes(other));
}

/** " Did you mean X?", to stand behind a message, or nothing where no known word is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const [near] = nearest(word, known, 1);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}
