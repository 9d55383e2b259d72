import { COLLECTION_STYLE, EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from "js-yaml";
import { LIMITS } from "../../core/limits.ts";
import { contentEnd, lineStart, nextLine } from "../lines.ts";
import type { Entry, ScalarNode, YamlNode } from "./tree.ts";

type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;

/** Something that is refused whatever else the block holds: nothing is built from it (C52, B104). */
export interface Refusal {
  readonly code: "YAML_ANCHOR" | "FRONTMATTER_TOO_DEEP" | "YAML_INVALID";
  readonly at: number;
  readonly message: string;
}

export interface Duplicate {
  readonly key: string;
  readonly at: number;
}

export type YamlReading =
  | { readonly ok: true; readonly root: YamlNode | undefined; readonly duplicates: readonly Duplicate[] }
  | { readonly ok: false; readonly refusal: Refusal }
  | { readonly ok: false; readonly refusal?: undefined; readonly reason: string };

const REFUSED =
  "Anchors, aliases, merge keys and tags are refused; write the value out in full, or quote it if it is text.";

/**
 * Strict YAML to a tree, guards first: nesting is capped inside the parser, and anchors, aliases, merge keys and
 * tags are found in its flat list of events, before anything is built. `base` is where `source` stands in the text.
 */
export function readYaml(source: string, base: number): YamlReading {
  let events: Event[];
  try {
    events = parseEvents(source, { maxDepth: LIMITS.frontmatterDepth + 2 });
  } catch (error) {
    const reason = error instanceof Error && "reason" in error ? String(error.reason) : "it is not YAML";
    return reason.startsWith("nesting exceeded")
      ? { ok: false, refusal: tooDeep(base) }
      : { ok: false, reason };
  }
  return refusalIn(events, source, base) ?? buildTree(events, source, base);
}

function tooDeep(at: number): Refusal {
  const message = `The frontmatter is nested deeper than ${LIMITS.frontmatterDepth} levels. Write it flat.`;
  return { code: "FRONTMATTER_TOO_DEEP", at, message };
}

function refusalIn(events: readonly Event[], source: string, base: number): YamlReading | undefined {
  let depth = -1;
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      depth--;
      continue;
    }
    if (event.type === EVENT_ID.ALIAS && source.slice(event.anchorStart, event.anchorEnd).includes("*")) {
      return { ok: false, reason: "a value that begins with * is an alias" };
    }
    const at = refusedAt(event, source);
    if (at !== undefined) {
      const token = JSON.stringify(/^\S{0,40}/.exec(source.slice(at, at + 40))?.[0] ?? "");
      return {
        ok: false,
        refusal: { code: "YAML_ANCHOR", at: base + at, message: `${token} stands here. ${REFUSED}` },
      };
    }
    if (event.type === EVENT_ID.DOCUMENT) depth++;
    if (event.type !== EVENT_ID.MAPPING && event.type !== EVENT_ID.SEQUENCE) continue;
    if (++depth > LIMITS.frontmatterDepth) return { ok: false, refusal: tooDeep(base + event.start) };
  }
  return undefined;
}

/** Where an anchor, alias, tag or merge key stands, its mark included. */
function refusedAt(event: Event, source: string): number | undefined {
  if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return undefined;
  if (event.anchorStart >= 0) return event.anchorStart - 1;
  if (event.type === EVENT_ID.ALIAS) return undefined;
  if (event.tagStart >= 0) return event.tagStart;
  if (event.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN) return undefined;
  return event.valueEnd - event.valueStart === 2 && source.startsWith("<<", event.valueStart)
    ? event.valueStart
    : undefined;
}

function buildTree(events: readonly Event[], source: string, base: number): YamlReading {
  const duplicates: Duplicate[] = [];
  let at = 0;

  const node = (fallback: number): YamlNode => {
    const event = events[at++];
    if (event?.type === EVENT_ID.SCALAR) return scalarOf(event, source, base, fallback);
    if (event?.type === EVENT_ID.SEQUENCE) return list(event.start, event.style === COLLECTION_STYLE.FLOW);
    if (event?.type === EVENT_ID.MAPPING) return map(event.start, event.style === COLLECTION_STYLE.FLOW);
    return { kind: "broken", start: base + fallback, end: base + fallback };
  };
  const list = (start: number, flow: boolean): YamlNode => {
    const items: YamlNode[] = [];
    let end = flow ? start + 1 : start;
    while (events[at]?.type !== EVENT_ID.POP && at < events.length) {
      const item = node(end);
      items.push(item);
      end = item.end - base;
    }
    at++;
    return {
      kind: "list",
      items,
      flow,
      start: base + start,
      end: base + (flow ? flowEnd(source, end, "]") : end),
    };
  };
  const map = (start: number, flow: boolean): YamlNode => {
    const entries = new Map<string, Entry>();
    let end = flow ? start + 1 : start;
    while (events[at]?.type !== EVENT_ID.POP && at < events.length) {
      const key = node(end);
      const value = node(key.end - base);
      end = Math.max(key.end, value.end) - base;
      if (key.kind !== "scalar") continue;
      if (entries.has(key.text)) duplicates.push({ key: key.text, at: key.start });
      else entries.set(key.text, flow ? inlineEntry(key, value) : entryOf(key, value, source, base));
    }
    at++;
    // `[a: b]` holds a map without braces of its own.
    const braced = flow && source[start] === "{";
    return {
      kind: "map",
      entries,
      flow,
      start: base + start,
      end: base + (braced ? flowEnd(source, end, "}") : end),
    };
  };

  if (events[at]?.type === EVENT_ID.DOCUMENT) at++;
  return { ok: true, root: events.length === 0 ? undefined : node(0), duplicates };
}

/** Scalars are the text of their source; only NUL and halves of surrogate pairs, which escapes can make, go. */
function scalarOf(event: ScalarEvent, source: string, base: number, fallback: number): ScalarNode {
  const text = getScalarValue(source, event).replaceAll("\0", "").toWellFormed();
  if (event.valueStart < 0)
    return { kind: "scalar", text, style: "plain", start: base + fallback, end: base + fallback };
  const quoted =
    event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0;
  const block = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
  const end = block ? source.slice(0, event.valueEnd).trimEnd().length : event.valueEnd + quoted;
  return {
    kind: "scalar",
    text,
    style: block ? "block" : quoted === 1 ? "quoted" : "plain",
    start: base + event.valueStart - quoted,
    end: base + Math.max(end, event.valueStart),
  };
}

/** The events do not say where a flow collection ends: behind its last entry stand only blanks, commas and comments. */
function flowEnd(source: string, from: number, closer: string): number {
  for (let place = from; place < source.length; place++) {
    if (source[place] === closer) return place + 1;
    if (source[place] === "#" && /\s/.test(source[place - 1] ?? "")) place = contentEnd(source, place) - 1;
  }
  return source.length;
}

function inlineEntry(key: ScalarNode, value: YamlNode): Entry {
  return { key: key.text, keyStart: key.start, keyEnd: key.end, value, start: key.start, end: value.end };
}

function entryOf(key: ScalarNode, value: YamlNode, source: string, base: number): Entry {
  const start = base + lineStart(source, key.start - base);
  const end = base + nextLine(source, Math.max(key.end, value.end) - base);
  return { key: key.text, keyStart: key.start, keyEnd: key.end, value, start, end };
}
