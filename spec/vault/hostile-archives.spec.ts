import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { sha256 } from "../../lib/core/hash.ts";
import { restoreBackup } from "../../lib/vault/backup/restore.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { archiveOf, type Entry, manifestEntry, sourceOf, writeArchive } from "./archives.ts";
import { archive, refused } from "./refusals.ts";
import { openStage, textOf } from "./stage.ts";

const GOOD = { "universal/canon/good.md": "# good\n" };
const entry = (path: string, body = "# good\n"): Entry => ({ name: `canonry-backup/${path}`, body });

const BAD_PATHS: Readonly<Record<string, RegExp>> = {
  "../x": /has the part \.\./,
  "universal/../../x": /has the part \.\./,
  "/abs": /is absolute/,
  "C:x": /holds a colon/,
  "C:\\x": /backslash/,
  "a\\..\\..\\x": /backslash/,
  "a\0b": /control character/,
  "a\nb": /control character/,
  "universal/canon/con.md": /device name/,
  "universal/canon/trailing. /x": /ends with a dot or a space/,
  "universal//canon/a.md": /empty part/,
  "local/vault.json": /of one machine alone/,
  "LOCAL/mounts.json": /of one machine alone/,
  "loc\u200Dal/mounts.json": /of one machine alone/,
  "tenants/acme/local/commit/universal/a.1": /of one machine alone/,
  "index.sqlite": /is an index/,
  ".git/hooks/post-checkout": /git's own/,
  "universal/canon/a/.GIT/config": /git's own/,
  "GIT~1/config": /git's own/,
  "universal/canon/.a.md.tmp-12-0123456789ab": /temporary file/,
  [`universal/canon/${"x".repeat(600)}.md`]: /bytes, at most/,
};

test("B96 a path that leaves the home, or is of this machine, is refused before anything is restored", async () => {
  for (const [path, message] of Object.entries(BAD_PATHS)) {
    const files = { ...GOOD, [path]: "# good\n" };
    await refused(
      await writeArchive(archive(), [manifestEntry(files), entry("universal/canon/good.md"), entry(path)]),
      message,
    );
  }
});

test("B96 links, devices and pipes are refused, also where a file of the same name follows", async () => {
  const name = "canonry-backup/universal/canon/good.md";
  const types = ["symlink", "link", "fifo", "character-device", "block-device"] as const;
  for (const type of types) {
    const header = { type, linkname: "/etc/passwd", size: 0 };
    await refused(
      await writeArchive(archive(), [manifestEntry(GOOD), { name, header }]),
      /only files are restored/,
    );
    await refused(
      await writeArchive(archive(), [
        manifestEntry(GOOD),
        { name, header },
        entry("universal/canon/good.md"),
      ]),
      /only files are restored/,
    );
  }
});

test("B96 folders out of place, unlisted files, a file twice, and files outside the folder are refused", async () => {
  const good = entry("universal/canon/good.md");
  const folder = (name: string): Entry => ({ name, header: { type: "directory", size: 0 } });
  const cases: [Entry[], RegExp][] = [
    [[folder("canonry-backup/../../x/"), good], /none of a home/],
    [[folder("elsewhere/"), good], /none of a home/],
    [[folder("canonry-backup/local/"), good], /none of a home/],
    [[good, entry("universal/canon/other.md")], /not listed, or is there twice/],
    [[good, good], /not listed, or is there twice/],
    [[{ name: "universal/canon/good.md", body: "# good\n" }], /not listed/],
    [[manifestEntry(GOOD), good], /not listed/],
  ];
  for (const [entries, message] of cases)
    await refused(await writeArchive(archive(), [manifestEntry(GOOD), ...entries]), message);
});

