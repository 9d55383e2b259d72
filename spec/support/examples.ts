import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import ts from "typescript";
import { type Document, type Fence, fencesOf } from "./documents.ts";
import { ROOT } from "./root.ts";

/**
 * A folder that looks like a fresh checkout with `canonry` installed in it: the project's own files as links, so
 * that what an example writes beside them lands here, and a home of its own.
 */
function makeStage(folder: string): NodeJS.ProcessEnv {
  for (const name of readdirSync(ROOT)) {
    if (name !== "node_modules" && name !== ".git") symlinkSync(join(ROOT, name), join(folder, name));
  }
  const bin = join(folder, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(folder, ".home"));
  symlinkSync(ROOT, join(folder, "node_modules", "canonry"), "junction");
  symlinkSync(join(ROOT, "bin", "canonry.mjs"), join(bin, "canonry"));
  symlinkSync(join(ROOT, "bin", "reindex.mjs"), join(bin, "canonry-reindex"));
  const home = join(folder, ".home");
  const path = [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const { CANONRY_HOME: _, NODE_TEST_CONTEXT: __, ...rest } = process.env;
  return { ...rest, HOME: home, USERPROFILE: home, PATH: path, NO_COLOR: "1" };
}

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runFence(fence: Fence, folder: string, env: NodeJS.ProcessEnv): Outcome {
  const options = { cwd: folder, env, encoding: "utf8" } as const;
  if (fence.language === "sh") return spawnSync("sh", ["-eu", "-c", fence.text], options);
  const file = join(folder, `example-${fence.line}.mjs`);
  const { outputText } = ts.transpileModule(fence.text, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  });
  writeFileSync(file, outputText);
  return spawnSync(process.execPath, [file], options);
}

/** In an expected output "…" stands for any text of a line, and a line of nothing else for any lines. */
export function fits(actual: string, expected: string): boolean {
  const quote = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const lines = expected
    .trimEnd()
    .split("\n")
    .map((line) =>
      line.trim() === "…" ? "(?:.*\n)*?" : `${line.trimEnd().split("…").map(quote).join(".*")}[ \\t]*\n`,
    );
  return new RegExp(`^${lines.join("")}$`).test(`${actual.trimEnd()}\n`);
}

/**
 * Runs every "```sh run" and "```ts run" of a document, in order, on one stage; a "```text output" right after one
 * is compared with what it printed. What went wrong, one text a fence.
 */
export function runExamples(one: Document, folder: string): string[] {
  const env = makeStage(folder);
  const fences = fencesOf(one.text);
  const problems: string[] = [];
  for (const [at, fence] of fences.entries()) {
    if (fence.mark !== "run") continue;
    const { status, stdout, stderr } = runFence(fence, folder, env);
    const where = `${one.path}:${fence.line}`;
    if (status !== 0) problems.push(`${where} left with ${status}\n${stdout}${stderr}`);
    const expected = fences[at + 1];
    if (expected?.mark === "output" && !fits(stdout, expected.text))
      problems.push(`${where} printed\n${stdout}\nbut the document says\n${expected.text}`);
  }
  return problems;
}
