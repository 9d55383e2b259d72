/** Where a description begins to say what the skill is not for. */
const OPENINGS =
  /\b(?:not (?:for|intended|meant|suitable|to be used|applicable|when|if)|(?:do not|don['’]t|never|should not|shouldn['’]t) (?:use|trigger|invoke|activate|apply|load|run|call)|skip (?:this|it|if|when|for)|avoid (?:using|when|for|if)|exclud(?:es|ing)|instead of using)\b|(?:不适用于|不要用于|不要使用|不用于|请勿用于|请勿使用|不应使用|不适合)/giu;
/** Where it ends: with its sentence, a point inside a word (`package.json`) ends none. */
const END = /[.!?;](?=\s|$)|[。！？；\n]/u;

export interface Clauses {
  readonly positive: string;
  /** "" in most descriptions. */
  readonly negative: string;
}

/** Parts a description in what it says of its skill, and its "not for …", "do not use when …", "skip if …" clauses. */
export function splitNegative(description: string): Clauses {
  let [positive, negative] = ["", ""];
  let from = 0;
  for (const { index } of description.matchAll(OPENINGS)) {
    if (index < from) continue;
    const end = description.slice(index).search(END);
    const to = end === -1 ? description.length : index + end + 1;
    positive += `${description.slice(from, index)} `;
    negative += `${description.slice(index, to)} `;
    from = to;
  }
  return { positive: positive + description.slice(from), negative };
}
