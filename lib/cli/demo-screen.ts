import { clipColumns, columnsOf, padColumns } from "../core/columns.ts";
import { counted, oneLine } from "../core/text.ts";
import type { DemoReader, DemoReport, DemoSearch } from "../library/demo/report.ts";

const COLUMNS = 80;
const LABEL = 22;
const BAR = 18;
const PAIRS = 3;

/** What a person is told of a code. */
const REASONS: Readonly<Record<string, string>> = Object.freeze({
  FIELD_UNKNOWN: "other keys",
  FIELD_TOO_LONG: "too long",
  FIELD_MISSING: "no description",
  FIELD_TYPE: "no text",
  YAML_INVALID: "no valid YAML",
  YAML_FLOW: "lists in brackets",
  YAML_DUPLICATE_KEY: "a key twice",
  TAB_AS_INDENT: "tabs",
  METADATA_NOT_TEXT: "metadata not text",
  NAME_MISMATCH: "folder's name",
  NAME_NOT_KEBAB: "name form",
  NAME_DERIVED: "no name",
  DESCRIPTION_BRACKETS: "< or >",
  FRONTMATTER_MISSING: "no frontmatter",
  FILE_NAME_CASE: "not SKILL.md",
  SKILL_FOLDER_LINK: "links",
});

/** The report as lines of at most 80 columns. */
export function demoScreen(report: DemoReport): string[] {
  const { searches, next, indexMs, ms } = report;
  const widest = Math.max(...next.map(({ command }) => columnsOf(command)));
  return [
    ...found(report),
    "",
    `  ${padColumns("", LABEL)}${"finds".padStart(7)}${"refuses".padStart(9)}`,
    ...report.readers.map(refusal),
    "",
    "Room for names and descriptions in a prompt of 200,000 tokens",
    ...report.readers.flatMap(room),
    ...twins(report),
    "",
    `Three searches (index built in ${indexMs} ms)`,
    ...searches.flatMap(answer),
    "",
    "Next",
    ...next.map(({ command, says }) => `  ${padColumns(command, widest)}   ${says}`),
    "",
    `Done in ${(ms / 1_000).toFixed(1)} s. Nothing was changed: the index stood in a temporary folder.`,
  ].map((text) => clipColumns(text, COLUMNS));
}

function found({ source, skills, copies, folders }: DemoReport): string[] {
  if (source === "demo")
    return [`No host has skills here, so these are ${skills} of Canonry's own (fixtures/demo).`];
  const aside = copies === 0 ? "" : ` (and ${counted(copies, "copy", "copies")} of some of them)`;
  return [
    `${counted(skills, "skill")} in ${counted(folders.length, "folder")}${aside}`,
    ...folders.map(shelf),
  ];
}

function shelf({ shown, skills, unreadable }: DemoReport["folders"][number]): string {
  const bad = unreadable === 0 ? "" : `${String(unreadable).padStart(9)} unreadable`;
  return `  ${padColumns(clipColumns(shown, LABEL + 1), LABEL)}${String(skills).padStart(7)}${bad}`;
}

function refusal({ title, skills, refused, reasons }: DemoReader): string {
  const why = reasons.slice(0, 2).map(({ code, skills: count }) => `${REASONS[code] ?? code} (${count})`);
  const more = reasons.length > 2 ? ", …" : "";
  return `  ${padColumns(title, LABEL)}${String(skills).padStart(7)}${String(refused).padStart(9)}   ${why.join(", ")}${more}`;
}

function room({ title, listing }: DemoReader): string[] {
  if (listing === null) return [];
  const { chars, budget } = listing;
  const share = chars / budget;
  const full = Math.min(BAR, Math.round(share * BAR));
  const bar = "█".repeat(full) + "░".repeat(BAR - full);
  const [used, most] = [chars, budget].map((one) => one.toLocaleString("en-US"));
  const times = share < 10 ? `${Math.round(share * 100)} %` : `${Math.round(share)} ×`;
  const unit = chars < 1_000_000 ? " chars" : "";
  const said = `${used} of ${most}${unit}${share > 1 ? ", cut" : ""}`;
  return [`  ${padColumns(title, LABEL)}${bar}${times.padStart(7)}   ${said}`];
}

function twins({ alike }: DemoReport): string[] {
  if (alike.length === 0) return ["", "Nearly the same text: none"];
  const pairs = alike.slice(0, PAIRS).map(({ a, b, likeness }) => {
    const names = a === b ? `${oneLine(a)}: two texts under one name` : `${oneLine(a)} ~ ${oneLine(b)}`;
    return `  ${padColumns(clipColumns(names, 66), 67)}${`${Math.round(likeness * 100)} %`.padStart(6)}`;
  });
  const more = alike.length > PAIRS ? [`  and ${counted(alike.length - PAIRS, "pair")} more`] : [];
  return ["", "Nearly the same text", ...pairs, ...more];
}

function answer({ query, ms, hits }: DemoSearch): string[] {
  const [best, ...others] = hits;
  const head = `  ${padColumns(clipColumns(`"${oneLine(query)}"`, 62), 64)}${`${ms.toFixed(1)} ms`.padStart(10)}`;
  if (best === undefined) return [head, "    nothing"];
  const rest = others.map(({ name }) => oneLine(name)).join(", ");
  const lines = [head, `    ${oneLine(best.name)}: ${oneLine(best.description)}`];
  return rest === "" ? lines : [...lines, `    then ${rest}`];
}
