import { CanonryError } from "../../core/errors.ts";
import { eolOf, lineStart } from "../lines.ts";
import { isList, renderEntry, renderInline, type Value } from "./render.ts";
import type { Entry, Frontmatter, MapNode } from "./tree.ts";

/** A key at the top, or one inside the map at the top; `undefined` takes its lines out. */
export interface Edit {
  readonly path: readonly [string] | readonly [string, string];
  readonly value: Value | undefined;
}

interface Patch {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

/** What a new file is made from: an empty block, which the keys go into. */
export const NEW_TEXT = "---\n---\n";
export const NEW_BLOCK: Frontmatter = Object.freeze({
  entries: new Map(),
  flow: false,
  closed: true,
  start: 4,
  end: 4,
  bodyStart: 8,
});

/**
 * The text with these keys changed and every other character as it was: comments, order, unknown keys, line breaks,
 * byte order mark and body (B36, B37). New keys come after the last one. `body` replaces what follows the block. A
 * block that nothing closes is closed by the first edit.
 */
export function spliceFrontmatter(
  text: string,
  block: Frontmatter,
  edits: readonly Edit[],
  body?: string,
): string {
  if (block.flow && edits.length > 0) {
    throw new CanonryError(
      "CANONRY_INVALID_RECORD",
      "The frontmatter is one map in braces, whose keys have no lines of their own. Write one `key: value` a line, then try again.",
    );
  }
  const eol = eolOf(text);
  const patches = [...groupByKey(edits)].map(([key, group]) => patchKey(text, block, key, group, eol));
  if (!block.closed && (patches.length > 0 || body !== undefined)) {
    const fence = onOwnLine(text, block.bodyStart, `---${eol}`, eol);
    patches.push({ start: block.bodyStart, end: block.bodyStart, insert: fence });
  }
  if (body !== undefined)
    patches.push({ start: block.bodyStart, end: text.length, insert: bodyInsert(text, block, body, eol) });
  return applyPatches(text, patches);
}

function groupByKey(edits: readonly Edit[]): Map<string, Edit[]> {
  const groups = new Map<string, Edit[]>();
  for (const edit of edits) {
    const group = groups.get(edit.path[0]);
    if (group === undefined) groups.set(edit.path[0], [edit]);
    else group.push(edit);
  }
  return groups;
}

function patchKey(text: string, block: Frontmatter, key: string, group: readonly Edit[], eol: string): Patch {
  const entry = block.entries.get(key);
  const whole = group.find((edit) => edit.path.length === 1);
  if (whole !== undefined) return patchValue(text, block, key, entry, whole.value, eol);
  const inner = group.map((edit): [string, Value | undefined] => [edit.path[1] ?? "", edit.value]);
  if (entry?.value.kind === "map" && !entry.value.flow && entry.value.entries.size > 0) {
    return patchMap(text, entry, entry.value, inner, eol);
  }
  const values = new Map(entry?.value.kind === "map" ? rawValues(text, entry.value) : []);
  for (const [name, value] of inner) {
    if (value === undefined) values.delete(name);
    else values.set(name, value);
  }
  if (values.size === 0) return patchValue(text, block, key, entry, undefined, eol);
  if (entry?.value.kind === "map" && entry.value.flow)
    return patchValue(text, block, key, entry, { map: values }, eol);
  const lines = renderEntry(key, { map: values }, "", eol);
  return entry === undefined
    ? append(text, block, lines, eol)
    : { start: entry.start, end: entry.end, insert: lines };
}

function patchValue(
  text: string,
  block: Frontmatter,
  key: string,
  entry: Entry | undefined,
  value: Value | undefined,
  eol: string,
): Patch {
  if (entry === undefined)
    return append(text, block, value === undefined ? "" : renderEntry(key, value, "", eol), eol);
  if (value === undefined) return { start: entry.start, end: entry.end, insert: "" };
  return replaceValue(text, entry, value, eol);
}

/** Only the value's own characters where it stands on its key's line; else all that follows the colon. */
function replaceValue(text: string, entry: Entry, value: Value, eol: string): Patch {
  const node = entry.value;
  const colon = colonOf(text, entry);
  if (colon === undefined) {
    return {
      start: entry.start,
      end: entry.end,
      insert: renderEntry(entry.key, value, indentOf(text, entry), eol),
    };
  }
  const inline = renderInline(value);
  if (node.kind === "list" && !node.flow && isList(value) && value.length > 0) {
    const dash = text.slice(lineStart(text, node.start), node.start);
    const lines = value.map((one) => `${dash}- ${renderInline(one)}`).join(eol);
    return { start: lineStart(text, node.start), end: valueEnd(text, entry), insert: lines };
  }
  if (node.start === node.end) return { start: colon + 1, end: colon + 1, insert: ` ${inline}` };
  const sameLine = node.start > colon && !/[\r\n]/.test(text.slice(colon, node.start));
  const ownSpan =
    sameLine && (node.kind === "scalar" ? node.style !== "block" : node.kind !== "broken" && node.flow);
  if (ownSpan)
    return {
      start: node.start,
      end: node.end,
      insert: /\s/.test(text.charAt(node.start - 1)) ? inline : ` ${inline}`,
    };
  return { start: colon + 1, end: valueEnd(text, entry), insert: ` ${inline}` };
}

function patchMap(
  text: string,
  parent: Entry,
  map: MapNode,
  inner: readonly [string, Value | undefined][],
  eol: string,
): Patch {
  const [first] = map.entries.values();
  const indent = first === undefined ? "  " : indentOf(text, first);
  const patches: Patch[] = [];
  let added = "";
  let left = map.entries.size;
  for (const [name, value] of inner) {
    const child = map.entries.get(name);
    if (child !== undefined && value === undefined) left--;
    if (child === undefined) added += value === undefined ? "" : renderEntry(name, value, indent, eol);
    else if (value === undefined) patches.push({ start: child.start, end: child.end, insert: "" });
    else patches.push(replaceValue(text, child, value, eol));
  }
  if (left === 0 && added === "") return { start: parent.start, end: parent.end, insert: "" };
  const last = [...map.entries.values()].reduce((most, one) => Math.max(most, one.end), parent.start);
  patches.push({ start: last, end: last, insert: onOwnLine(text, last, added, eol) });
  const shifted = patches.map((one) => ({
    ...one,
    start: one.start - parent.start,
    end: one.end - parent.start,
  }));
  return {
    start: parent.start,
    end: parent.end,
    insert: applyPatches(text.slice(parent.start, parent.end), shifted),
  };
}

/** After the last key's lines, so that comments at the end of the block stay at the end. */
function append(text: string, block: Frontmatter, lines: string, eol: string): Patch {
  const last = [...block.entries.values()].reduce((most, one) => Math.max(most, one.end), block.start);
  return { start: last, end: last, insert: onOwnLine(text, last, lines, eol) };
}

function onOwnLine(text: string, at: number, lines: string, eol: string): string {
  return lines === "" || lineStart(text, at) === at ? lines : `${eol}${lines}`;
}

/** A closing fence at the very end of the text gets its line break before a body comes behind it. */
function bodyInsert(text: string, block: Frontmatter, body: string, eol: string): string {
  return onOwnLine(text, block.bodyStart, body, eol);
}

function applyPatches(text: string, patches: readonly Patch[]): string {
  const ordered = patches
    .map((one, at) => ({ ...one, at }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.at - b.at);
  let result = "";
  let from = 0;
  for (const { start, end, insert } of ordered) {
    result += text.slice(from, start) + insert;
    from = end;
  }
  return result + text.slice(from);
}

/** The colon right behind the key; undefined for the rare `? key` form. */
function colonOf(text: string, entry: Entry): number | undefined {
  const found = /^[ \t]*:/.exec(text.slice(entry.keyEnd, entry.keyEnd + 200));
  return found === null ? undefined : entry.keyEnd + found[0].length - 1;
}

function indentOf(text: string, entry: Entry): string {
  return text.slice(lineStart(text, entry.keyStart), entry.keyStart);
}

/** Where the entry's last line ends, its line break not included. */
function valueEnd(text: string, entry: Entry): number {
  return entry.start + text.slice(entry.start, entry.end).replace(/(?:\r\n?|\n)$/, "").length;
}

/** What a flow map holds, as its source has it, so that the map can be written anew around a change. */
function rawValues(text: string, map: MapNode): [string, Value][] {
  return [...map.entries].map(([key, { value }]) => [key, { raw: text.slice(value.start, value.end) }]);
}
