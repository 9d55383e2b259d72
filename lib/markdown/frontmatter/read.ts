import { LIMITS } from "../../core/limits.ts";
import { byteLength } from "../../core/text.ts";
import type { Findings } from "../findings.ts";
import { type Block, blockAt, openingAt, skipBlank } from "./fences.ts";
import { duplicateMessage, recoverBlock } from "./recover.ts";
import { cutKeys, isComment, isListLine, keyLine, type Line, linesOf } from "./scan.ts";
import type { Frontmatter } from "./tree.ts";
import { readYaml } from "./yaml.ts";

const LANGUAGES = new Set(["", "yaml", "yml"]);

/**
 * The frontmatter of a text, or undefined where an error among the findings says why there is none to use. Nothing
 * in it is run or expanded, whatever it says; a block larger than `maxBytes` UTF-8 bytes is not parsed at all.
 */
export function readFrontmatter(text: string, maxBytes: number, findings: Findings): Frontmatter | undefined {
  const opening = openingAt(text, text.startsWith("\uFEFF") ? 1 : 0);
  if (opening === undefined) {
    findings.error("FRONTMATTER_MISSING", 0, missingMessage(text));
    return undefined;
  }
  if (!LANGUAGES.has(opening.language)) {
    findings.error("FRONTMATTER_LANGUAGE", opening.start, languageMessage(opening.language));
    return undefined;
  }
  const found = blockAt(text, opening.next);
  const block = found.closed ? found : unclosedBlock(text, found, maxBytes, findings);
  if (block === undefined || isTooLarge(text, block, maxBytes, findings)) return undefined;
  if (linesOf(text, block.start, block.end).every((line) => line.blank || isComment(text, line))) {
    findings.error(
      "FRONTMATTER_EMPTY",
      opening.start,
      "The frontmatter block is empty. Give it a name and a description.",
    );
    return undefined;
  }
  const frontmatter = readBlock(text, block, findings);
  if (frontmatter !== undefined) lookForSecond(text, frontmatter.bodyStart, findings);
  return frontmatter;
}

function readBlock(text: string, block: Block, findings: Findings): Frontmatter | undefined {
  const reading = readYaml(text.slice(block.start, block.end), block.start);
  if (reading.ok && reading.root?.kind === "map") {
    for (const one of reading.duplicates)
      findings.warn("YAML_DUPLICATE_KEY", one.at, duplicateMessage(one.key));
    return { ...block, entries: reading.root.entries, flow: reading.root.flow };
  }
  if (!reading.ok && reading.refusal !== undefined) {
    findings.error(reading.refusal.code, reading.refusal.at, reading.refusal.message);
    return undefined;
  }
  const conflict = /^(?:<{7}|>{7}) /m.exec(text.slice(block.start, block.end));
  if (conflict !== null) {
    findings.error(
      "MERGE_CONFLICT",
      block.start + conflict.index,
      "Git could not merge the frontmatter and left both sides in it. Keep one of them and remove the lines of <, = and >.",
    );
    return undefined;
  }
  const kept = block.closed ? withoutBody(text, block, findings) : block;
  const recovery = recoverBlock(text, kept.start, kept.end, findings);
  if (recovery.refusal !== undefined) {
    findings.error(recovery.refusal.code, recovery.refusal.at, recovery.refusal.message);
    return undefined;
  }
  if (recovery.entries.size === 0) {
    findings.error(
      "FRONTMATTER_NOT_A_MAP",
      block.start,
      "The frontmatter has no line of the form `key: value`. Write a name and a description so.",
    );
    return undefined;
  }
  return { ...kept, entries: recovery.entries, flow: false };
}

/**
 * Without a closing fence the keys at the top are read, if text follows them; the text stays body (B32). Keys that go
 * on for longer than a block may are not looked through.
 */
function unclosedBlock(text: string, block: Block, maxBytes: number, findings: Findings): Block | undefined {
  let keys = 0;
  let gap: Line | undefined;
  const end = Math.min(block.end, block.start + maxBytes);
  for (const line of linesOf(text, block.start, end, LIMITS.frontmatterLines)) {
    if (keys > 0 && isGlued(text, line)) return unclosedAt(block, line.start, findings);
    const heading = /^#{1,6} /.test(text.slice(line.start, line.start + 7));
    if (keys > 0 && (heading || (gap !== undefined && isProse(text, line))))
      return unclosedAt(block, (gap ?? line).start, findings);
    if (!line.blank && line.indent === 0 && keyLine(text, line) !== undefined) keys++;
    gap = line.blank ? (gap ?? line) : undefined;
  }
  findings.error(
    "FRONTMATTER_UNCLOSED",
    block.start,
    "The frontmatter block is never closed. End it with a line of three hyphens.",
  );
  return undefined;
}

