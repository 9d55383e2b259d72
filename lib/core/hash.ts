import { createHash } from "node:crypto";

/** SHA-256, 64 lower-case hex digits. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
