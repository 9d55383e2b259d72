import { type Chance, createChance } from "../support/chance.ts";
import { NAUGHTY } from "./naughty.ts";

/** A query of chance: the same for the same seed. */
export interface OddQuery {
  readonly seed: number;
  readonly kind: string;
  readonly text: string;
}

type Some = readonly string[];

const pick = (chance: Chance, parts: Some): string => parts[chance.upTo(parts.length)] ?? "";

/** Words that the library of the fault harness holds, so that odd queries find something too. */
export const HELD: Some =
  "deploy rollback kettle copper index merge branch flaky retry cache token budget release notes invoice pdf csv parser schema 部署 回滚 テスト 検索 пример тест".split(
    " ",
  );
const SMALL: Some = ["the", "of", "and", "to", "what", "is", "how", "do", "I", "it", "please", "的", "这个"];
const OPERATORS: Some = [
  ...["AND", "OR", "NOT", "NEAR", "NEAR(", "NEAR/3", "MATCH", "^", "*", ":", "(", ")", "+", "-", "{", "}"],
  ...["name:", "- description :", "{name body} :", '"', '""', ", 5)", "rank", "skills_fts"],
];
const QUOTES: Some = ['"', "'", "`", "”", "“", "‘", "«", "»", "「", "」", '\\"', '"""', "''"];
const CONTROLS: Some = [
  "\0",
  "\u0001",
  "\u0008",
  "\u001b[2J",
  "\u001b]0;x\u0007",
  "\u007f",
  "\u0085",
  "\r\n",
];
const UNSEEN: Some = ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u{e0041}", "\u2028", "\ufe0f"];
const TURNING: Some = ["\u202e", "\u202d", "\u2066", "\u2069", "\u200f", "שלום", "مرحبا", "עברית", "اختبار"];
const HALVES: Some = ["\ud800", "\udfff", "\ud83d", "\ude80", "\udbff\udbff", "x\ud800y", "\udc00\ud800"];
const MARKS: Some = ["\u0301", "\u0351", "\u036b", "\u0489", "\u20dd", "\u0e49", "\u034f", "\u3099"];
const PICTURES: Some = ["👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇩🇪", "1️⃣", "👍🏽", "❤️‍🔥", "🧑‍🚀", "😀"];
const WIDE: Some = ["ｄｅｐｌｏｙ", "ＡＮＤ", "（", "）", "＊", "１２３", "ﾃｽﾄ", "①", "㍍", "ﬁ", "Ⅷ", "½"];
const LETTERS: Some = ["部", "署", "テ", "ス", "한", "국", "ж", "я", "ß", "ı", "İ", "ǆ", "ա", "ก", "अ", "Ω"];
const SQL: Some = [
  ...["' OR 1=1 --", "'; DROP TABLE skills; --", "1; ATTACH DATABASE 'x' AS y", "UNION SELECT * FROM state"],
  ...["?1", ":a", "@a", "$a", "%", "_", "GLOB '*'", "/* x */", "PRAGMA user_version", "x'00'", "LIKE '%a%'"],
];
const EXPRESSIONS: Some = [
  ...[
    "(a+)+$",
    "(a|aa)+",
    "([a-z]+)*b",
    "^(.*)*$",
    "(?=(a+))\\1",
    "[",
    "a{1,99999}",
    "(?<x>",
    "\\",
    "\\p{L}",
  ],
  ...["(x+x+)+y", ".*.*.*.*=", "(?:", "[^]*", "a**", "+*?"],
];
const PATHS: Some = [
  ...[
    "../../etc/passwd",
    "C:\\Windows\\nul",
    "\\\\?\\UNC\\x",
    "/dev/zero",
    "~/.ssh/id",
    "file:///x",
    "a//b/./c",
  ],
  ...[
    "https://user:pw@example.org:80/p?q=1#f",
    "https://例え.テスト/検索",
    "lib/core/terms.ts:12:3",
    "node.js",
    "a/b",
  ],
];
const NUMBERS: Some = [
  "0",
  "-1",
  "1e999",
  "NaN",
  "0x1F",
  "1_000",
  "٣",
  "3.14159",
  "9007199254740993",
  "1/0",
  "--5",
];
const SIGNS: Some = [..."!#$%&()*+,-./:;<=>?@[\\]^_`{|}~¿…—·、。〈〉※☃±€"];

