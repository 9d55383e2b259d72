/** One line of a ledger as it stands in the file, and where it begins and ends. */
export interface RawLine {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A ledger file taken apart byte by byte, without the code under test. */
export interface RawLedger {
  /** Whole, each with a line break of its own before it and one after it. */
  readonly lines: readonly RawLine[];
  /** All else: pieces of lines, and lines that lack one of their own breaks. */
  readonly odd: readonly RawLine[];
}

/** What a kill may do to a write: the kernel looks for one between two pages, and the file ends with the first. */
export const PAGE_BYTES = 4_096;

export function takeApart(bytes: Buffer): RawLedger {
  const lines: RawLine[] = [];
  const odd: RawLine[] = [];
  for (let at = 0; at < bytes.length; ) {
    const opened = bytes[at] === 10;
    const from = opened ? at + 1 : at;
    const found = bytes.indexOf(10, from);
    const to = found === -1 ? bytes.length : found;
    const line = { text: bytes.toString("utf8", from, to), from: at, to };
    const whole = isWhole(line.text);
    if (whole && opened && found !== -1) lines.push(line);
    else odd.push(line);
    // the break after a piece is the one that the next line brings with it
    at = whole && found !== -1 ? to + 1 : Math.max(to, at + 1);
  }
  return { lines, odd };
}

function isWhole(text: string): boolean {
  try {
    return text.startsWith("{") && JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

const HEAD = /^\{"id":"([0-9a-f-]{36})","ts":"[0-9T:.-]{23}Z",/;

/** The id of a line, if it is the one that `ledger-child.ts` writes for its nth event, from 0. */
function idOf(text: string, who: string, nth: number): string | undefined {
  const [head = "", id] = HEAD.exec(text) ?? [];
  const rest = `"run_id":"run-${who}-${nth}","wave":${nth},"agent":"${who}","fingerprint":"*","skill":"skill-${nth % 7}","version":null,"model":"","event":"hydrated","value":null,"notes":""}`;
  return text.slice(head.length) === rest ? id : undefined;
}

/**
 * What is wrong with the lines of one writer, in the order of the file, by the ids that it was told of in that order:
 * each of them once and exactly as written, and at most one more, that it was killed before it could tell of.
 */
export function writerFindings(who: string, told: readonly string[], lines: readonly string[]): string[] {
  const findings: string[] = [];
  const ids = lines.map((text, nth) => idOf(text, who, nth));
  const wrong = ids.findIndex((id, nth) => id === undefined || (nth < told.length && id !== told[nth]));
  if (wrong !== -1)
    findings.push(
      `line ${wrong} of ${who} is not the one that it wrote: ${(lines[wrong] ?? "").slice(0, 300)}`,
    );
  if (lines.length < told.length)
    findings.push(`${who} was told of ${told.length} events, and ${lines.length} stand in the ledger`);
  if (lines.length > told.length + 1)
    findings.push(`${who} was told of ${told.length} events only, and ${lines.length} stand in the ledger`);
  if (new Set(ids).size < ids.length) findings.push(`a line of ${who} stands twice`);
  return findings;
}
