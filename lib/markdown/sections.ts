import type { Outline } from "./format.ts";

/** What a canon body has below its first-level heading (S1.12). */
export const CANON_SECTIONS: readonly string[] = Object.freeze(["When to apply", "Steps", "Caveats"]);
/** What a candidate's body has (S1.3). */
export const CANDIDATE_SECTIONS: readonly string[] = Object.freeze([
  "When to apply",
  "Steps / approach",
  "Caveats",
]);

/**
 * The parts that the outline lacks, in order: "#" for a first-level heading, else the names of the sections.
 * Case and spacing do not count; "Steps" is met by "Steps / approach" too.
 */
export function missingSections(outline: Outline, wanted: readonly string[]): string[] {
  const present = outline.headings
    .filter((heading) => heading.depth > 1)
    .map((heading) => fold(heading.text));
  const missing = wanted.filter(
    (section) => !present.some((text) => text === fold(section) || text.startsWith(`${fold(section)} /`)),
  );
  return outline.headings[0]?.depth === 1 ? missing : ["#", ...missing];
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/\s*\/\s*/g, " / ")
    .trim();
}
