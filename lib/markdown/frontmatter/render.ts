/** A value to write. Text is always double-quoted on one line: YAML 1.1 and 1.2 then read the same (B30). */
export type Value = string | number | boolean | null | readonly string[] | JsonText | RawText | ValueMap;

/** Structure inside a string, as the portable form has it: JSON text in single quotes. */
export interface JsonText {
  readonly json: unknown;
}

/** Source of a flow value, taken over as it stands. */
export interface RawText {
  readonly raw: string;
}

export interface ValueMap {
  readonly map: ReadonlyMap<string, Value>;
}

/** Words that a YAML 1.1 reader takes for something else than text, as a key as well as a value. */
const SPECIAL = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
// Everything that is not printable in YAML, ends a line in one of its versions, or hides from the reader.
const UNPRINTABLE =
  /[\u0000-\u001F\u007F-\u009F\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFFE\uFFFF\u{E0000}-\u{E007F}]/gu;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The text in double quotes, on one line. */
export function quote(text: string): string {
  const escaped = text.toWellFormed().replace(/["\\]/g, "\\$&");
  return `"${escaped.replace(UNPRINTABLE, (char) => SHORT[char] ?? escapeCode(char))}"`;
}

function escapeCode(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code <= 0xffff
    ? `\\u${code.toString(16).padStart(4, "0")}`
    : `\\U${code.toString(16).padStart(8, "0")}`;
}

/** JSON has no escape longer than \uXXXX, so characters beyond it are written as two. */
function renderJson(value: unknown): string {
  const json = JSON.stringify(value).replace(UNPRINTABLE, (char) =>
    Array.from(
      { length: char.length },
      (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
  return `'${json.replaceAll("'", "''")}'`;
}

export function renderKey(key: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(key) && !SPECIAL.test(key) ? key : quote(key);
}

/** The value on one line, as it may stand behind a colon or inside brackets. */
export function renderInline(value: Value): string {
  if (value === null) return "null";
  if (typeof value === "string") return quote(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (isList(value)) return `[${value.map(quote).join(", ")}]`;
  if ("json" in value) return renderJson(value.json);
  if ("raw" in value) return value.raw;
  return `{${[...value.map].map(([key, inner]) => `${renderKey(key)}: ${renderInline(inner)}`).join(", ")}}`;
}

/** `key: value` as whole lines; a map becomes an indented block. */
export function renderEntry(key: string, value: Value, indent: string, eol: string): string {
  if (
    typeof value !== "object" ||
    value === null ||
    isList(value) ||
    !("map" in value) ||
    value.map.size === 0
  ) {
    return `${indent}${renderKey(key)}: ${renderInline(value)}${eol}`;
  }
  const lines = [...value.map].map(([inner, one]) => renderEntry(inner, one, `${indent}  `, eol));
  return `${indent}${renderKey(key)}:${eol}${lines.join("")}`;
}

export function isList(value: Value): value is readonly string[] {
  return Array.isArray(value);
}
