/** Edit distance (insertions, deletions, substitutions), given up on above `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[b.length] ?? limit + 1;
}

/** People slip less often on the first letters. */
function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** The known words nearest to `word`, nearest first, at most `count`; for "did you mean". */
export function nearest(word: string, known: Iterable<string>, count = 3): string[] {
  const wanted = word.toLowerCase().slice(0, 128);
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  const scored: { name: string; score: number; begins: number }[] = [];
  for (const name of known) {
    const other = name.toLowerCase();
    const inside = wanted.length >= 3 && (other.includes(wanted) || wanted.includes(other));
    const score = inside
      ? 0.5 + Math.abs(other.length - wanted.length) / 1_000
      : distance(wanted, other, limit);
    if (score <= limit) scored.push({ name, score, begins: sharedStart(wanted, other) });
  }
  scored.sort((a, b) => a.score - b.score || b.begins - a.begins || (a.name < b.name ? -1 : 1));
  return scored.slice(0, count).map((entry) => entry.name);
}

/** " Did you mean X?", to stand behind a message, or nothing where no known word is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const [near] = nearest(word, known, 1);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}
