import { createRegistry, type Registry } from "../core/registry.ts";
import type { Candidate } from "../schema/candidate.ts";
import type { Reference } from "../schema/reference.ts";
import type { SkillRecord } from "../schema/skill.ts";
import candidate from "./candidate.ts";
import canon from "./canon.ts";
import type { Format } from "./format.ts";
import portable from "./portable.ts";
import reference from "./reference.ts";

/** Every kind of file by its name. */
export interface Formats {
  readonly canon: Format<SkillRecord>;
  readonly portable: Format<SkillRecord>;
  readonly candidate: Format<Candidate>;
  readonly reference: Format<Reference>;
}

export const FORMATS: Formats = Object.freeze({ canon, portable, candidate, reference });

/** The same table for names that come from outside; an unknown one is `CANONRY_USAGE` with the nearest. */
export function formatRegistry(): Registry<Formats[keyof Formats]> {
  return createRegistry<Formats[keyof Formats]>("format", "CANONRY_USAGE", { ...FORMATS });
}
