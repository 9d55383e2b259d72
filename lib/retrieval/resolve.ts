import { CanonryError } from "../core/errors.ts";
import { nameKey } from "../core/names.ts";
import { nearest } from "../core/nearest.ts";
import { quoted } from "../core/text.ts";
import type { Filter } from "../drivers/driver.ts";
import type { IndexedRow } from "../schema/row.ts";
import type { Place } from "../vault/place.ts";
import { placeIds, readingPlaces, type View } from "./view.ts";

export interface Resolved {
  readonly row: IndexedRow;
  readonly place: Place;
  /** Set where the name asked for is not the skill's own: what to say about it (B05). */
  readonly notice?: string;
}

/**
 * The one skill that a name means: `name`, or `name@place`. The first place of the reading path that knows the
 * name wins; its own name, its folder's and its aliases all find it. Throws `CANONRY_SKILL_NOT_FOUND` with the
 * nearest names, `_AMBIGUOUS` where one place has two files of that name (C61), `_HIDDEN` for one that is
 * quarantined, archived or unreadable.
 */
export async function resolve(view: View, asked: string): Promise<Resolved> {
  const places = readingPlaces(view);
  const whole =
    asked.includes("@") &&
    (await view.catalog.driver.count({
      path: places.map((place) => place.id),
      key: nameKey(asked),
      states: ["active"],
    })) > 0;
  const { name, only } = whole ? { name: asked, only: undefined } : split(asked, places);
  for (const place of only === undefined ? places : [only]) {
    const rows = await view.catalog.driver.list(
      { path: [place.id], key: nameKey(name), states: ["active"] },
      "name",
    );
    const row = choose(rows, name, place);
    if (row !== undefined) return { row, place, ...noticeOf(row, rows, name) };
  }
  throw await hiddenOrMissing(view, name, only === undefined ? places : [only]);
}

/** `name@place`, where what follows the last @ is a place: its id, `project`, or the folder of a mount. */
function split(asked: string, places: readonly Place[]): { name: string; only: Place | undefined } {
  for (let at = asked.lastIndexOf("@"); at > 0; at = asked.lastIndexOf("@", at - 1)) {
    const label = asked.slice(at + 1);
    const only = places.find(
      (place) => place.id === label || place.dir === label || (label === "project" && place === places[0]),
    );
    if (only !== undefined) return { name: asked.slice(0, at), only };
  }
  return { name: asked, only: undefined };
}

/** A folder's name wins over another skill's own name (B05); two skills with one own name are ambiguous (C61). */
function choose(rows: readonly IndexedRow[], name: string, place: Place): IndexedRow | undefined {
  const key = nameKey(name);
  const own = rows.filter((row) => nameKey(row.name) === key);
  if (own.length > 1) throw ambiguous(own, name, place);
  const byFolder = rows.filter((row) => nameKey(folderOf(row)) === key && !own.includes(row));
  if (byFolder.length === 1) return byFolder[0];
  if (own.length === 1) return own[0];
  if (rows.length > 1) throw ambiguous(rows, name, place);
  return rows[0];
}

/** What to type to read this very row: its name, or its folder or path `@place` where another file of its place answers to that name too. */
export async function readableName(view: View, row: IndexedRow): Promise<string> {
  // Asked by the key alone, which few rows have: by the place too, a driver may go through all of the place.
  const named = await view.catalog.driver.list({ key: nameKey(row.name), states: ["active"] }, "name");
  const twins = named.filter(({ place }) => place === row.place);
  if (twins.length === 1) return row.name;
  return `${nameApart(row, twins)}@${row.place}`;
}

/** The folder where no other of these rows answers to it, else the path inside the place. */
function nameApart(row: IndexedRow, rows: readonly IndexedRow[]): string {
  const folder = nameKey(folderOf(row));
  const shared = rows.filter((other) => other.keys.includes(folder)).length > 1;
  return shared ? row.path.replace(/\/?skill\.md$/i, "").replace(/\.md$/i, "") : folderOf(row);
}

function folderOf(row: IndexedRow): string {
  const parts = row.path.split("/");
  return (/^skill\.md$/i.test(parts.at(-1) ?? "") ? parts.at(-2) : parts.at(-1)?.replace(/\.md$/i, "")) ?? "";
}