type Make = (chance: Chance) => string;

/** Up to `most` of these, with or without spaces between. */
function some(chance: Chance, parts: Some, most: number): string {
  const gap = pick(chance, [" ", " ", "", "\t", "\n"]);
  return Array.from({ length: 1 + chance.upTo(most) }, () => pick(chance, parts)).join(gap);
}

const mixed =
  (parts: Some, most = 12): Make =>
  (chance) =>
    some(chance, [...parts, pick(chance, HELD), pick(chance, HELD)], most);

const repeated =
  (parts: Some, chars: number): Make =>
  (chance) => {
    const part = `${pick(chance, parts)}${pick(chance, ["", " ", "'", "-"])}`;
    return part.repeat(Math.ceil(chars / part.length));
  };

/** One letter of a held word dropped, doubled or exchanged: what "did you mean" looks at. */
const slipped: Make = (chance) =>
  Array.from({ length: 1 + chance.upTo(4) }, () => {
    const word = pick(chance, HELD);
    const at = chance.upTo(word.length);
    return word.slice(0, at) + pick(chance, ["", "x", "zz", word.charAt(at)]) + word.slice(at + 1);
  }).join(pick(chance, [" ", "-", "_"]));

const KINDS: Readonly<Record<string, Make>> = {
  listed: (chance) => pick(chance, NAUGHTY),
  "listed, several": (chance) => some(chance, NAUGHTY, 8),
  operators: mixed(OPERATORS),
  quotes: mixed(QUOTES),
  "control characters": mixed(CONTROLS),
  "unseen characters": mixed(UNSEEN),
  "right to left": mixed(TURNING),
  "halves of characters": mixed(HALVES),
  "piled marks": (chance) =>
    [...some(chance, HELD, 4)].map((char) => char + some(chance, MARKS, 9).replace(/\s/g, "")).join(""),
  pictures: mixed(PICTURES),
  "full width": mixed(WIDE),
  "mixed scripts": (chance) => some(chance, LETTERS, 60),
  "chinese, japanese, korean": (chance) =>
    Array.from({ length: 1 + chance.upTo(120) }, () =>
      String.fromCharCode(0x4e00 + chance.upTo(20_900)),
    ).join(""),
  sql: mixed(SQL, 6),
  "regular expressions": mixed(EXPRESSIONS, 6),
  "paths and addresses": mixed(PATHS, 6),
  numbers: mixed(NUMBERS),
  "signs alone": (chance) => some(chance, SIGNS, 40),
  "small words alone": (chance) => some(chance, SMALL, 12),
  slips: slipped,
  "any units": (chance) =>
    String.fromCharCode(...Array.from({ length: chance.upTo(80) }, () => chance.upTo(65_536))),
  "long words": (chance) => pick(chance, HELD).repeat(1 + chance.upTo(2_000)),
  "prompt of 4 KB": (chance) =>
    Array.from({ length: 600 }, () => pick(chance, [...HELD, ...SMALL])).join(" "),
};

/** Rare, since each costs as much as fifty others. */
const LARGE: Readonly<Record<string, Make>> = {
  "prompt of 64 KB": (chance) =>
    Array.from({ length: 9_000 }, () => `${pick(chance, HELD)}${chance.upTo(5_000)}`)
      .join(" ")
      .slice(0, 65_536),
  "64 KB of one thing": (chance) =>
    repeated([...OPERATORS, ...HALVES, ...MARKS, ...PICTURES, ...EXPRESSIONS, ...HELD], 65_536)(chance),
  "a megabyte": (chance) => repeated([...QUOTES, ...LETTERS, ...SIGNS, ...HELD], 1_000_000)(chance),
};

const NAMES = Object.keys(KINDS);
const LARGE_NAMES = Object.keys(LARGE);
const ONE_LARGE_IN = 200;

export function oddQuery(seed: number): OddQuery {
  const chance = createChance(seed);
  const isLarge = chance.oneIn(ONE_LARGE_IN);
  const kind = pick(chance, isLarge ? LARGE_NAMES : NAMES);
  const make = (isLarge ? LARGE : KINDS)[kind];
  return { seed, kind, text: make === undefined ? "" : make(chance) };
}
