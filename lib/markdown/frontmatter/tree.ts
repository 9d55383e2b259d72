/** What a frontmatter block holds, every scalar as the text of its source (B29). Offsets are in the whole text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ScalarNode extends Span {
  readonly kind: "scalar";
  readonly text: string;
  /** `block` is a literal or folded scalar; its span covers the lines below the header only. */
  readonly style: "plain" | "quoted" | "block";
}

export interface ListNode extends Span {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
  readonly flow: boolean;
}

export interface MapNode extends Span {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, Entry>;
  readonly flow: boolean;
}

/** A value that could not be read; its key counts as absent, and an edit replaces it. */
export interface BrokenNode extends Span {
  readonly kind: "broken";
}

export type YamlNode = ScalarNode | ListNode | MapNode | BrokenNode;

export interface Entry {
  readonly key: string;
  readonly keyStart: number;
  /** After the key's own characters, its quotes included; the colon follows. */
  readonly keyEnd: number;
  readonly value: YamlNode;
  /** The whole lines of key and value, the last line break included. */
  readonly start: number;
  readonly end: number;
}

export interface Frontmatter {
  readonly entries: ReadonlyMap<string, Entry>;
  /** The block is one flow map, `{a: b}`: its keys have no lines of their own. */
  readonly flow: boolean;
  /** Whether a fence ends the block; where none does, an edit adds it. */
  readonly closed: boolean;
  /** The lines between the fences. */
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
}

/** Whether the value says "nothing": `key:`, `key: null` or `key: ~`. */
export function isNull(node: YamlNode): boolean {
  return node.kind === "scalar" && node.style === "plain" && /^(?:|~|null|Null|NULL)$/.test(node.text);
}
