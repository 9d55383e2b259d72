import type { Heading, Outline } from "./format.ts";

interface Node {
  readonly type: string;
  readonly value?: string | undefined;
  readonly alt?: string | null | undefined;
  readonly depth?: number | undefined;
  readonly children?: readonly Node[] | undefined;
  readonly position?: { readonly start: Point; readonly end: Point } | undefined;
}

interface Point {
  readonly line: number;
  readonly offset?: number | undefined;
}

/** Constructs inside a paragraph: the outline needs none of them, and some cost the square of their length. */
const INLINE = [
  "attention",
  "autolink",
  "codeText",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
];
const CONTAINERS = 16;
const HEADING_CHARS = 1_000;

/**
 * The top-level headings of the Markdown from `bodyOffset` on, with places in the whole text (B38). A section
 * ends where the next heading of its depth or above begins. Loads the Markdown parser on first use.
 */
export async function outlineOf(text: string, bodyOffset: number): Promise<Outline> {
  const { blocks, words } = await loadParsers();
  const start = text[bodyOffset] === "\uFEFF" ? bodyOffset + 1 : bodyOffset;
  const found = (blocks(flattenContainers(text.slice(start))).children ?? []).filter(
    (node) => node.type === "heading",
  );
  const firstLine = text.slice(0, start).split(/\r\n?|\n/).length;
  const headings = found.map((node): Heading => {
    const place = start + (node.position?.start.offset ?? 0);
    const end = start + (node.position?.end.offset ?? 0);
    return {
      depth: node.depth ?? 1,
      text: headingText(node, text.slice(place, Math.min(end, place + HEADING_CHARS)), words),
      line: firstLine + (node.position?.start.line ?? 1) - 1,
      start: place,
      end,
      sectionEnd: text.length,
    };
  });
  return { headings: withEnds(headings) };
}

async function loadParsers(): Promise<{ blocks: (text: string) => Node; words: (text: string) => Node }> {
  const [{ remark }, { default: remarkGfm }, { default: remarkFrontmatter }] = await Promise.all([
    import("remark"),
    import("remark-gfm"),
    import("remark-frontmatter"),
  ]);
  const disabled = { disable: { null: INLINE } };
  // A second block at the start of the body is read as such, or its last key would pass for a heading (B33).
  const outer = remark().use(remarkFrontmatter).data("micromarkExtensions", [disabled]);
  const inner = remark().use(remarkGfm);
  return { blocks: (text) => outer.parse(text), words: (text) => inner.parse(text) };
}

/**
 * Quotes and lists in one another on one line, deeper than anybody writes, cost the square of their depth; they hold
 * no heading of ours. A rule (`- - -`) is no list.
 */
function flattenContainers(text: string): string {
  const container = "[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]))";
  const deep = new RegExp(
    `^(?! {0,3}([-*])(?:[ \\t]*\\1)+[ \\t]*$)((?:${container}){${CONTAINERS}})((?:${container})+)`,
    "gm",
  );
  return text.replace(deep, (_all, _rule, kept: string, rest: string) => kept + rest.replace(/[^ \t]/g, "x"));
}

/** What the heading says without its marks; a parse of its own only where there are any. */
function headingText(node: Node, source: string, words: (text: string) => Node): string {
  const plain = textOf(node).trim();
  return /[`*_[<~:@]|www\./.test(plain) ? textOf(words(source)).trim() : plain;
}

/** From the last heading back: each section ends where the next one of its depth or above begins. */
function withEnds(headings: readonly Heading[]): Heading[] {
  const nextStart = new Map<number, number>();
  const ended: Heading[] = [];
  for (const heading of headings.toReversed()) {
    const ends = [...nextStart].filter(([depth]) => depth <= heading.depth).map(([, start]) => start);
    ended.push({ ...heading, sectionEnd: Math.min(heading.sectionEnd, ...ends) });
    nextStart.set(heading.depth, heading.start);
  }
  return ended.reverse();
}

function textOf(node: Node): string {
  return node.value ?? node.alt ?? (node.children ?? []).map(textOf).join("");
}
