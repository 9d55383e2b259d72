import { unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createExclusive, listNames, quietly } from "../../core/atomic.ts";
import { sha256 } from "../../core/hash.ts";
import { LIMITS } from "../../core/limits.ts";
import { realPathOf } from "../../core/look.ts";
import { makeFolder } from "../../core/make-folder.ts";
import { isTempName } from "../../core/temp-names.ts";
import { claimTemps } from "./leftovers.ts";
import { readRegular } from "./regular-file.ts";

/** One flush of the index: who has made the file of this name has written that generation. */
export interface Claim {
  readonly generation: number;
  readonly sha256: string;
  readonly bytes: number;
  /** Name of the temporary file beside the index. */
  readonly temp: string;
}

/** As many as a reader may be behind that caught the moment between a claim and its rename. */
const KEPT = 8;

/** The claims of one index file: `<folder>/<file>.<generation>.json`, made exclusively, never used again. */
export interface Claims {
  /** Newest first. */
  list(): Claim[];
  newest(): Claim | undefined;
  /** False where another process has this generation. */
  create(claim: Claim): boolean;
  withdraw(generation: number): void;
  /** Leaves the newest eight. */
  prune(): void;
  /** Temporary files of claims, whoever is making them. */
  temps(): string[];
}

/** `folder` is `<home>/local/index`; `path` is the index file, in that home or elsewhere. */
export function openClaims(folder: string, path: string): Claims {
  const prefix = `${claimName(folder, path)}.`;

  function generations(): number[] {
    return listNames(folder)
      .filter((name) => name.startsWith(prefix) && /^\d{1,15}\.json$/.test(name.slice(prefix.length)))
      .map((name) => Number.parseInt(name.slice(prefix.length), 10))
      .sort((a, b) => b - a);
  }

  const pathOf = (generation: number) => join(folder, `${prefix}${generation}.json`);

  const read = (generation: number): Claim => ({ ...readClaim(pathOf(generation)), generation });

  return {
    list: () => generations().map(read),
    newest: () => generations().slice(0, 1).map(read)[0],
    temps: () => claimTemps(folder, prefix),
    create({ generation, ...rest }) {
      makeFolder(folder);
      return createExclusive(pathOf(generation), Buffer.from(`${JSON.stringify(rest)}\n`));
    },
    withdraw: (generation) => quietly(() => unlinkSync(pathOf(generation))),
    prune() {
      for (const old of generations().slice(KEPT)) quietly(() => unlinkSync(pathOf(old)));
    },
  };
}

/** The index of the home by its name; one that stands elsewhere also by its folder, as two may have one name. */
function claimName(folder: string, path: string): string {
  const real = (one: string) => realPathOf(one) ?? one;
  const [home, beside] = [real(dirname(dirname(folder))), real(dirname(path))];
  return home === beside ? basename(path) : `${basename(path)}-${sha256(beside).slice(0, 12)}`;
}

/** A claim that cannot be read still holds its number: it fits no file and has nothing to finish. */
function readClaim(path: string): Omit<Claim, "generation"> {
  try {
    const { sha256, bytes, temp } = JSON.parse(String(readRegular(path, LIMITS.indexClaimBytes))) as Record<
      string,
      unknown
    >;
    return {
      sha256: typeof sha256 === "string" ? sha256 : "",
      bytes: typeof bytes === "number" ? bytes : 0,
      temp: typeof temp === "string" && basename(temp) === temp && isTempName(temp) ? temp : "",
    };
  } catch {
    return { sha256: "", bytes: 0, temp: "" };
  }
}
