import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { backupHome } from "../../lib/vault/backup/backup.ts";
import { restoreBackup } from "../../lib/vault/backup/restore.ts";
import { sourceOf } from "./archives.ts";
import { archive, refused } from "./refusals.ts";
import { openStage, put, textOf } from "./stage.ts";

test("design 5: a backup cut at places all along it is noticed before anything is restored", async () => {
  const { vault } = openStage();
  vault.commit(put("# one\n", null, 1));
  const file = archive();
  await backupHome(sourceOf(vault), file);
  const whole = readFileSync(file);
  const plain = gunzipSync(whole);
  const cuts = Array.from({ length: 24 }, (_, i) => Math.floor((i * whole.length) / 24));
  for (const cut of [...cuts, whole.length - 1, whole.length - 8]) {
    writeFileSync(file, whole.subarray(0, cut));
    await refused(file, /cut or damaged|is empty|no backup/);
  }
  for (let cut = 0; cut < plain.length - 1_024; cut += 512) {
    writeFileSync(file, plain.subarray(0, cut));
    await refused(file, /cut or damaged|is empty|lacks/);
  }
});

test("design 5: a byte flipped at places all along a backup is noticed, or changes nothing that is restored", async () => {
  const { vault, home } = openStage();
  vault.commit(put("# one\n", null, 1));
  const file = archive();
  await backupHome(sourceOf(vault), file);
  const plain = gunzipSync(readFileSync(file));
  const fresh = openStage();
  let noticed = 0;
  for (let at = 7; at < plain.length - 1_024; at += 131) {
    const bytes = Buffer.from(plain);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
    writeFileSync(file, bytes);
    try {
      await restoreBackup(sourceOf(fresh.vault), file);
    } catch (error) {
      assert.equal((error as { code?: string }).code, "CANONRY_BACKUP", `byte ${at}`);
      noticed++;
    }
  }
  assert.ok(noticed > 10, `${noticed}`);
  const after = textOf(fresh.home);
  assert.ok(after === undefined || after === textOf(home));
});
