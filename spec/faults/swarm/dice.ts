/** Numbers that look random and come again with the same seed. */
export interface Dice {
  /** From 0 up to, not including, `below`. */
  readonly roll: (below: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
}

/** mulberry32: 32 bits of state, good enough to choose with. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const roll = (below: number) => Math.floor(next() * below);
  return {
    roll,
    pick: <T>(from: readonly T[]): T => {
      const one = from[roll(from.length)];
      if (one === undefined) throw new Error("there is nothing to pick from");
      return one;
    },
  };
}
