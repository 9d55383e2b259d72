/** Does the work for each, `width` at a time; the first failure ends it. */
export async function inParallel<T>(
  width: number,
  all: readonly T[],
  work: (one: T, nth: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let nth = next++; nth < all.length; nth = next++) {
      const one = all[nth];
      if (one !== undefined) await work(one, nth);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** `count` of them, evenly spread from the first to the last; all of them if there are no more. */
export function spread<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all];
  return all.filter(
    (_, n) => Math.floor((n * count) / all.length) !== Math.floor(((n - 1) * count) / all.length),
  );
}
