import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

/** What is empty when nobody is at work: what was taken out of the way, what was given up, who waits. */
const WORKING = ["kept", "temp", "turns"];

/**
 * What must be gone once the home was opened a while later, by path: temporary names and files set aside anywhere, what
 * is left of work, and of each name's claims all but the last and its marker. Reads without the code under test.
 */
export function leftoversOf(home: string): string[] {
  const all = readdirSync(home, { recursive: true, encoding: "utf8" });
  const named = all.filter((path) => /\.tmp-|\.(?:bak|damaged)(?:-[0-9a-f]+)?$/.test(basename(path)));
  const working = WORKING.flatMap((folder) =>
    namesOf(join(home, "local", folder)).map((name) => join("local", folder, name)),
  );
  return [...new Set([...named, ...working, ...oldClaims(home)])].sort();
}

function oldClaims(home: string): string[] {
  const root = join(home, "local", "commit");
  return namesOf(root).flatMap((space) => {
    const files = namesOf(join(root, space)).flatMap((file) => {
      const [, name = "", seq, mark = ""] = /^(.+?)\.(\d+)(\.[a-z]+\d?)?$/.exec(file) ?? [];
      return seq === undefined ? [] : [{ file, name, seq: Number(seq), mark }];
    });
    const lastOf = (name: string) =>
      Math.max(...files.filter((one) => one.name === name).map((one) => one.seq));
    const isDone = (name: string, seq: number) =>
      files.some((one) => one.name === name && one.seq === seq && one.mark === ".done");
    return files
      .filter(
        ({ name, seq, mark }) => seq < lastOf(name) || !isDone(name, seq) || !["", ".done"].includes(mark),
      )
      .map(({ file }) => join("local", "commit", space, file));
  });
}

/** Sorted; none where there is no such folder. */
export function namesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
