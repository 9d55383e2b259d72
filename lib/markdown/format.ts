import type { Diagnostic } from "../schema/diagnostic.ts";

/** A heading of a body, as remark sees it: never one inside a fence, a quote or a list (B38). */
export interface Heading {
  /** 1 to 6. */
  readonly depth: number;
  readonly text: string;
  /** Line in the whole file, from 1. */
  readonly line: number;
  /** UTF-16 offsets in the whole text: the heading's own lines, and the end of its section. */
  readonly start: number;
  readonly end: number;
  readonly sectionEnd: number;
}

export interface Outline {
  readonly headings: readonly Heading[];
}

export interface ParseOptions {
  /** Name of the file for diagnostics, and where a name is derived from if the text gives none. */
  readonly file: string;
  /** What stands in for a missing name: the folder's or file's. */
  readonly fallbackName?: string;
  /** Largest frontmatter, UTF-8 bytes; default 65,536. */
  readonly frontmatterBytes?: number;
}

export interface Parsed<R> {
  /** Absent where an error diagnostic says why. */
  readonly record?: R;
  readonly diagnostics: readonly Diagnostic[];
  /** The headings of the body; loads the Markdown parser on first use. */
  outline(): Promise<Outline>;
}

/**
 * One kind of file. Laws (design 4), proven by the exported conformance suite:
 * `serialise(parse(t).record, t) === t`; an edit changes the lines of the changed fields only, so unknown keys,
 * comments, line endings and a byte order mark survive; parse∘serialise∘parse is parse; every diagnostic has
 * file, line, column and code; `parse` throws on nothing.
 */
export interface Format<R> {
  readonly name: string;
  parse(text: string, options: ParseOptions): Parsed<R>;
  /** Throws `CANONRY_INVALID_RECORD` on a record that the format does not allow to be written. */
  serialise(record: R, previousText?: string): string;
}
