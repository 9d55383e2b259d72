import { clip, oneLine } from "../../core/text.ts";
import type { Findings } from "../findings.ts";
import { blockText, bracketEnd, foldLines, looseList, scalar, wordAt } from "./literal.ts";
import { type Chunk, cutKeys, isListLine, keyLine, type Line, linesOf, trimLines } from "./scan.ts";
import type { Entry, ScalarNode, YamlNode } from "./tree.ts";
import { type Refusal, readYaml } from "./yaml.ts";

/** More broken places than this and the block is no frontmatter at all. */
const BROKEN_PLACES = 100;
/** A longer value of a broken block is not tried as YAML once more: it is the text that it is. */
const VALUE_CHARS = 16_384;

export interface Recovery {
  readonly entries: ReadonlyMap<string, Entry>;
  /** The keys that strict YAML could not read. */
  readonly repaired: number;
  readonly refusal?: Refusal;
}

/**
 * A block that is not YAML as a whole, read key by key: what stands alone is parsed alone, and a value that is not
 * YAML is taken as the text that it is, with a warning that says so (C52, B24, B28, B35). Nothing throws.
 */
export function recoverBlock(text: string, start: number, end: number, findings: Findings): Recovery {
  const rescue = new Rescue(text, findings);
  const { chunks, stray } = cutKeys(text, linesOf(text, start, end), 0);
  const [first] = stray;
  if (chunks.length > 0 && first !== undefined) {
    findings.warn(
      "YAML_INVALID",
      first.start,
      `${stray.length} line(s) from here on belong to no key; they were passed over.`,
    );
  }
  const entries = rescue.map(chunks, 1);
  return {
    entries,
    repaired: rescue.repaired,
    ...(rescue.refusal === undefined ? {} : { refusal: rescue.refusal }),
  };
}

class Rescue {
  repaired = 0;
  refusal: Refusal | undefined;
  private readonly text: string;
  private readonly findings: Findings;

  constructor(text: string, findings: Findings) {
    this.text = text;
    this.findings = findings;
  }

