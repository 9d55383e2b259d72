import { clip, oneLine } from "../core/text.ts";
import { isIsoTime, ORIGINS, SCOPES } from "../schema/skill.ts";
import type { Value } from "./frontmatter/render.ts";
import { isNull, type YamlNode } from "./frontmatter/tree.ts";

export type LeafValue = string | number | boolean | null | readonly string[] | undefined;

/** The kinds of value that frontmatter keys of ours have. */
export type LeafType =
  | "text"
  | "texts"
  | "version"
  | "count"
  | "money"
  | "wave"
  | "time"
  | "flag"
  | "scope"
  | "origin";

/** What a value was read as; `odd` says how it differs from what its key allows. */
export interface Reading {
  readonly value: LeafValue;
  readonly odd?: string;
}

/** Reads a value leniently (B29, B106): `source` is the whole text, for entries that YAML took for maps. */
export function readLeaf(type: LeafType, node: YamlNode, source: string): Reading {
  if (type === "texts") return readTexts(node, source);
  if (node.kind === "broken") return { value: undefined };
  if (node.kind !== "scalar") return odd(undefined, `is a ${node.kind}; ${EXPECTED[type]} is needed`);
  if (isNull(node)) return type === "text" || type === "flag" ? { value: undefined } : { value: null };
  return readScalar(type, node.text);
}

const EXPECTED: Readonly<Record<Exclude<LeafType, "texts">, string>> = Object.freeze({
  text: "text",
  version: "a whole number from 1",
  count: "a whole number from 0",
  money: "a number",
  wave: "a whole number",
  time: "an ISO 8601 time",
  flag: "true or false",
  scope: SCOPES.join(", "),
  origin: ORIGINS.join(", "),
});

function readScalar(type: Exclude<LeafType, "texts">, text: string): Reading {
  const value = CONVERT[type](text.trim());
  if (value !== undefined) return { value: type === "text" ? text : value };
  return odd(undefined, `is ${JSON.stringify(clip(oneLine(text), 40))}; ${EXPECTED[type]} is needed`);
}

const CONVERT: Readonly<Record<Exclude<LeafType, "texts">, (text: string) => LeafValue>> = Object.freeze({
  text: (text) => text,
  version: (text) => (/^[1-9]\d*$/.test(text) ? safe(text) : undefined),
  count: (text) => (/^\d+$/.test(text) ? safe(text) : undefined),
  money: (text) => (/^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : undefined),
  wave: (text) => (/^-?\d+$/.test(text) ? safe(text) : undefined),
  time: (text) => (isIsoTime(text) ? text : undefined),
  flag: (text) =>
    /^(?:true|yes|on)$/i.test(text) ? true : /^(?:false|no|off)$/i.test(text) ? false : undefined,
  scope: (text) => SCOPES.find((one) => one === text),
  origin: (text) => ORIGINS.find((one) => one === text),
});

function safe(digits: string): number | undefined {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : undefined;
}

function readTexts(node: YamlNode, source: string): Reading {
  if (node.kind === "broken") return { value: undefined };
  if (node.kind === "map") return odd(undefined, "is a map; a list is needed");
  if (node.kind === "scalar") {
    if (isNull(node)) return { value: [] };
    const parts = commaParts(node.text);
    return odd(parts, `is text; read as the list ${clip(JSON.stringify(parts), 80)}`);
  }
  const texts = node.items.map((one) => entryText(one, source));
  const kept = texts.filter((one) => one !== undefined);
  if (kept.length === texts.length) return { value: kept };
  return odd(kept, `has ${texts.length - kept.length} entries that are no text; they were passed over`);
}

export function commaParts(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** YAML takes `- note: this` for a map; in a list of texts its source is what was meant. */
function entryText(node: YamlNode, source: string): string | undefined {
  if (node.kind === "scalar") return node.text;
  if (node.kind !== "map" || node.flow || node.entries.size !== 1) return undefined;
  const [inner] = node.entries.values();
  return inner?.value.kind === "scalar" && inner.value.style !== "block"
    ? oneLine(source.slice(node.start, node.end))
    : undefined;
}

function odd(value: LeafValue, words: string): Reading {
  return { value, odd: words };
}

/** A value of `metadata`, where everything is text and lists are JSON text (design 8). */
export function readPortableLeaf(type: LeafType, node: YamlNode, source: string): Reading {
  if (type !== "texts" || node.kind !== "scalar") return readLeaf(type, node, source);
  try {
    const parsed: unknown = JSON.parse(node.text);
    if (Array.isArray(parsed) && parsed.every((one) => typeof one === "string")) return { value: parsed };
  } catch {
    // not JSON: read as text with commas
  }
  return readLeaf(type, node, source);
}

/** The value as frontmatter of the canon form has it. */
export function nativeValue(value: LeafValue): Value | undefined {
  return value;
}

/** The value as a quoted string; lists become JSON text. */
export function portableValue(value: LeafValue): Value | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? { json: value } : String(value);
}

export function sameValue(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