/**
 * A block that is closed only by a rule in the body: its text is not taken for keys (B32). It shows in text after a
 * blank line behind the last key, unless a heading right after the fence says that the body begins only there.
 */
function withoutBody(text: string, block: Block, findings: Findings): Block {
  const last = cutKeys(text, linesOf(text, block.start, block.end), 0).chunks.at(-1);
  if (last === undefined) return block;
  const bodyHasHeading = /^\s*#{1,6} /.test(text.slice(block.bodyStart, block.bodyStart + 200));
  let gap: Line | undefined;
  for (const line of last.lines.slice(last.quoted)) {
    if (isGlued(text, line)) return unclosedAt(block, line.start, findings);
    const heading = /^# /.test(text.slice(line.start, line.start + 2));
    if (gap !== undefined && (heading || (isProse(text, line) && !bodyHasHeading)))
      return unclosedAt(block, gap.start, findings);
    gap = line.blank ? (gap ?? line) : undefined;
  }
  return block;
}

/** `---# Title` and `------` are closing fences that something was glued to. */
function isGlued(text: string, line: Line): boolean {
  return text.startsWith("---", line.start);
}

function unclosedAt(block: Block, cut: number, findings: Findings): Block {
  const message =
    "The frontmatter block is not closed before the text begins here; the text was read as body. End the block with a line of three hyphens.";
  findings.warn("FRONTMATTER_UNCLOSED", cut, message);
  return { start: block.start, end: cut, bodyStart: cut, closed: false };
}

/** A line in the first column that is no key, list, comment or closing bracket. */
function isProse(text: string, line: Line): boolean {
  if (line.blank || line.indent > 0 || isComment(text, line) || isListLine(text, line)) return false;
  return !/^[\]}]/.test(text.charAt(line.start)) && keyLine(text, line) === undefined;
}

/** Both caps stand before any parsing: what is not parsed costs nothing. */
function isTooLarge(text: string, block: Block, maxBytes: number, findings: Findings): boolean {
  const length = block.end - block.start;
  const size = length > maxBytes ? length : byteLength(text.slice(block.start, block.end));
  const most = LIMITS.frontmatterLines;
  const lines = size > maxBytes ? 0 : linesOf(text, block.start, block.end, most + 1).length;
  if (size <= maxBytes && lines <= most) return false;
  const found = size > maxBytes ? `${size} bytes or more` : `more than ${most} lines`;
  const message = `The frontmatter is ${found}; at most ${maxBytes} bytes and ${most} lines are read. Move what is not a key to the body.`;
  findings.error("FRONTMATTER_TOO_LARGE", block.start, message);
  return true;
}

/** A writer that prepends instead of merging leaves two blocks (B33); a block of code is named as well (B105). */
function lookForSecond(text: string, bodyStart: number, findings: Findings): void {
  const at = skipBlank(text, bodyStart);
  const opening = openingAt(text, at);
  if (opening === undefined) return;
  if (!LANGUAGES.has(opening.language)) {
    findings.warn("FRONTMATTER_LANGUAGE", at, languageMessage(opening.language));
    return;
  }
  const [first] = linesOf(text, opening.next, Math.min(opening.next + 500, text.length));
  if (first === undefined || keyLine(text, first) === undefined || !blockAt(text, opening.next).closed)
    return;
  findings.warn(
    "FRONTMATTER_SECOND_BLOCK",
    at,
    "A second frontmatter block begins here; only the first one is read. Merge them into one.",
  );
}

/** Whether a body would be read as a second block of frontmatter: no writer of ours may make one (B33). */
export function beginsWithBlock(body: string): boolean {
  const opening = openingAt(body, skipBlank(body, 0));
  if (opening === undefined) return false;
  const [first] = linesOf(body, opening.next, Math.min(opening.next + 500, body.length));
  return first !== undefined && keyLine(body, first) !== undefined && blockAt(body, opening.next).closed;
}

function languageMessage(language: string): string {
  return `The fence names the language ${JSON.stringify(language.slice(0, 20))}; only YAML is read, and nothing is run. Write plain \`---\`.`;
}

function missingMessage(text: string): string {
  const line = /(?:^|[\r\n])---[ \t]*[\r\n]/.exec(text.slice(0, 2_000));
  const advice =
    "Begin the file with a line of three hyphens, the keys name and description, and another such line.";
  return line === null
    ? `The file does not begin with frontmatter. ${advice}`
    : `The frontmatter does not begin on the first line. ${advice}`;
}
