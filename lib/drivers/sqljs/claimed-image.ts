import { unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { exists, publish, quietly, writeTemp } from "../../core/atomic.ts";
import type { Clock } from "../../core/context.ts";
import { sha256 } from "../../core/hash.ts";
import { LIMITS } from "../../core/limits.ts";
import { type Claim, openClaims } from "./claims.ts";
import type { ImageFile, LoadedImage } from "./image.ts";
import { imageTemps, sweepLeftovers } from "./leftovers.ts";
import { readRegular, stampOf } from "./regular-file.ts";
import { readWhole } from "./whole.ts";

/** How often an image that is replaced while it is read is read anew before it is judged. */
const READS = 20;

/** An image whose generations are won by claims in a folder of this machine. */
export class ClaimedImage implements ImageFile {
  private readonly path: string;
  private readonly claims: ReturnType<typeof openClaims>;
  private readonly clock: Clock;
  private base = 0;

  constructor(path: string, folder: string, clock: Clock) {
    this.path = path;
    this.claims = openClaims(folder, path);
    this.clock = clock;
  }

  load(): LoadedImage | undefined {
    this.sweep();
    for (let left = READS; ; left--) {
      this.base = this.finishLast()?.generation ?? 0;
      const stamp = stampOf(this.path);
      const bytes = readWhole(this.path);
      if (bytes === undefined) return undefined;
      const hash = sha256(bytes);
      const kept = this.claims.list();
      const claim = kept.find((one) => one.sha256 === hash);
      const newest = kept[0]?.generation;
      if (claim !== undefined && claim.generation === newest) {
        this.base = newest;
        return { bytes, checksum: "known" };
      }
      // Somebody's moment between claim and rename, or flushes in between that took this one's claim away. An older
      // image that still stands there after another look was put back by hand, and may be written over.
      const moving = stampOf(this.path) !== stamp || left === READS;
      if (newest !== undefined && moving && left > 0) continue;
      return { bytes, checksum: claim !== undefined ? "known" : newest === undefined ? "none" : "unknown" };
    }
  }

  standing(): string {
    return String(this.finishLast()?.generation ?? 0);
  }

  flush(make: (generation: number) => Uint8Array, over: string | undefined): boolean {
    const last = this.finishLast();
    const from = Math.max(this.base, Number(over ?? 0));
    // A rename that is still to come would put that older image over this one.
    if ((last?.generation ?? 0) > from || !this.isSettled(last)) return false;
    const bytes = make(from + 1);
    const hash = sha256(bytes);
    const temp = writeTemp(this.path, bytes);
    if (!this.claim({ generation: from + 1, sha256: hash, bytes: bytes.length, temp: basename(temp) }))
      return false;
    this.base = from + 1;
    // Somebody else may have finished it; or it was taken for a leftover, and nothing was written.
    if (!publish(temp, this.path) && !this.holds(hash)) return false;
    this.claims.prune();
    return true;
  }

  private claim(claim: Claim): boolean {
    const temp = this.tempOf(claim);
    let won = false;
    try {
      won = exists(temp) && this.claims.create(claim);
      // Slept so long that the number had been used and swept: what was written since is newer.
      if (won && (this.claims.list()[0]?.generation ?? 0) > claim.generation) {
        this.claims.withdraw(claim.generation);
        won = false;
      }
      return won;
    } finally {
      if (!won) quietly(() => unlinkSync(temp));
    }
  }

  /** Whoever comes next finishes the last flush; a late sleeper's rename then finds no temp and is harmless. */
  private finishLast(): Claim | undefined {
    const last = this.claims.newest();
    const temp = last === undefined ? "" : this.tempOf(last);
    if (last === undefined || temp === "" || !exists(temp)) return last;
    // A reader may not be allowed to; the image that stands there is whole all the same.
    quietly(() => {
      const bytes = readRegular(temp, LIMITS.indexFileBytes);
      if (bytes === undefined) return;
      if (sha256(bytes) === last.sha256) publish(temp, this.path);
      else unlinkSync(temp);
    });
    return last;
  }

  private isSettled(last: Claim | undefined): boolean {
    const temp = last === undefined ? "" : this.tempOf(last);
    if (temp !== "" && exists(temp)) quietly(() => unlinkSync(temp));
    return temp === "" || !exists(temp);
  }

  private holds(hash: string): boolean {
    const bytes = readRegular(this.path, LIMITS.indexFileBytes);
    return bytes !== undefined && sha256(bytes) === hash;
  }

  private tempOf(claim: Claim): string {
    return claim.temp === "" ? "" : join(dirname(this.path), claim.temp);
  }

  private sweep(): void {
    quietly(() => {
      const now = this.clock();
      sweepLeftovers(imageTemps(this.path), now, this.claims.newest()?.temp);
      sweepLeftovers(this.claims.temps(), now);
    });
  }
}
