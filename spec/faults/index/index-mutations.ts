import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Chance } from "../../support/chance.ts";
import { CLAIM_MUTATIONS } from "./claim-mutations.ts";
import type { DamageStage } from "./damage-stage.ts";
import { flip, garbage, type Mutation } from "./mutation.ts";
import { otherDatabase, seedDatabase } from "./other-databases.ts";

const PAGE = 4_096;

function put(stage: DamageStage, bytes: Uint8Array, what: string): string {
  writeFileSync(stage.dsn, bytes);
  return what;
}

function flipped(below: (image: Buffer) => number, times: (chance: Chance) => number): Mutation {
  return (stage, chance) => {
    const bytes = Buffer.from(stage.image);
    const at = Array.from(
      { length: times(chance) },
      () => [chance.upTo(below(bytes)), chance.upTo(8)] as const,
    );
    for (const [byte, bit] of at) flip(bytes, byte, bit);
    return put(stage, bytes, `bits flipped: ${at.slice(0, 4).join(" ")}${at.length > 4 ? " …" : ""}`);
  };
}

const pageOf = (stage: DamageStage, chance: Chance) => chance.upTo(stage.image.length / PAGE) * PAGE;

function moved(stage: DamageStage, chance: Chance, both: boolean): string {
  const [from, to] = [pageOf(stage, chance), pageOf(stage, chance)];
  const bytes = Buffer.from(stage.image);
  stage.image.copy(bytes, to, from, from + PAGE);
  if (both) stage.image.copy(bytes, from, to, to + PAGE);
  return put(stage, bytes, `page at ${from} ${both ? "swapped with" : "also"} at ${to}`);
}

/** What is wrong with the bytes of the file. */
const IN_THE_FILE: Readonly<Record<string, Mutation>> = {
  "one bit": flipped(
    (image) => image.length,
    () => 1,
  ),
  "one bit of the header": flipped(
    () => 100,
    () => 1,
  ),
  "several bits": flipped(
    (image) => image.length,
    (chance) => 2 + chance.upTo(60),
  ),
  "cut at a page": (stage, chance) => {
    const length = pageOf(stage, chance);
    return put(stage, stage.image.subarray(0, length), `cut at ${length}`);
  },
  "cut within a page": (stage, chance) => {
    const length = chance.upTo(stage.image.length);
    return put(stage, stage.image.subarray(0, length), `cut at ${length}`);
  },
  "zero length": (stage) => put(stage, Buffer.alloc(0), "empty"),
  "a page of zeroes": (stage, chance) => {
    const at = pageOf(stage, chance);
    return put(stage, Buffer.from(stage.image).fill(0, at, at + PAGE), `zeroes at ${at}`);
  },
  "a page twice": (stage, chance) => moved(stage, chance, false),
  "two pages swapped": (stage, chance) => moved(stage, chance, true),
  "a page more": (stage, chance) =>
    put(stage, Buffer.concat([stage.image, garbage(PAGE, chance)]), "a page more"),
  "a run of garbage": (stage, chance) => {
    const [at, length] = [chance.upTo(stage.image.length), 1 + chance.upTo(20_000)];
    const bytes = Buffer.from(stage.image);
    garbage(length, chance).copy(bytes, at);
    return put(stage, bytes, `${length} bytes of garbage at ${at}`);
  },
  "pages of an older generation": (stage, chance) => {
    const bytes = Buffer.from(stage.image);
    const at = pageOf(stage, chance);
    stage.older.copy(bytes, 0, 0, at);
    return put(stage, bytes, `the older generation up to ${at}`);
  },
};