function noticeOf(row: IndexedRow, rows: readonly IndexedRow[], name: string): { notice?: string } {
  if (nameKey(row.name) === nameKey(name)) return {};
  const rival = rows.find((other) => other !== row && nameKey(other.name) === nameKey(name));
  const also =
    rival === undefined
      ? ""
      : ` The skill in ${rival.path} calls itself that too; read it as ${nameApart(rival, rows)}@${rival.place}.`;
  return { notice: `${name} is another name of ${row.name} (${row.path}).${also}` };
}

function ambiguous(rows: readonly IndexedRow[], name: string, place: Place): CanonryError {
  const paths = rows.map((row) => row.path);
  const hints = rows.map((row) => `${nameApart(row, rows)}@${row.place}`);
  return new CanonryError(
    "CANONRY_SKILL_AMBIGUOUS",
    `${paths.length} files of ${place.dir} are called ${name}: ${paths.join(", ")}. Read one of them as ${hints.join(" or ")}.`,
    { data: { name, place: place.id, paths } },
  );
}

async function hiddenOrMissing(view: View, name: string, places: readonly Place[]): Promise<CanonryError> {
  const { driver } = view.catalog;
  const path = places.map((place) => place.id);
  const elsewhere = await placesWith(view, name, path);
  const every: Filter = { path, shadowed: true };
  const [hidden] = await driver.list(
    { ...every, key: nameKey(name), states: ["quarantined", "archived", "unreadable"] },
    "name",
    1,
  );
  if (hidden !== undefined) {
    const why = hidden.diagnostics[0];
    const reason =
      hidden.state === "unreadable" && why !== undefined ? ` ${why.file}:${why.line}: ${why.message}` : "";
    return new CanonryError("CANONRY_SKILL_HIDDEN", `The skill ${hidden.name} is ${hidden.state}.${reason}`, {
      data: { name: hidden.name, state: hidden.state, path: hidden.path },
    });
  }
  if (elsewhere.length > 0)
    return notFound(
      `${path[0]} has no skill called ${quoted(name, 120)}. It is at: ${elsewhere.join(", ")}.`,
      { name, places: elsewhere },
    );
  return (await elsewhereThanAsked(view, name)) ?? (await unknown(view, name, path));
}

/** `name@place`, where the name is known and the place is not. */
async function elsewhereThanAsked(view: View, asked: string): Promise<CanonryError | undefined> {
  const [name, label] = parted(asked);
  const places = label === undefined ? [] : await placesWith(view, name, []);
  if (label === undefined || places.length === 0) return undefined;
  return notFound(
    `There is no place ${quoted(label, 120)}. ${quoted(name, 120)} is at: ${places.join(", ")}.`,
    { name, places },
  );
}

/** What stands before and after the last @; a text without one is a name alone. */
function parted(asked: string): [name: string, label?: string] {
  const at = asked.lastIndexOf("@");
  return at < 1 ? [asked] : [asked.slice(0, at), asked.slice(at + 1)];
}

async function unknown(view: View, name: string, path: readonly string[]): Promise<CanonryError> {
  const names = await view.catalog.driver.names({ path, states: ["active"] });
  const whole = nearest(name, names);
  const near = whole.length > 0 ? whole : nearest(parted(name)[0], names);
  const advice =
    near.length > 0 ? `Nearest: ${near.join(", ")}.` : "Search for one with skill_search or canonry search.";
  return notFound(`No skill is called ${quoted(name, 120)}. ${advice}`, { name, nearest: near });
}

function notFound(message: string, data: Readonly<Record<string, unknown>>): CanonryError {
  return new CanonryError("CANONRY_SKILL_NOT_FOUND", message, { data });
}

/** The other places of the reading path that know the name, in its order. */
async function placesWith(view: View, name: string, not: readonly string[]): Promise<string[]> {
  const path = placeIds(view).filter((id) => !not.includes(id));
  if (path.length === 0) return [];
  const rows = await view.catalog.driver.list(
    { path, key: nameKey(name), states: ["active"], shadowed: true },
    "name",
  );
  return path.filter((id) => rows.some((row) => row.place === id));
}
