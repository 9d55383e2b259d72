import { LIMITS } from "../core/limits.ts";
import type { SkillRecord } from "../schema/skill.ts";
import type { Format, ParseOptions } from "./format.ts";
import type { Frontmatter } from "./frontmatter/tree.ts";
import { nativeValue, portableValue, sameValue } from "./leaves.ts";
import { outlineOf } from "./outline.ts";
import { type Leaf, RESERVED_METADATA } from "./skill-leaves.ts";
import {
  type Dialect,
  entryAt,
  type Path,
  type Place,
  readSkill,
  type SkillReading,
} from "./skill-reading.ts";
import { type Pen, writeSkill } from "./skill-writing.ts";

/** The place that the portable form itself has for a leaf: one of the six keys, or one below `metadata`. */
function homeOf(leaf: Leaf): Path | undefined {
  if (leaf.portable === undefined) return undefined;
  return leaf.portable.startsWith("canonry.") ? ["metadata", leaf.portable] : [leaf.portable];
}

/** Both dialects are read (design 8): the portable place first, then the canon key, then where else hosts have it. */
function findPlace(leaf: Leaf, block: Frontmatter): Place | undefined {
  const home = homeOf(leaf);
  for (const path of [home, leaf.canon, ...(leaf.also ?? [])]) {
    const entry = path === undefined ? undefined : entryAt(block, path);
    if (path !== undefined && entry !== undefined) return { path, entry, portable: path[0] === "metadata" };
  }
  return undefined;
}

function isOurs(leaf: Leaf, path: Path): boolean {
  const home = homeOf(leaf);
  return sameValue(path, home) || sameValue(path, leaf.canon) || path[0] === "disable-model-invocation";
}

const dialect = Object.freeze<Dialect>({
  frontmatterBytes: LIMITS.frontmatterBytes,
  reserved: RESERVED_METADATA,
  find: findPlace,
  minds: (leaf: Leaf, place: Place) => place.path[1] !== undefined && sameValue(place.path, homeOf(leaf)),
  inspect() {},
});

const pen = Object.freeze<Pen>({
  carries: (leaf: Leaf) => leaf.portable !== undefined,
  write(leaf, value, block) {
    const found = findPlace(leaf, block);
    const path = found !== undefined && isOurs(leaf, found.path) ? found.path : (homeOf(leaf) ?? leaf.canon);
    return { path, value: path[0] === "metadata" ? portableValue(value) : nativeValue(value) };
  },
  starts: (leaf, value) => leaf.field === "version" || !sameValue(value, leaf.absent),
  problems: () => [],
});

/** A SKILL.md with the frontmatter that it was read from, for those who judge how it is written. */
export function readPortable(text: string, options: ParseOptions): SkillReading {
  return readSkill(text, options, dialect);
}

/**
 * A SKILL.md as hosts have it: the six Agent Skills keys, ours as quoted strings below `metadata`; without telemetry,
 * last use and patch time, so that a digest that a host approved stays approved (design 8). Reads the canon form too.
 */
const portable = Object.freeze<Format<SkillRecord>>({
  name: "portable",
  parse(text, options) {
    const { record, bodyStart, diagnostics } = readPortable(text, options);
    return {
      ...(record === undefined ? {} : { record }),
      diagnostics,
      outline: () => outlineOf(text, bodyStart),
    };
  },
  serialise: (record, previousText) => writeSkill(record, previousText, dialect, pen),
});

export default portable;
