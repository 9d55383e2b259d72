import { CanonryError, type ErrorCode } from "./errors.ts";
import { didYouMean } from "./nearest.ts";

/** A seam's table: name → implementation, in the order of its lines. */
export interface Registry<T> {
  readonly names: readonly string[];
  /** Throws `code` naming the registered ones and the nearest (S3.22). */
  get(name: string): T;
  has(name: string): boolean;
}

export function createRegistry<T>(
  kind: string,
  code: ErrorCode,
  entries: Readonly<Record<string, T>>,
): Registry<T> {
  const table = new Map(Object.entries(entries));
  const names = Object.freeze([...table.keys()]);
  return Object.freeze({
    names,
    has: (name: string) => table.has(name),
    get(name: string): T {
      const found = table.get(name);
      if (found !== undefined) return found;
      throw new CanonryError(
        code,
        `Unknown ${kind} ${JSON.stringify(name)}. Registered: ${names.join(", ")}.${didYouMean(name, names)}`,
        { data: { received: name, allowed: names } },
      );
    },
  });
}
