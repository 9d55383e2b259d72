import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ROOT } from "./root.ts";

export interface Document {
  /** Below the project, forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Fence {
  readonly language: string;
  /** What follows the language: `run`, `output`. */
  readonly mark: string;
  readonly line: number;
  readonly text: string;
}

/** The Markdown that people read: at the top level, in docs/ and bench/. */
export function documents(): Document[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith(".md"));
  const below = ["docs", "bench"]
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter(
          (entry) =>
            entry.isFile() && entry.name.endsWith(".md") && !entry.parentPath.includes("node_modules"),
        )
        .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join("/")),
    );
  return [...top, ...below].sort().map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}

/** The text of all documents below docs/. */
export function docsText(): string {
  return documents()
    .filter((one) => one.path.startsWith("docs/"))
    .map((one) => one.text)
    .join("\n");
}

/** Fenced blocks with their info string in two parts: "```sh run" is `sh` and `run`. */
export function fencesOf(text: string): Fence[] {
  const found: Fence[] = [];
  let open: { fence: string; info: string; line: number; lines: string[] } | undefined;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const fence = /^(`{3,}|~{3,})(.*)$/.exec(line);
    if (open === undefined) {
      if (fence !== null)
        open = { fence: fence[1] ?? "", info: (fence[2] ?? "").trim(), line: at + 1, lines: [] };
    } else if (fence !== null && (fence[1] ?? "").startsWith(open.fence) && fence[2]?.trim() === "") {
      const [language = "", ...mark] = open.info.split(/\s+/);
      found.push({ language, mark: mark.join(" "), line: open.line, text: `${open.lines.join("\n")}\n` });
      open = undefined;
    } else open.lines.push(line);
  }
  return found;
}

function withoutFences(text: string): string {
  return text
    .replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\s*$/gm, "")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, " "));
}

/** The anchors that GitHub gives the headings of a document. */
export function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ""] of text
    .replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\s*$/gm, "")
    .matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
      .replace(/ /g, "-");
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    anchors.add(before === 0 ? slug : `${slug}-${before}`);
  }
  return anchors;
}

/** Links to files and headings that are not there: `path: target`. `textOf` answers with a file's text, if there is one. */
export function brokenLinks(one: Document, textOf: (path: string) => string | undefined): string[] {
  const links = [
    ...withoutFences(one.text).matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s*(\S+)/gm),
  ];
  return links
    .map((link) => link[1] ?? link[2] ?? "")
    .filter((target) => !/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(target))
    .filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file =
        path === "" ? one.path : join(dirname(one.path), decodeURIComponent(path)).split(sep).join("/");
      const text = path === "" ? one.text : textOf(file);
      return (
        text === undefined || (anchor !== undefined && file.endsWith(".md") && !anchorsOf(text).has(anchor))
      );
    })
    .map((target) => `${one.path}: ${target}`);
}
