/**
 * The text of the first first-level heading, found without the Markdown parser: fences are stepped over. Good
 * enough for a title or a warning; edits by section take `outlineOf`.
 */
export function topHeading(body: string): string | undefined {
  let fence = "";
  let above = "";
  for (const line of body.split(/\r\n?|\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (fence !== "") {
      if (mark.startsWith(fence) && line.trim() === mark) fence = "";
      continue;
    }
    if (mark !== "") fence = mark;
    const heading = /^ {0,3}#(?:[ \t]+(.*))?$/.exec(line);
    if (heading !== null) return (heading[1] ?? "").replace(/[ \t]+#+[ \t]*$/, "").trim();
    if (/^ {0,3}=+[ \t]*$/.test(line) && above !== "") return above;
    above = mark === "" && !/^(?: {4}|\t|[ ]{0,3}[>#*+-])/.test(line) ? line.trim() : "";
  }
  return undefined;
}
