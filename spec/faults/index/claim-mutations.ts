import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { flip, garbage, type Mutation } from "./mutation.ts";

const nameOf = (generation: number) => `index.sqlite.${generation}.json`;

/** What the claims say, in `local/index`. */
export const CLAIM_MUTATIONS: Readonly<Record<string, Mutation>> = {
  "a claim's bytes": (stage, chance) => {
    const path = join(
      stage.claims,
      chance.of(["index.sqlite.3.json", "index.sqlite.2.json", "index.sqlite.1.json"]),
    );
    const bytes = readFileSync(path);
    const bit = Buffer.from(bytes);
    flip(bit, chance.upTo(bytes.length), chance.upTo(8));
    const ways = {
      bit,
      cut: bytes.subarray(0, chance.upTo(bytes.length)),
      garbage: garbage(200, chance),
      null: "null",
    };
    const how = chance.of(["bit", "cut", "garbage", "null"] as const);
    writeFileSync(path, ways[how]);
    return `${path}, ${how}`;
  },
  "claims that are gone": (stage, chance) => {
    const gone = readdirSync(stage.claims).filter(() => chance.oneIn(2));
    for (const name of gone) rmSync(join(stage.claims, name));
    if (chance.oneIn(3)) rmSync(stage.claims, { recursive: true });
    return `gone: ${gone.join(" ")}`;
  },
  "a claim's number": (stage, chance) => {
    const [from, to] = [1 + chance.upTo(3), chance.of([4, 9, 100, 4_000_000, 0, 2])];
    renameSync(join(stage.claims, nameOf(from)), join(stage.claims, nameOf(to)));
    return `${from} is ${to}`;
  },
  "a claim of another kind": (stage, chance) => {
    const path = join(stage.claims, nameOf(chance.of([3, 4, 5])));
    rmSync(path, { force: true });
    const how = chance.of(["folder", "link", "pipe"]);
    if (how === "folder") mkdirSync(path);
    else if (how === "link") symlinkSync(chance.of(["/dev/zero", "/nowhere", stage.dsn]), path);
    else execFileSync("mkfifo", [path]);
    return `${path} is a ${how}`;
  },
  "a claim of an unfinished flush": (stage, chance) => {
    const temp = `.index.sqlite.tmp-${1 + chance.upTo(9_999)}-${garbage(6, chance).toString("hex")}`;
    const whole = chance.oneIn(2);
    const named = chance.of([
      temp,
      temp,
      "../x",
      "index.sqlite",
      "settings.json",
      ".index.sqlite.tmp-1-aaaaaaaaaaaa",
    ]);
    const claim = JSON.parse(readFileSync(join(stage.claims, nameOf(3)), "utf8")) as object;
    writeFileSync(
      join(stage.home, temp),
      whole ? stage.image : stage.image.subarray(0, chance.upTo(stage.image.length)),
    );
    writeFileSync(join(stage.claims, nameOf(4)), JSON.stringify({ ...claim, temp: named }));
    return `generation 4 names ${named}, its temp is ${whole ? "whole" : "torn"}`;
  },
};
