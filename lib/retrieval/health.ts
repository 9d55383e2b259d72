import { statSync } from "node:fs";
import { errnoOf } from "../core/errors.ts";
import { counted } from "../core/text.ts";
import { walkNotes } from "../indexing/sync.ts";
import type { Diagnostic } from "../schema/diagnostic.ts";
import { compareFindings, type Finding } from "../schema/finding.ts";
import type { Place } from "../vault/place.ts";
import { listSkills } from "./list.ts";
import { unreadableFiles } from "./reindex.ts";
import { remains } from "./remains.ts";
import type { View } from "./view.ts";

export interface HealthLine {
  readonly check: string;
  readonly status: "ok" | "note" | "problem";
  readonly message: string;
  /** The command or act that mends it. */
  readonly next?: string;
}

export interface Health {
  readonly lines: readonly HealthLine[];
  /** Each file that gives no skill, and each problem that was left behind. */
  readonly problems: readonly Pick<Diagnostic | Finding, "file" | "line" | "code" | "message">[];
}

/** What is there and what is wrong with it, each line with what to do next. Changes nothing but the index. */
export async function health(view: View): Promise<Health> {
  await view.catalog.fresh({ force: true });
  const passed = await walkNotes(view.catalog.driver);
  const problems = await unreadableFiles(view, passed);
  const notes = passed.filter((note) => note.severity === "note");
  const lines: HealthLine[] = [
    homeLine(view),
    ...engineLines(view),
    ...(await placeLines(view)),
    await ambiguousLine(view),
  ];
  lines.push(
    problems.length === 0
      ? { check: "files", status: "ok", message: "every skill file can be read" }
      : {
          check: "files",
          status: "problem",
          message: `${counted(problems.length, "file")} cannot be read`,
          next: "mend or remove the files named below",
        },
  );
  const left = await remains(view);
  lines.push(...(await warningLines(view)), ...overlapLines(view), ...left.lines);
  for (const note of notes)
    lines.push({ check: "walk", status: "note", message: `${note.file}: ${note.message}` });
  const tracked = view.vault.trackedPrivateFiles();
  if (tracked.length > 0)
    lines.push({
      check: "privacy",
      status: "problem",
      message: `git tracks ${counted(tracked.length, "file")} that should stay private, such as ${tracked[0]}`,
      next: `git -C ${view.vault.home} rm --cached -r <files>, after canonry init has written the ignore patterns`,
    });
  const bare = left.problems.map(({ file, line, code, message }) => ({ file, line, code, message }));
  return { lines, problems: [...problems, ...bare] };
}

function homeLine(view: View): HealthLine {
  const { home, writable } = view.vault;
  return writable
    ? { check: "home", status: "ok", message: home }
    : {
        check: "home",
        status: "problem",
        message: `${home} cannot be written: reads work, nothing is recorded`,
        next: `chmod -R u+w ${home}`,
      };
}

function engineLines(view: View): HealthLine[] {
  const { driver, degraded } = view.catalog;
  const full = driver.supports.fullText ? "full text" : "no full text: search starts at its second step";
  const lines: HealthLine[] = [
    {
      check: "index",
      status: driver.supports.fullText ? "ok" : "note",
      message: `driver ${driver.name}, engine ${driver.engine}, ${full}`,
    },
  ];
  if (!view.vault.writable)
    lines.push({
      check: "index",
      status: "note",
      message:
        "cannot be kept in a home that cannot be written: each process builds what is missing in memory",
    });
  if (degraded !== undefined)
    lines.push({
      check: "index",
      status: "problem",
      message: `lives in memory alone: ${degraded}`,
      next: "make the home writable, then canonry reindex",
    });
  if (driver.engine.startsWith("sqlite-wasm") && Number(process.versions.node.split(".")[0]) < 22)
    lines.push({
      check: "engine",
      status: "note",
      message: `@sqlite.org/sqlite-wasm declares Node 22 or newer; it runs on this Node ${process.versions.node} all the same (tested in CI)`,
    });
  return lines;
}

async function placeLines(view: View): Promise<HealthLine[]> {
  const lines: HealthLine[] = [];
  for (const place of view.vault.places()) {
    const at = { path: [place.id], shadowed: true };
    const skills = await view.catalog.driver.count({ ...at, states: ["active", "quarantined", "archived"] });
    const unreadable = await view.catalog.driver.count({ ...at, states: ["unreadable"] });
    const bad = unreadable === 0 ? "" : `, ${unreadable} unreadable`;
    const errno = place.kind === "mount" ? errnoAt(place.dir) : undefined;
    lines.push(
      errno === undefined
        ? {
            check: "place",
            status: "ok",
            message: `${place.id}: ${counted(skills, "skill")}${bad} in ${place.dir}`,
          }
        : { check: "place", status: "problem", ...outOfReach(place, errno) },
    );
  }
  return lines;
}

/** Why a folder cannot be looked at, or undefined. */
function errnoAt(dir: string): string | undefined {
  try {
    statSync(dir);
    return undefined;
  } catch (error) {
    return errnoOf(error) ?? "unknown error";
  }
}

/** Only what is not there is gone; what the system will not show may come back (B110). */
function outOfReach({ id, dir }: Place, errno: string): Pick<HealthLine, "message" | "next"> {
  return errno === "ENOENT" || errno === "ENOTDIR"
    ? { message: `${id}: ${dir} is gone`, next: `bring it back, or canonry unmount ${dir}` }
    : {
        message: `${id}: ${dir} cannot be looked at (${errno}); what was known in it is kept`,
        next: "make it readable",
      };
}

async function ambiguousLine(view: View): Promise<HealthLine> {
  const names = new Set(
    (await listSkills(view))
      .filter((skill) => skill.state === "ambiguous")
      .map((skill) => `${skill.name}@${skill.place}`),
  );
  if (names.size === 0) return { check: "names", status: "ok", message: "every name means one skill" };
  return {
    check: "names",
    status: "problem",
    message: `two files share a name: ${[...names].slice(0, 10).join(", ")}${names.size > 10 ? ` and ${names.size - 10} more` : ""}`,
    next: "rename one of each; until then read them as folder@place",
  };
}

/** How many files were read with an assumption or over a limit, by code; `warnings` names each. */
async function warningLines(view: View): Promise<HealthLine[]> {
  const codes = new Map<string, number>();
  for (const { code } of await warnings(view)) codes.set(code, (codes.get(code) ?? 0) + 1);
  if (codes.size === 0) return [];
  const each = [...codes].sort((a, b) => b[1] - a[1]).map(([code, count]) => `${code} ${count}`);
  return [
    {
      check: "files",
      status: "note",
      message: `read with warnings: ${each.join(", ")}`,
      next: "canonry doctor --verbose names each",
    },
  ];
}

/** What was assumed of files that can be read, and which limits they pass. */
export async function warnings(view: View): Promise<Diagnostic[]> {
  const rows = await view.catalog.driver.list({ states: ["active", "quarantined", "archived"] }, "name");
  return rows.flatMap((row) => row.diagnostics).sort(compareFindings);
}

/** A folder mounted inside another is walked twice, and its skills shadow themselves. */
function overlapLines(view: View): HealthLine[] {
  const mounts = view.vault.places().filter((place) => place.kind === "mount");
  return mounts.flatMap((inner) =>
    mounts
      .filter((outer) => inner.dir.startsWith(`${outer.dir}/`))
      .map(
        (outer): HealthLine => ({
          check: "place",
          status: "note",
          message: `${inner.dir} is mounted inside ${outer.dir}: its skills are there twice`,
          next: `canonry unmount ${inner.dir}`,
        }),
      ),
  );
}
