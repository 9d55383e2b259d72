import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sha256 } from "../../lib/core/hash.ts";
import { mergeJournal, mergeLedger, mergeRecords } from "../../lib/vault/backup/merge-lines.ts";
import { mergeSkill } from "../../lib/vault/backup/merge-skills.ts";
import { mergeObject, mergeVersion } from "../../lib/vault/backup/merge-versions.ts";
import { type Merging, mergeWhole, type Part, partOf } from "../../lib/vault/backup/merging.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { sourceOf } from "./archives.ts";
import { namesIn, objectText, openStage, TARGET, textOf } from "./stage.ts";

const skill = (mains: Part[], beside: Part[]) => ({ mains, beside, versions: [] });
const record = (text: string, by: string) =>
  JSON.stringify({
    version: 1,
    bytesHash: sha256(text),
    parent: null,
    at: "2026-01-02T03:04:05.000Z",
    by,
    runId: "",
    verdict: null,
    files: [],
  });
const event = (id: string) =>
  `{"id":"${id}","ts":"2026-01-02T03:04:05.000Z","run_id":"","wave":0,"agent":"","fingerprint":"*","skill":"a","version":null,"model":"","event":"hydrated","value":null,"notes":""}`;
const VERSION = `versions/universal/retry-flaky-test/1-${sha256("# one\n").slice(0, 8)}.json`;
const LEDGER = "ledger/01a00000-0000-7000-8000-000000000000-2026-01.ndjson";

interface Late {
  readonly path: string;
  readonly ours: string;
  readonly theirs: string;
  readonly merge: (merging: Merging, part: Part) => void;
  /** What stands there afterwards; their text where nothing is said. */
  readonly after?: string;
}

/** Each path of a restore that puts a file where it saw none. */
const CASES: readonly Late[] = [
  { path: "0123456789ab/proposals/p.md", ours: "ours\n", theirs: "theirs\n", merge: mergeWhole },
  { path: "settings.json", ours: "{}", theirs: `{"driver":"memory"}`, merge: mergeWhole },
  {
    path: "universal/canon/retry-flaky-test/references/a.md",
    ours: "ours\n",
    theirs: "theirs\n",
    merge: (merging, part) => mergeSkill(merging, skill([], [part])),
  },
  {
    path: TARGET,
    ours: "# ours\n",
    theirs: "# theirs\n",
    merge: (merging, part) => mergeSkill(merging, skill([part], [])),
  },
  { path: VERSION, ours: record("# one\n", "us"), theirs: record("# one\n", "them"), merge: mergeVersion },
  {
    path: LEDGER,
    ours: `\n${event("a")}\n`,
    theirs: `\n${event("b")}\n`,
    merge: (merging, part) => mergeLedger(merging, [part]),
    after: `\n${event("b")}\n\n${event("a")}\n`,
  },
  {
    path: "LIBRARIAN.md",
    ours: "ours\n",
    theirs: "theirs\n",
    merge: mergeJournal,
    after: "theirs\n\nours\n",
  },
  {
    path: "gate/m.ndjson",
    ours: `{"id":"a"}\n`,
    theirs: `{"id":"b"}\n`,
    merge: mergeRecords,
    after: `{"id":"b"}\n\n{"id":"a"}\n`,
  },
];

test("P3 a restore never writes over a file that somebody puts there between its look and its own writing", () => {
  for (const { path, ours, theirs, merge, after = theirs } of CASES) {
    const { home, vault } = openStage();
    const staged = join(temporaryFolder(), "0");
    writeFileSync(staged, ours);
    const tally = {
      files: 0,
      bytes: 0,
      present: 0,
      events: 0,
      lines: 0,
      restored: [],
      kept: [],
      refused: [],
    };
    const batch = { synced: new Set<string>(), unsynced: new Set<string>() };
    const merging: Merging = { room: sourceOf(vault).room, dry: false, tally, batch };
    const bytes = Buffer.from(ours);
    const part = partOf(merging.room, {
      path,
      bytes: bytes.length,
      sha256: sha256(ours),
      executable: false,
      staged,
    });
    // the bytes are read last of all, when the restore has seen that nothing stands there
    let reads = 0;
    const read = () => {
      if (++reads === (path === LEDGER ? 2 : 1)) writeTree(home, { [path]: theirs });
      return part.read();
    };
    merge(merging, { ...part, read });
    assert.ok(textOf(home, path) !== undefined && reads > 0, `${path}: nobody came between`);
    assert.equal(textOf(home, path), after, path);
    assert.deepEqual([tally.files, tally.restored], [0, []], `${path} was not put in place`);
    if (after === theirs)
      assert.deepEqual(
        (tally.kept as { path: string }[]).map((one) => one.path),
        [path],
      );
    if (path.includes("/canon/")) assert.equal(objectText(home, sha256(ours)), ours, `${path}: ours is kept`);
    assert.deepEqual(namesIn(home, "local/temp"), [], path);
  }
});

test("P3 a text under its hash is not written anew by a restore where it stands whole by then", () => {
  const { home, vault } = openStage();
  const staged = join(temporaryFolder(), "0");
  writeFileSync(staged, "text\n");
  const hash = sha256("text\n");
  const path = `versions/objects/${hash.slice(0, 2)}/${hash}`;
  const tally = { files: 0, bytes: 0, present: 0, events: 0, lines: 0, restored: [], kept: [], refused: [] };
  const merging: Merging = {
    room: sourceOf(vault).room,
    dry: false,
    tally,
    batch: { synced: new Set<string>(), unsynced: new Set<string>() },
  };
  const part = partOf(merging.room, { path, bytes: 5, sha256: hash, executable: false, staged });
  writeTree(home, { [path]: "text\n" });
  mergeObject(merging, part);
  assert.deepEqual([tally.files, tally.present], [0, 1]);
  assert.deepEqual(namesIn(home, "versions/objects", hash.slice(0, 2)), [hash]);
});