/** Something else in its place. */
const IN_ITS_PLACE: Readonly<Record<string, Mutation>> = {
  "a text": (stage, chance) => put(stage, Buffer.from("# Not an index\n".repeat(chance.upTo(900))), "a text"),
  "another program's database": (stage) => put(stage, otherDatabase(stage.engine), "bookmarks"),
  "the seed's database": (stage) => put(stage, seedDatabase(stage.engine), "the seed's"),
  "a newer version": (stage, chance) => {
    const bytes = Buffer.from(stage.image);
    const version = 3 + chance.upTo(1_000);
    bytes.writeInt32BE(version, 60);
    return put(stage, bytes, `user_version ${version}`);
  },
  "the index of another home": (stage) => put(stage, stage.foreign, "another home's"),
  "an older generation": (stage) => put(stage, stage.older, "the older generation"),
  "no file": (stage) => {
    rmSync(stage.dsn);
    return "removed";
  },
  "a folder": (stage) => {
    rmSync(stage.dsn);
    mkdirSync(join(stage.dsn, "inner"), { recursive: true });
    return "a folder";
  },
  "a pipe": (stage) => {
    rmSync(stage.dsn);
    execFileSync("mkfifo", [stage.dsn]);
    return "a pipe";
  },
  "a link": (stage, chance) => {
    const elsewhere = join(stage.outside, "linked");
    rmSync(elsewhere, { force: true });
    const target = chance.of([
      "/dev/zero",
      "/dev/null",
      join(stage.outside, "nothing"),
      stage.dsn,
      elsewhere,
      "/proc/self/mem",
    ]);
    if (target === elsewhere)
      writeFileSync(elsewhere, chance.oneIn(2) ? stage.image : stage.image.subarray(9));
    rmSync(stage.dsn);
    symlinkSync(target, stage.dsn);
    return `a link to ${target}`;
  },
};

const LOCKS = [
  "",
  "1",
  "999999",
  `${process.pid}@elsewhere.example`,
  '{"pid":1,"host":"elsewhere"}',
] as const;
const SIDES = ["-journal", "-wal", "-shm", ".lock", "-lock", ".lck"] as const;

/** Beside it in the home; three in four leave the index itself as it was. */
const BESIDE_IT: Readonly<Record<string, Mutation>> = {
  "files of other locks": (stage, chance) => {
    const path = stage.dsn + chance.of(SIDES);
    const [text, isFolder] = [chance.of(LOCKS), chance.oneIn(4)];
    if (isFolder) mkdirSync(path);
    else writeFileSync(path, chance.oneIn(3) ? garbage(chance.upTo(9_000), chance) : text);
    const days = Date.now() / 1_000 - 3 * 86_400;
    utimesSync(path, days, days);
    const more = chance.oneIn(4)
      ? flipped(
          (image) => image.length,
          () => 1,
        )(stage, chance)
      : "";
    return `${path}, ${isFolder ? "a folder" : JSON.stringify(text)} ${more}`;
  },
  "a temporary file": (stage, chance) => {
    const path = join(
      stage.home,
      `.index.sqlite.tmp-${1 + chance.upTo(9_999)}-${garbage(6, chance).toString("hex")}`,
    );
    if (chance.oneIn(4)) mkdirSync(path);
    else writeFileSync(path, stage.image.subarray(0, chance.upTo(stage.image.length)));
    return path;
  },
};

const ALONE: readonly [string, Mutation][] = Object.entries({
  ...IN_THE_FILE,
  ...IN_ITS_PLACE,
  ...BESIDE_IT,
  ...CLAIM_MUTATIONS,
});

/** Of a file that nothing on this machine vouches for, and that is damaged besides. */
const FROM_ELSEWHERE: readonly [string, Mutation][] = Object.entries(IN_THE_FILE).map(([name, mutate]) => [
  `${name}, no claims`,
  (stage, chance) => {
    rmSync(stage.claims, { recursive: true });
    return mutate(stage, chance);
  },
]);

/** Two at once: the claims first. */
const TOGETHER: readonly [string, Mutation][] = Object.entries(CLAIM_MUTATIONS).map(([name, mutate]) => [
  `${name}, and the file`,
  (stage, chance) => {
    const first = mutate(stage, chance);
    const [second, spoil] = chance.of(
      Object.entries(IN_THE_FILE) as [[string, Mutation], ...[string, Mutation][]],
    );
    return `${first}; ${second}: ${spoil(stage, chance)}`;
  },
]);

/** A bit, a cut and a run are worth many tries, a folder is not. */
const MANY = new Set([
  "one bit",
  "several bits",
  "cut within a page",
  "cut at a page",
  "a run of garbage",
  "files of other locks",
]);

export const MUTATIONS: readonly [string, Mutation][] = [
  ...ALONE.flatMap((one) => Array.from({ length: MANY.has(one[0]) ? 5 : 1 }, () => one)),
  ...FROM_ELSEWHERE,
  ...TOGETHER,
];
