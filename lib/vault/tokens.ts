import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exists, quietly, writeNew } from "../core/atomic.ts";
import { isTempName, tempName } from "../core/temp-names.ts";
import type { Claim } from "../schema/claim.ts";
import { hold, makeOwnFolder } from "./hold.ts";
import type { Layout } from "./layout.ts";
import { readWhole } from "./objects.ts";

const TOKEN = /^\.([a-z0-9]+(?:-[a-z0-9]+)*)\.([1-9]\d{0,14})\.tmp-/;

/** The name and number that a token was made for, or undefined where the file is none. */
export function readTokenName(file: string): { name: string; seq: number } | undefined {
  const [, name, seq] = (isTempName(file) && TOKEN.exec(file)) || [];
  return name === undefined ? undefined : { name, seq: Number(seq) };
}

export function newTokenName(name: string, seq: number): string {
  return tempName(`${name}.${seq}`);
}

/**
 * The bytes of a claim before it is one: the file that it will be linked from. It is written before the claim's
 * temporary file, so that a temporary file is somebody's exactly as long as a token or claim names it.
 */
export function writeToken(layout: Layout, claim: Claim): void {
  const folder = layout.commit(claim.fingerprint);
  makeOwnFolder(layout.home, folder);
  const bytes = Buffer.from(`${JSON.stringify(claim)}\n`);
  hold([join(folder, claim.token)], (token) => writeNew(token, bytes));
}

/** Removes a token wherever it stands. */
export function dropToken(layout: Layout, fingerprint: string, token: string): void {
  quietly(() => unlinkSync(join(layout.commit(fingerprint), token)));
  const put = join(layout.temps, token);
  if (exists(put)) quietly(() => unlinkSync(put));
}

/** Of the files of a space, the tokens of that name with a number that is used up: they can be linked no more. */
export function dropTokensUpTo(
  layout: Layout,
  { fingerprint, name, seq }: Pick<Claim, "fingerprint" | "name" | "seq">,
  files: readonly string[],
): void {
  for (const file of files) {
    const token = readTokenName(file);
    if (token?.name === name && token.seq <= seq) retireToken(layout, fingerprint, file);
  }
}

/**
 * Takes a token away; a copy in `local/temp` still says which temporary file was its own. The token itself is unlinked
 * and not renamed: a `link` that has found it already and waits for the folder would go through with a renamed one
 * (measured: 146 of 60,000), while the kernel refuses to link a file without any name. Throws where it cannot be taken
 * away: then the number must not become free.
 */
export function retireToken(layout: Layout, fingerprint: string, file: string): void {
  const token = join(layout.commit(fingerprint), file);
  // no room there, or half a token: better a temporary file that only the daily look finds
  quietly(() => {
    const bytes = readWhole(token);
    makeOwnFolder(layout.home, layout.temps);
    hold([join(layout.temps, file)], (copy) => writeFileSync(copy, bytes, { flag: "wx" }));
  });
  try {
    hold([token], unlinkSync);
  } catch (error) {
    if (exists(token)) throw error;
  }
}
