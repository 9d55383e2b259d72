import { CanonryError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { byteLength } from "../core/text.ts";
import type { Reference } from "../schema/reference.ts";
import { createFindings } from "./findings.ts";
import type { Format } from "./format.ts";
import { topHeading } from "./heading.ts";
import { findInvisible } from "./invisible.ts";
import { outlineOf } from "./outline.ts";

const BOM = "\uFEFF";

function recordOf(body: string): Reference {
  const title = topHeading(body);
  return { ...(title === undefined || title === "" ? {} : { title }), body };
}

function assertWritable(record: Reference, text: string): void {
  const bytes = byteLength(text);
  const problems: string[] = [];
  if (bytes > LIMITS.referenceFileBytes)
    problems.push(`the file would be ${bytes} bytes, at most ${LIMITS.referenceFileBytes} are allowed`);
  if (record.body.includes("\0")) problems.push("body: holds a NUL character");
  const { title } = recordOf(record.body);
  if (record.title !== title) {
    problems.push(
      `title: is ${JSON.stringify(record.title ?? null)}, the first heading of the body is ${JSON.stringify(title ?? null)}; change the heading`,
    );
  }
  if (problems.length === 0) return;
  throw new CanonryError("CANONRY_INVALID_RECORD", `Cannot write the reference: ${problems.join("; ")}.`, {
    data: { problems, bytes },
  });
}

/** A Markdown file beside a skill, `references/*.md`: all body, at most 15,360 bytes (S1.9). */
const reference = Object.freeze<Format<Reference>>({
  name: "reference",
  parse(text, options) {
    const findings = createFindings(options.file, text);
    const start = text.startsWith(BOM) ? 1 : 0;
    const outline = () => outlineOf(text, start);
    const bytes = byteLength(text);
    if (bytes > LIMITS.referenceFileBytes) {
      findings.error(
        "FILE_TOO_LARGE",
        0,
        `The reference is ${bytes} bytes, at most ${LIMITS.referenceFileBytes} are allowed. Split it.`,
      );
      return { diagnostics: findings.list, outline };
    }
    if (text.slice(start).trim() === "") findings.warn("BODY_EMPTY", 0, "The reference has no text.");
    findInvisible(text, findings);
    return { record: recordOf(text.slice(start)), diagnostics: findings.list, outline };
  },
  serialise(record, previousText) {
    const text = (previousText?.startsWith(BOM) ? BOM : "") + record.body;
    if (text !== previousText) assertWritable(record, text);
    return text;
  },
});

export default reference;
