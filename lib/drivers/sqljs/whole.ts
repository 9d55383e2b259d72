import { LIMITS } from "../../core/limits.ts";
import { faultOf } from "./header.ts";
import { damaged, readRegular } from "./regular-file.ts";

/** The bytes of a whole database; undefined where there is none. Throws `CANONRY_INDEX_DAMAGED`, `CANONRY_DISK`. */
export function readWhole(path: string): Uint8Array | undefined {
  const bytes = readRegular(path, LIMITS.indexFileBytes);
  if (bytes === undefined) return undefined;
  const fault = faultOf(bytes);
  if (fault !== undefined) throw damaged(path, fault);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