  map(chunks: readonly Chunk[], depth: number): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    for (const chunk of chunks) {
      if (this.refusal !== undefined) break;
      if (entries.has(chunk.head.key)) {
        this.findings.warn("YAML_DUPLICATE_KEY", chunk.head.keyStart, duplicateMessage(chunk.head.key));
      } else entries.set(chunk.head.key, this.entry(chunk, depth));
    }
    return entries;
  }

  private entry(chunk: Chunk, depth: number): Entry {
    const { key, keyStart, keyEnd } = chunk.head;
    const lines = trimLines(this.text, chunk.lines);
    const last = lines.at(-1);
    const value = this.simple(chunk, lines) ?? this.strict(chunk, lines) ?? this.repair(chunk, lines, depth);
    return { key, keyStart, keyEnd, value, start: lines[0]?.start ?? keyStart, end: last?.next ?? value.end };
  }

  /** Most lines of a broken block are in order: `key: some words`. */
  private simple(chunk: Chunk, lines: readonly Line[]): YamlNode | undefined {
    const [line] = lines;
    const { keyEnd, valueStart } = chunk.head;
    if (lines.length !== 1 || line === undefined || !/:[ \t]/.test(this.text.slice(keyEnd, valueStart)))
      return undefined;
    return wordAt(this.text, valueStart, line.end);
  }

  private strict(chunk: Chunk, lines: readonly Line[]): YamlNode | undefined {
    const start = lines[0]?.start ?? 0;
    const end = lines.at(-1)?.next ?? start;
    const source = this.text.slice(start, end);
    const plain = this.single(source, start, chunk.head.key);
    const tabbed = lines.find(
      (line) => !line.blank && this.text.slice(line.start, line.start + line.indent).includes("\t"),
    );
    if (plain !== undefined) return plain;
    if (tabbed === undefined) return this.unfolded(chunk, lines, source);
    this.repaired++;
    this.findings.warn(
      "TAB_AS_INDENT",
      tabbed.start,
      "This line is indented with a tab, which YAML does not allow; it was read as a blank. Use blanks.",
    );
    const spaced = source.replace(/(?<=^|[\r\n])[ \t]+/g, (indent) => " ".repeat(indent.length));
    return this.single(spaced, start, chunk.head.key);
  }

  /** Brackets over several lines, some of them in the first column: the same on one line, at the same places. */
  private unfolded(chunk: Chunk, lines: readonly Line[], source: string): YamlNode | undefined {
    const { key, keyStart, valueStart } = chunk.head;
    if (lines.length === 1 || !/^[[{]/.test(this.text.charAt(valueStart))) return undefined;
    const node = this.single(source.replace(/[\r\n]/g, " "), lines[0]?.start ?? 0, key);
    if (node === undefined) return undefined;
    this.repaired++;
    this.findings.warn(
      "YAML_INVALID",
      keyStart,
      `${key} is not valid YAML: a line of it stands too far left; read as if it did not. Indent its lines.`,
    );
    return node;
  }

  private single(source: string, start: number, key: string): YamlNode | undefined {
    if (source.length > VALUE_CHARS) return undefined;
    const reading = readYaml(source, start);
    if (!reading.ok) {
      this.refusal ??= reading.refusal;
      return undefined;
    }
    if (reading.root?.kind !== "map" || reading.root.entries.size !== 1) return undefined;
    for (const one of reading.duplicates)
      this.findings.warn("YAML_DUPLICATE_KEY", one.at, duplicateMessage(one.key));
    return reading.root.entries.get(key)?.value;
  }

  private repair(chunk: Chunk, lines: readonly Line[], depth: number): YamlNode {
    const { key, valueStart } = chunk.head;
    const [first, ...below] = lines;
    const end = lines.at(-1)?.end ?? valueStart;
    if (first === undefined || this.refusal !== undefined) return { kind: "broken", start: valueStart, end };
    const rest = this.text.slice(valueStart, first.end).trim();
    if (rest === "" || rest.startsWith("#")) {
      const nested = this.nested(below, depth);
      if (nested !== undefined) return nested;
    }
    this.repaired++;
    const pieces = [rest, ...below.map((line) => this.text.slice(line.start, line.end))];
    if (/^[|>][-+\d]{0,2}(?:\s+#.*)?$/.test(rest))
      return this.taken(key, chunk, blockText(this.text, rest, below), end, "block");
    if (/^["']/.test(rest) && below.length > 0)
      return this.taken(key, chunk, this.quoted(pieces), end, "quoted");
    return (
      this.bracketed(chunk, foldLines(pieces), end) ?? this.taken(key, chunk, foldLines(pieces), end, "plain")
    );
  }

  /** A map or list below its key, of which one part is not YAML: the other parts stay what they are. */
  private nested(lines: readonly Line[], depth: number): YamlNode | undefined {
    const first = lines.find((line) => !line.blank && this.text[line.start + line.indent] !== "#");
    const last = lines.at(-1);
    if (first === undefined || last === undefined || depth >= 8) return undefined;
    if (isListLine(this.text, first)) return this.list(lines, first, last);
    if (first.indent === 0 || keyLine(this.text, first) === undefined) return undefined;
    const entries = this.map(cutKeys(this.text, lines, first.indent).chunks, depth + 1);
    return { kind: "map", entries, flow: false, start: first.start + first.indent, end: last.end };
  }

  private list(lines: readonly Line[], first: Line, last: Line): YamlNode {
    const groups: Line[][] = [];
    for (const line of lines) {
      if (line.indent === first.indent && isListLine(this.text, line)) groups.push([line]);
      else groups.at(-1)?.push(line);
    }
    const items: YamlNode[] = [];
    for (const group of groups) {
      if (this.refusal !== undefined) break;
      items.push(this.listEntry(trimLines(this.text, group)));
    }
    return { kind: "list", items, flow: false, start: first.start + first.indent, end: last.end };
  }

  private listEntry(lines: readonly Line[]): YamlNode {
    const start = lines[0]?.start ?? 0;
    const last = lines.at(-1);
    const from = start + (lines[0]?.indent ?? 0) + 1;
    const word =
      lines.length === 1 && this.text[from] === " "
        ? wordAt(this.text, from + 1, last?.end ?? from)
        : undefined;
    if (word !== undefined) return word;
    const reading = readYaml(this.text.slice(start, last?.next ?? start), start);
    if (reading.ok && reading.root?.kind === "list" && reading.root.items[0] !== undefined)
      return reading.root.items[0];
    if (!reading.ok) this.refusal ??= reading.refusal;
    this.repaired++;
    const value = foldLines([
      this.text.slice(from, lines[0]?.end),
      ...lines.slice(1).map((line) => this.text.slice(line.start, line.end)),
    ]);
    this.say("An entry of this list", from, value);
    return scalar(value, from, last?.end ?? from);
  }

  /** A quoted text whose later lines stand too far left: YAML's own reading of it once they are indented. */
  private quoted(pieces: readonly string[]): string {
    const reading = readYaml(pieces.join("\n "), 0);
    return reading.ok && reading.root?.kind === "scalar" ? reading.root.text : foldLines(pieces);
  }

  /** `[draft] parser` is text; `[x` is a list that somebody did not finish, and nobody can say what it was to hold. */
  private bracketed(chunk: Chunk, value: string, end: number): YamlNode | undefined {
    const { key, keyStart, valueStart } = chunk.head;
    if (!/^[[{]/.test(value)) return undefined;
    const closes = bracketEnd(value);
    if (closes === "inside") return undefined;
    if (closes === "end" && value.startsWith("[")) {
      const items = looseList(value).map((text) => scalar(text, valueStart, end));
      this.findings.warn(
        "YAML_INVALID",
        keyStart,
        `${key} is not valid YAML; read as the list ${JSON.stringify(items.map((one) => one.text)).slice(0, 80)}. Quote its entries.`,
      );
      return { kind: "list", items, flow: true, start: valueStart, end };
    }
    const why =
      closes === "never" ? "its bracket is never closed" : "what stands in its brackets is not YAML";
    this.findings.warn(
      "YAML_INVALID",
      keyStart,
      `${key} was passed over: ${why}. Close the bracket, or quote the value if it is text.`,
    );
    return { kind: "broken", start: valueStart, end };
  }

  private taken(key: string, chunk: Chunk, value: string, end: number, style: ScalarNode["style"]): YamlNode {
    this.say(key, chunk.head.keyStart, value);
    return { ...scalar(value, chunk.head.valueStart, end), style };
  }

  private say(what: string, at: number, value: string): void {
    if (this.repaired > BROKEN_PLACES) {
      const message = `More than ${BROKEN_PLACES} places are not valid YAML; the block was not read. Write it as keys with values.`;
      this.refusal ??= { code: "YAML_INVALID", at, message };
    }
    const shown = JSON.stringify(clip(oneLine(value.slice(0, 400)), 60));
    this.findings.warn(
      "YAML_INVALID",
      at,
      `${what} is not valid YAML; read as the text ${shown}. Put it in double quotes.`,
    );
  }
}

export function duplicateMessage(key: string): string {
  return `The key ${JSON.stringify(clip(oneLine(key), 40))} stands twice; the first one counts. Remove one.`;
}
