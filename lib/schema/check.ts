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
  const problems = result.issues.map((issue) => `${v.getDotPath(issue) ?? "value"}: ${issue.message}`);
  throw new CanonryError(code, `Cannot accept ${what}: ${problems.join("; ")}.`, { data: { problems } });
}
