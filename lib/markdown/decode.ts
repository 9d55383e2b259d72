import { isUtf8 } from "node:buffer";
import type { Diagnostic } from "../schema/diagnostic.ts";
import { createFindings } from "./findings.ts";

export interface Decoded {
  /** The whole text, a byte order mark included; absent where an error says why. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

const WINDOW_BYTES = 64;

/**
 * Bytes of a file as text, strictly UTF-8 (B25, B103): bytes that are not, UTF-16 and NUL characters are errors
 * with their place, never replacement characters, so that nothing damaged can be saved back.
 */
export function decodeText(bytes: Uint8Array, file: string): Decoded {
  if (bytes.length === 0)
    return refused(file, "", 0, "FILE_EMPTY", "The file is empty. Write a skill into it, or remove it.");
  const wide = utf16Of(bytes);
  if (wide !== undefined) {
    return refused(file, "", 0, "FILE_UTF16", `The file is ${wide}. Save it as UTF-8; it was left as it is.`);
  }
  const bad = isUtf8(bytes) ? undefined : firstBadByte(bytes);
  if (bad !== undefined) {
    const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, bad));
    const byte = (bytes[bad] ?? 0).toString(16).padStart(2, "0");
    const message = `Byte ${bad} (0x${byte}) is not UTF-8. Save the file as UTF-8; it was left as it is.`;
    return refused(file, before, before.length, "FILE_NOT_UTF8", message);
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  const nul = text.indexOf("\0");
  if (nul === -1) return { text, diagnostics: [] };
  return refused(
    file,
    text,
    nul,
    "FILE_HAS_NUL",
    "The text holds a NUL character here. Remove it; the file was left as it is.",
  );
}

function refused(
  file: string,
  text: string,
  offset: number,
  code: "FILE_EMPTY" | "FILE_UTF16" | "FILE_NOT_UTF8" | "FILE_HAS_NUL",
  message: string,
): Decoded {
  const findings = createFindings(file, text);
  findings.error(code, offset, message);
  return { diagnostics: findings.list };
}

function utf16Of(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "UTF-16 (little endian)";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "UTF-16 (big endian)";
  return undefined;
}

/** The offset of the first byte that no UTF-8 text has there. */
function firstBadByte(bytes: Uint8Array): number {
  const { from, to } = badWindow(bytes);
  const window = bytes.subarray(from, to);
  let good = 0;
  let bad = window.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isUtf8Start(window.subarray(0, middle), false)) good = middle;
    else bad = middle;
  }
  return from + leadOf(window, good);
}

/** A few bytes that hold the first bad one, found by halves: what is known to be good is not looked at again. */
function badWindow(bytes: Uint8Array): { from: number; to: number } {
  let from = 0;
  let to = bytes.length;
  while (to - from > WINDOW_BYTES) {
    const middle = (from + to) >> 1;
    let cut = middle;
    while (cut > middle - 3 && isContinuation(bytes[cut])) cut--;
    // four in a row: no sequence has that many, so the bad one is among them or before
    if (isContinuation(bytes[cut])) to = middle + 1;
    else if (isUtf8(bytes.subarray(from, cut))) from = cut;
    else to = cut;
  }
  return { from, to };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** A sequence that turned out wrong, or was cut off, is reported where it begins. */
function leadOf(bytes: Uint8Array, at: number): number {
  for (let back = 0; back < 4 && at - back >= 0; back++) {
    if (isUtf8Start(bytes.subarray(0, at - back), true)) return at - back;
  }
  return at;
}

function isUtf8Start(bytes: Uint8Array, whole: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !whole });
    return true;
  } catch {
    return false;
  }
}
