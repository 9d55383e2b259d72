import { writeSync } from "node:fs";

/** Every byte, however few the system takes at a time. Throws where it takes none; `path` is for the message alone. */
export function writeAll(fd: number, bytes: Uint8Array, path: string): void {
  for (let at = 0; at < bytes.length; ) {
    const wrote = writeSync(fd, bytes, at, bytes.length - at);
    if (wrote === 0) throw new Error(`${path} takes no more bytes`);
    at += wrote;
  }
}
