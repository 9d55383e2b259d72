/**
 * Porter's stemmer (1980) as FTS5 has it, so that the ranking and the reference driver see the words that the full-text
 * engine sees: words under three letters stay, and non-ASCII letters count as consonants, one for each byte. The first
 * two letters of a word are always those of its stem.
 */
export function stem(word: string): string {
  if (word.length < 3 || word.length > 64) return word;
  return [
    plurals,
    pastTense,
    finalY,
    suffixes(DOUBLE, 0),
    suffixes(SINGLE, 0),
    suffixes(LAST, 1),
    tidy,
  ].reduce((rest, step) => step(rest), word);
}

/**
 * Consonants and vowels of a word, as "c" and "v"; a y after a consonant is a vowel. FTS5 goes by bytes: what is outside
 * of ASCII has several, so the "oß" of "große" is no vowel before one last consonant.
 */
function shape(word: string): string {
  let made = "";
  for (const letter of word) {
    const vowel = "aeiou".includes(letter) || (letter === "y" && made.endsWith("c"));
    made += vowel ? "v" : letter < "\u0080" ? "c" : "cc";
  }
  return made;
}

/** How often vowels are followed by consonants: Porter's m. */
function measure(word: string): number {
  return shape(word).match(/v+c+/g)?.length ?? 0;
}

function hasVowel(word: string): boolean {
  return shape(word).includes("v");
}

/** Consonant, vowel, consonant at the end, the last not w, x or y: Porter's *o. */
function endsShort(word: string): boolean {
  return shape(word).endsWith("cvc") && !/[wxy]$/.test(word);
}

function plurals(word: string): string {
  if (/(?:.sses|.ies)$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function pastTense(word: string): string {
  if (/.eed$/.test(word)) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = /.ed$/.test(word) ? 2 : /.ing$/.test(word) ? 3 : 0;
  const rest = word.slice(0, word.length - ending);
  if (ending === 0 || !hasVowel(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/([^aeioulsz\u0080-\uffff])\1$/.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest;
}

function finalY(word: string): string {
  return word.endsWith("y") && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

type Endings = readonly (readonly [ending: string, instead: string])[];

const table = (text: string): Endings =>
  text.split(/\s+/).map((entry) => {
    const [ending = "", instead = ""] = entry.split(":");
    return [ending, instead];
  });

const DOUBLE =
  table(`ational:ate tional:tion enci:ence anci:ance izer:ize logi:log bli:ble alli:al entli:ent eli:e ousli:ous
  ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble`);
const SINGLE = table("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:");
const LAST = table(
  "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: sion:s tion:t ou: ism: ate: iti: ous: ive: ize:",
);

/** The first ending of the table that fits is the only one that is tried; it goes where more than `over` is left. */
function suffixes(endings: Endings, over: number): (word: string) => string {
  return (word) => {
    const found = endings.find(([ending]) => word.length > ending.length && word.endsWith(ending));
    if (found === undefined) return word;
    const rest = word.slice(0, -found[0].length);
    return measure(`${rest}${over === 1 ? found[1] : ""}`) > over ? `${rest}${found[1]}` : word;
  };
}

function tidy(word: string): string {
  const bare = word.slice(0, -1);
  const m = measure(bare);
  const rest = word.endsWith("e") && (m > 1 || (m === 1 && !endsShort(bare))) ? bare : word;
  return rest.endsWith("ll") && measure(rest.slice(0, -1)) > 1 ? rest.slice(0, -1) : rest;
}