test("B96 wrong bytes, wrong lengths, missing files and a list that contradicts itself are refused", async () => {
  const good = entry("universal/canon/good.md");
  const listed = JSON.parse(String(manifestEntry(GOOD).body)) as { files: object[] };
  const [one] = listed.files;
  const cases: [Entry, Entry[], RegExp][] = [
    [manifestEntry(GOOD), [entry("universal/canon/good.md", "# evil\n")], /not what was backed up/],
    [manifestEntry(GOOD), [entry("universal/canon/good.md", "# longer\n")], /has 9 bytes, and 7/],
    [manifestEntry(GOOD), [], /lacks 1 of its files, such as universal\/canon\/good\.md/],
    [manifestEntry(GOOD, { count: 2 }), [good], /contradicts itself/],
    [manifestEntry(GOOD, { bytes: 8 }), [good], /contradicts itself/],
    [manifestEntry(GOOD, { files: [one, one], count: 2, bytes: 14 }), [good], /is listed twice/],
    [manifestEntry(GOOD, { format: "zip" }), [good], /format/],
    [manifestEntry(GOOD, { version: 2 }), [good], /of format 2, made by a later Canonry/],
    [manifestEntry(GOOD, { surplus: 1 }), [good], /unknown key/],
    [{ name: "canonry-backup.json", body: "{" }, [good], /is not JSON/],
    [good, [manifestEntry(GOOD)], /no backup of Canonry's/],
  ];
  for (const [manifest, entries, message] of cases)
    await refused(await writeArchive(archive(), [manifest, ...entries]), message);
});

test("B96 a file of ten gigabytes of zeros is refused by what is said of it, and one that its list calls small by the length in its header", async () => {
  const path = "universal/canon/good.md";
  const said = { path, bytes: 10_000_000_000, sha256: sha256("x"), executable: false };
  const honest = manifestEntry({}, { files: [said], count: 1, bytes: said.bytes });
  await refused(await writeArchive(archive(), [honest]), /has 10000000000 bytes; at most 16777216/);
  // the list says 7 bytes; the tar header says 100 MB, and they are there
  const zeros = Buffer.alloc(100_000_000);
  await refused(
    await writeArchive(archive(), [manifestEntry(GOOD), entry(path, zeros.toString("latin1"))]),
    /has 100000000 bytes, and 7/,
  );
  const { backupFiles, backupBytes } = { backupFiles: 500_000, backupBytes: 17_179_869_184 };
  const many = Array.from({ length: 1_200 }, (_, i) => ({
    ...said,
    path: `ledger/m${i}-2026-01.ndjson`,
    bytes: 15_000_000,
  }));
  const total = { files: many, count: many.length, bytes: many.length * 15_000_000 };
  await refused(
    await writeArchive(archive(), [manifestEntry({}, total)]),
    new RegExp(`at most ${backupFiles} files and ${backupBytes} bytes`),
  );
});

test("B96 a hundred thousand entries that nobody listed end at the first, and a name of a megabyte too", async () => {
  const entries = Array.from({ length: 100_000 }, (_, i) => `canonry-backup/universal/canon/s${i}.md`);
  const block = (name: string) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write("0000644\0", 100);
    header.write("00000000000\0", 124);
    header.write("00000000000\0", 136);
    header.write("        0ustar\u000000", 148);
    header.write("0", 156);
    header.write("ustar\u000000", 257);
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, "0")}\0 `,
      148,
    );
    return header;
  };
  const file = await writeArchive(archive(), [manifestEntry({})]);
  const start = gunzipSync(readFileSync(file)).subarray(0, -1024);
  writeFileSync(file, gzipSync(Buffer.concat([start, ...entries.map(block), Buffer.alloc(1024)])));
  await refused(file, /s0\.md" is not listed/);
  const long = entry("x".repeat(1_000_000));
  await refused(await writeArchive(archive(), [manifestEntry(GOOD), long]), /is not listed/);
});

test("B96 a home whose folder is a link takes nothing through it", async () => {
  const file = await archiveOf(archive(), {
    "universal/canon/a.md": "# a\n",
    "0123456789ab/proposals/p.md": "p",
  });
  for (const link of ["universal", "universal/canon", "0123456789ab"]) {
    const elsewhere = temporaryFolder();
    const { vault, home } = openStage();
    if (link.includes("/")) mkdirSync(join(home, "universal"));
    symlinkSync(elsewhere, join(home, link));
    await assert.rejects(restoreBackup(sourceOf(vault), file), { code: "CANONRY_INVALID_PATH" });
    assert.deepEqual(readdirSync(elsewhere), []);
  }
});

test("design 5: not an archive, an empty file and no file at all are told apart", async () => {
  const folder = temporaryFolder();
  writeTree(folder, { text: "just text\n", empty: "", "half.gz": gzipSync("half").subarray(0, 12) });
  await refused(join(folder, "text"), /cut or damaged/);
  await refused(join(folder, "empty"), /cut or damaged|is empty/);
  await refused(join(folder, "half.gz"), /cut or damaged/);
  truncateSync(join(folder, "text"), 0);
  const { vault } = openStage();
  await assert.rejects(restoreBackup(sourceOf(vault), join(folder, "none")), { code: "CANONRY_USAGE" });
  await assert.rejects(restoreBackup(sourceOf(vault), folder), { code: "CANONRY_USAGE" });
});

test("design 5: a backup that was unpacked with tar and packed again is restored all the same", async () => {
  const folder = (name: string): Entry => ({ name, header: { type: "directory", size: 0 } });
  const file = await writeArchive(archive(), [
    manifestEntry(GOOD),
    folder("canonry-backup/"),
    folder("canonry-backup/universal/"),
    entry("universal/canon/good.md"),
  ]);
  writeFileSync(`${file}.tar`, gunzipSync(readFileSync(file)));
  for (const one of [file, `${file}.tar`]) {
    const { vault, home } = openStage();
    await restoreBackup(sourceOf(vault), one);
    assert.equal(textOf(home, "universal/canon/good.md"), "# good\n");
  }
});
