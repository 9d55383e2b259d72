import { LIMITS } from "../core/limits.ts";
import { isDisplayName, isSkillName, slugOf } from "../core/names.ts";
import { byteLength, clip, oneLine } from "../core/text.ts";
import type { Findings } from "./findings.ts";
import type { ParseOptions } from "./format.ts";
import { type Entry, isNull } from "./frontmatter/tree.ts";

const LONG_CHARS = 1_000;

/**
 * The skill's name: as written where it can be shown and typed, else the folder's or file's with a warning (B29,
 * B68, B106). Undefined, with an error, where neither gives one. `at` is where the block begins.
 */
export function readName(
  entry: Entry | undefined,
  options: ParseOptions,
  at: number,
  findings: Findings,
): string | undefined {
  const written = entry?.value.kind === "scalar" ? shown(entry.value.text) : "";
  const place = entry?.keyStart ?? at;
  const isNothing = entry === undefined || (isNull(entry.value) && written.toLowerCase() !== "null");
  if (!isNothing && isDisplayName(written)) {
    warnAbout(written, entry, findings);
    return written;
  }
  if (entry !== undefined && entry.value.kind !== "scalar" && entry.value.kind !== "broken") {
    findings.error("FIELD_TYPE", place, `The name is a ${entry.value.kind}; text is needed. Write one name.`);
    return undefined;
  }
  const derived = displayName(options.fallbackName ?? nameFromFile(options.file));
  if (derived === undefined) {
    findings.error(
      "FIELD_MISSING",
      place,
      "The skill has no name, and none can be made from its file. Give it a name.",
    );
    return undefined;
  }
  const size = byteLength(written);
  if (size > LIMITS.nameBytes)
    findings.warn(
      "FIELD_TOO_LONG",
      place,
      `The name is ${size} bytes, at most ${LIMITS.nameBytes} are allowed. Shorten it.`,
    );
  findings.warn(
    "NAME_DERIVED",
    place,
    `${reasonOf(entry, isNothing)}; ${JSON.stringify(derived)} stands in. Write a name.`,
  );
  return derived;
}

/** On one line, unless it is too long to be a name in any case: then it costs nothing. */
function shown(text: string): string {
  return text.length > LONG_CHARS ? text : oneLine(text.normalize("NFC"));
}

function reasonOf(entry: Entry | undefined, isNothing: boolean): string {
  if (isNothing || entry === undefined) return "The file gives no name";
  if (entry.value.kind !== "scalar") return "The name is not readable";
  return `The name ${JSON.stringify(clip(oneLine(entry.value.text.slice(0, LONG_CHARS)), 40))} cannot be shown or typed as it is`;
}

function warnAbout(name: string, entry: Entry, findings: Findings): void {
  if (isNull(entry.value)) {
    findings.warn(
      "FIELD_TYPE",
      entry.keyStart,
      `The name is read as the text ${JSON.stringify(name)}; other programs read nothing there. Put it in quotes.`,
    );
  }
  if (isSkillName(name)) return;
  const slug = slugOf(name);
  const advice = slug === undefined ? "" : ` ${JSON.stringify(slug)} would be.`;
  findings.warn(
    "NAME_NOT_KEBAB",
    entry.keyStart,
    `The name ${JSON.stringify(name)} is not lower-case words joined by hyphens; hosts may refuse it.${advice}`,
  );
}

function displayName(text: string): string | undefined {
  const line = shown(text);
  return isDisplayName(line) ? line : slugOf(text);
}

/** `x/SKILL.md` is called x, `canon/x.md` too. */
function nameFromFile(file: string): string {
  const [base = "", folder = ""] = file.split(/[\\/]/).reverse();
  return /^skill\.md$/i.test(base) ? folder : base.replace(/\.(?:md|markdown)$/i, "");
}
