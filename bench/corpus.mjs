// Texts to measure with: real skills where there is a file of them, else made-up ones of the same size.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const CORPUS = resolve(ROOT, process.env.CANONRY_BENCH_CORPUS || "../shared/data/skills.jsonl.gz");

/** A small generator of numbers in [0, 1), the same on every machine. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Words by rank, frequent ones often: about what a vocabulary of English does. */
function madeUp(count) {
  const next = random(7);
  const word = () => `w${Math.floor(40_000 ** next())}x`;
  const words = (n) => Array.from({ length: n }, word).join(" ");
  return Array.from({ length: count }, (_, n) => {
    const paragraphs = Array.from(
      { length: 4 + Math.floor(next() * 20) },
      () => `## ${words(3)}\n\n${words(60)}\n`,
    );
    return `---\nname: skill-${n}\ndescription: "${words(25)}"\n---\n\n# ${words(4)}\n\n${paragraphs.join("\n")}`;
  });
}

/** The first `count` texts, and what they are. `CANONRY_BENCH_CORPUS` names a gzipped file of `{"text": …}` lines. */
export function texts(count) {
  if (!existsSync(CORPUS)) {
    if (process.env.CANONRY_BENCH_CORPUS)
      throw new Error(`CANONRY_BENCH_CORPUS names ${CORPUS}, which is not there`);
    return {
      texts: madeUp(count),
      source: "made-up texts (CANONRY_BENCH_CORPUS names no file of real ones)",
    };
  }
  const rows = gunzipSync(readFileSync(CORPUS)).toString("utf8").trimEnd().split("\n", count);
  if (rows.length < count) throw new Error(`${CORPUS} has ${rows.length} rows, ${count} are wanted`);
  return { texts: rows.map((row) => JSON.parse(row).text), source: "real skills" };
}

/** Writes the texts below `folder`: `flat` as lone files, `folders` as one folder with a SKILL.md each. The paths. */
export function unpack(folder, layout, all) {
  mkdirSync(folder, { recursive: true });
  return all.map((text, n) => {
    const name = `skill-${String(n).padStart(6, "0")}`;
    if (layout === "folders") mkdirSync(join(folder, name));
    const path = layout === "folders" ? join(folder, name, "SKILL.md") : join(folder, `${name}.md`);
    writeFileSync(path, text);
    return path;
  });
}
