import { CanonryError } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { byteLength, clip, oneLine } from "./text.ts";

/** Device names that Windows keeps for itself: a canon with such a file could not be checked out there (B108). */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The one rule for names that Canonry writes: kebab-case ASCII, 1 to 64 bytes, not a device name (S5.1, B108). */
export function isSkillName(name: string): boolean {
  return name.length <= LIMITS.nameBytes && KEBAB.test(name) && !RESERVED.test(name);
}

/** The name, if it is one that Canonry writes; else `CANONRY_INVALID_NAME` with the nearest valid one (B108). */
export function assertSkillName(name: string): string {
  if (isSkillName(name)) return name;
  const suggested = slugOf(name);
  const advice = suggested === undefined ? "" : ` Try ${suggested}.`;
  throw new CanonryError(
    "CANONRY_INVALID_NAME",
    `${JSON.stringify(clip(oneLine(name), 80))} is not a skill name. Allowed: lower-case letters and digits, joined by single hyphens, at most ${LIMITS.nameBytes} bytes, no device name of Windows.${advice}`,
    { data: { received: name, suggested: suggested ?? null } },
  );
}

/** Whether Windows takes a file name for a device, whatever its extension and case: `nul.md`, `COM1`, `con .txt`. */
export function isDeviceName(fileName: string): boolean {
  const stem = fileName.replace(/\..*$/s, "").trimEnd().toLowerCase();
  return RESERVED.test(stem) || /^(?:com|lpt)[¹²³]$|^con(?:in|out)\$$/.test(stem);
}

/** A valid name made from any text, or undefined where nothing usable is left. */
export function slugOf(text: string): string | undefined {
  const slug = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LIMITS.nameBytes)
    .replace(/^-+|-+$/g, "");
  if (slug === "") return undefined;
  return RESERVED.test(slug) ? `${slug}-skill` : slug;
}

/** What lookups compare: NFC and lower case, so that composed and decomposed forms meet (B107). */
export function nameKey(name: string): string {
  return name.normalize("NFC").toLowerCase().normalize("NFC");
}

/**
 * Whether a name found in somebody's file can be shown and typed as it stands: one line, no back-tick, at most
 * 64 UTF-8 bytes or, for names in other scripts, 64 characters. It need not be one that Canonry would write.
 */
export function isDisplayName(name: string): boolean {
  if (name === "" || name.length > 2 * LIMITS.nameBytes || name !== oneLine(name) || /[`/\\]/.test(name))
    return false;
  return byteLength(name) <= LIMITS.nameBytes || [...name].length <= LIMITS.nameBytes;
}
