import { CanonryError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { isDeviceName } from "../core/names.ts";
import { byteLength, quoted } from "../core/text.ts";

/** Why a path is not a plain relative one (S5.5, B108), or undefined if it is. */
export function problemOfPath(path: string, options: { skillMd?: boolean } = {}): string | undefined {
  if (path === "") return "is empty";
  if (byteLength(path) > LIMITS.pathBytes)
    return `has ${byteLength(path)} bytes, at most ${LIMITS.pathBytes} are allowed`;
  if (!path.isWellFormed() || /\p{Cc}/u.test(path))
    return "holds a control character or half a surrogate pair";
  if (path.includes("\\")) return "holds a backslash; folders are separated by /";
  if (path.startsWith("/")) return "is absolute";
  if (path.includes(":")) return "holds a colon, which means a drive or a stream on Windows";
  for (const segment of path.split("/")) {
    if (segment === "") return "has an empty part";
    if (segment === "." || segment === "..") return `has the part ${segment}`;
    if (/[. ]$/.test(segment)) return "has a part that ends with a dot or a space";
    if (byteLength(segment) > 255) return "has a part longer than 255 bytes";
    if (isDeviceName(segment)) return `has the part ${segment}, a device name on Windows`;
  }
  if (options.skillMd === false && /^skill\.md$/i.test(path)) return "is SKILL.md itself";
  return undefined;
}

/** The path, if it is a plain relative one; else `CANONRY_INVALID_PATH`. `skillMd: false` refuses SKILL.md too (S5.5). */
export function assertRelativePath(path: string, options: { skillMd?: boolean } = {}): string {
  const problem = problemOfPath(path, options);
  if (problem === undefined) return path;
  throw invalidPath(path, problem, "Allowed is a path inside the folder, such as references/notes.md.");
}

/** A refusal that names the path, what is wrong with it, and what to do. */
export function invalidPath(path: string, problem: string, advice: string): CanonryError {
  return new CanonryError("CANONRY_INVALID_PATH", `The path ${quoted(path, 200)} ${problem}. ${advice}`, {
    data: { path, problem },
  });
}
