import { oneLine } from "../../core/text.ts";

/** Asked of the skills that come with Canonry: as people ask, not as the skills say it. */
export const DEMO_QUERIES: readonly string[] = Object.freeze([
  "a test passes when I run it again",
  "why did our AWS bill go up",
  "导出的 CSV 用 Excel 打开是乱码",
]);

const WHEN =
  /\b(?:when|whenever|if)\b:?\s+(?:the user\s+(?:asks?|wants?)\s+(?:to|for|about)\s+|you\s+(?:need|want)\s+to\s+)?([^,.;:()]{8,})/i;
const CHINESE_WHEN = /当([^，。；]{4,40}?)(?:时|，|。)/u;
const WORDS = 7;
/** Words that no question ends with. */
const LOOSE: ReadonlySet<string> = new Set(
  "a an the of for to in on at by with from and or that which as into is are your their its".split(" "),
);
const COUNT = 3;

/**
 * Three questions made from a person's own skills, spread over them: what a description says after "when", else its
 * first words. The same skills give the same questions.
 */
export function queriesFrom(
  skills: readonly { readonly name: string; readonly description: string }[],
): string[] {
  const sorted = [...skills].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const asked = sorted.map(({ description }) => queryFrom(oneLine(description)));
  const telling = asked.filter((query) => query.fromWhen);
  const pool = telling.length >= COUNT ? telling : asked;
  const chosen = Array.from(
    { length: COUNT },
    (_, at) => pool[Math.floor(((2 * at + 1) * pool.length) / (2 * COUNT))]?.text ?? "",
  );
  return [...new Set(chosen.filter((text) => text !== ""))];
}

function queryFrom(description: string): { text: string; fromWhen: boolean } {
  const found = WHEN.exec(description)?.[1] ?? CHINESE_WHEN.exec(description)?.[1];
  const all = (found ?? description.split(/[,.;:()]/)[0] ?? "").trim().split(" ").slice(0, WORDS);
  const words = all.slice(0, 1 + all.findLastIndex((word) => !LOOSE.has(word.toLowerCase())));
  return { text: words.join(" ").slice(0, 60), fromWhen: found !== undefined };
}
