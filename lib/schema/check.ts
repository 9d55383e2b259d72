import * as v from "valibot";
import { CanonryError, type ErrorCode } from "../core/errors.ts";

/**
 * The value, checked; or a `CanonryError` of `code` that names each wrong field, what it was and what is allowed.
 * `what` names the thing in the message ("the options of openLibrary").
 */
export function check<const S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  code: ErrorCode,
  what: string,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const problems = result.issues.map((issue) => problemOf(issue, schema));
  throw new CanonryError(code, `Cannot accept ${what}: ${problems.join("; ")}.`, { data: { problems } });
}

/** Where, what was received, and what is allowed there. */
function problemOf(issue: v.BaseIssue<unknown>, schema: v.GenericSchema): string {
  const at = v.getDotPath(issue) ?? "value";
  if (issue.type === "strict_object" && issue.expected === "never") {
    const allowed =
      "entries" in schema && typeof schema.entries === "object" && schema.entries !== null
        ? Object.keys(schema.entries)
        : [];
    return `unknown key ${JSON.stringify(at)}${allowed.length === 0 ? "" : ` (allowed: ${allowed.join(", ")})`}`;
  }
  return `${at}: ${issue.message.replace(/^Invalid type: /, "")}${/received/i.test(issue.message) ? "" : `; received ${issue.received}`}`;
}
