/** Numbers that look random and are the same for the same seed, so that what went wrong can be seen again. */
export interface Chance {
  /** A whole number from 0 up to, not including, `below`. */
  upTo(below: number): number;
  /** One of these. */
  of<T>(choices: readonly [T, ...T[]]): T;
  /** True once in so many times. */
  oneIn(times: number): boolean;
}

/** Marsaglia's xorshift of 32 bits, the seed spread first so that neighbours differ. */
export function createChance(seed: number): Chance {
  let state = (Math.imul(seed ^ (seed >>> 16), 0x45d9f3b) ^ 0x9e3779b9) | 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let warm = 0; warm < 4; warm++) next();
  const upTo = (below: number): number => next() % below;
  return {
    upTo,
    of: (choices) => choices[upTo(choices.length)] ?? choices[0],
    oneIn: (times) => upTo(times) === 0,
  };
}

/** The whole numbers below `count`, each once, in an order of chance. */
export function shuffled(count: number, seed: number): number[] {
  const chance = createChance(seed);
  const order = Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = chance.upTo(at + 1);
    const [a = 0, b = 0] = [order[at], order[other]];
    order[at] = b;
    order[other] = a;
  }
  return order;
}
