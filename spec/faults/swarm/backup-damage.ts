import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createContext } from "../../../lib/core/context.ts";
import { isCanonryError } from "../../../lib/core/errors.ts";
import { restoreBackup } from "../../../lib/vault/backup/restore.ts";
import { openVault } from "../../../lib/vault/vault.ts";
import type { Row, Scale } from "../section.ts";
import { withFolder } from "../temporary.ts";
import { digestOf, prepare, runActor } from "./backup-home.ts";
import { createDice, type Dice } from "./dice.ts";

type Damage = (bytes: Buffer, dice: Dice) => { readonly bytes: Buffer; readonly what: string };

const cut: Damage = (bytes, dice) => cutAt(bytes, dice.roll(bytes.length));

const flip: Damage = (bytes, dice) => flipAt(bytes, dice.roll(bytes.length), dice.roll(8));

/** Ended between two entries, as a tar ends: what is there is whole. */
const cutBetween: Damage = (bytes, dice) => {
  const { bytes: start, what } = cutAt(bytes, dice.pick(entriesOf(bytes, "canonry-backup/")));
  return { bytes: Buffer.concat([start, Buffer.alloc(2 * BLOCK_BYTES)]), what: `${what}, and ended there` };
};

/** In the text of a skill, where no header or padding is. */
const flipText: Damage = (bytes, dice) => {
  const entry = dice.pick(entriesOf(bytes, "canonry-backup/universal/canon/"));
  return flipAt(bytes, entry + BLOCK_BYTES + dice.roll(8), dice.roll(8));
};

/** All else may strike padding, or what is the same without it. */
const CERTAIN: readonly Damage[] = [cutBetween, flipText];
const BLOCK_BYTES = 512;

/** Where the headers of a tar begin whose names begin so. */
function entriesOf(bytes: Buffer, name: string): number[] {
  const blocks = Array.from({ length: Math.floor(bytes.length / BLOCK_BYTES) }, (_, n) => n * BLOCK_BYTES);
  return blocks.filter((at) => bytes.toString("latin1", at, at + name.length) === name);
}

function cutAt(bytes: Buffer, at: number) {
  return { bytes: bytes.subarray(0, at), what: `cut at byte ${at} of ${bytes.length}` };
}

function flipAt(bytes: Buffer, at: number, bit: number) {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at);
  return { bytes: flipped, what: `bit ${bit} of byte ${at} of ${bytes.length} flipped` };
}

/** An archive that is cut, or has one bit that is another: nothing is restored, or it makes no difference at all. */
export function damageArchives({ form, log }: Scale): Promise<Row> {
  const each = form === "short" ? 3 : 350;
  log(`backups: ${6 * each} damaged`);
  return withFolder(async (folder) => {
    const [home, archive, fresh] = [join(folder, "home"), join(folder, "b.tar.gz"), join(folder, "fresh")];
    prepare(home);
    await runActor("backup", home, archive);
    await runActor("restore", fresh, archive);
    const [packed, wanted] = [readFileSync(archive), digestOf(fresh)];
    // unpacked too: the checksum of the gzip does not stand in the way of what an archive holds then
    const plain = gunzipSync(packed);
    const kinds = [
      ...[cut, flip].map((damage) => ({ bytes: packed, damage })),
      ...[cut, flip, cutBetween, flipText].map((damage) => ({ bytes: plain, damage })),
    ];
    const dice = createDice(98);
    const findings: string[] = [];
    let refused = 0;
    let made = 0;
    for (const { bytes, damage } of kinds) {
      let noticed = 0;
      for (let n = 0; n < each; n++) {
        const { bytes: damaged, what } = damage(bytes, dice);
        writeFileSync(archive, damaged);
        const told = await restoreInto(join(folder, `home-${made++}`), archive, wanted);
        if (told === "refused") noticed++;
        else if (told !== "whole") findings.push(`${what}: ${told}`);
      }
      if (noticed < each && CERTAIN.includes(damage))
        findings.push(`of ${each} archives without a file, or with another text, ${noticed} were refused`);
      refused += noticed;
    }
    return {
      fault: "an archive cut, or with one bit flipped, packed and unpacked",
      trials: kinds.length * each,
      findings,
      figures: { refused },
    };
  });
}

/** `refused` with the home untouched, `whole` with what an undamaged archive brings, or what is wrong. */
async function restoreInto(home: string, archive: string, wanted: string): Promise<string> {
  const context = createContext();
  const { layout, machine, vaultId, writable } = openVault({ home, create: true, context });
  const before = digestOf(home);
  try {
    await restoreBackup({ room: { layout, machine, context }, vaultId, writable }, archive);
  } catch (error) {
    if (!isCanonryError(error, "CANONRY_BACKUP")) return `refused with ${String(error)}`;
    return digestOf(home) === before ? "refused" : "refused, but the home is not what it was";
  }
  return digestOf(home) === wanted ? "whole" : "restored, but not what was backed up";
}
