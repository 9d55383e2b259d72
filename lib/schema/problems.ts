import * as v from "valibot";

/** What is wrong with one field of a value: its dotted path and a sentence that begins with the field's fault. */
export interface Problem {
  readonly field: string;
  readonly message: string;
}

/** Everything that a schema has against a value; nothing where it accepts it. */
export function problemsOf(schema: v.GenericSchema, value: unknown): Problem[] {
  const result = v.safeParse(schema, value);
  if (result.success) return [];
  return result.issues.map((issue) => ({ field: v.getDotPath(issue) ?? "", message: issue.message }));
}
