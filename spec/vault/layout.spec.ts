import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createLayout, fingerprintOf, spaceFolder } from "../../lib/vault/layout.ts";

const FP = "0123456789ab";
const layout = createLayout("/home");

test("S1.1 a candidate stands in the candidates of its fingerprint, S1.7 a skill in its canon", () => {
  assert.equal(layout.candidates(FP), join("/home", FP, "candidates"));
  assert.equal(layout.canonFile(FP, "retry"), join("/home", FP, "canon", "retry.md"));
  assert.equal(layout.skillFolder(FP, "retry"), join("/home", FP, "canon", "retry"));
  assert.equal(layout.canon("*"), join("/home", "universal", "canon"));
});

test("design 2: every other path of the tree", () => {
  const hash = "ab".repeat(32);
  const expected = {
    [layout.journal]: "LIBRARIAN.md",
    [layout.settings]: "settings.json",
    [layout.quarantine(FP)]: `${FP}/quarantine`,
    [layout.archive("*")]: "universal/archive",
    [layout.processed(FP, "2026-01-02")]: `${FP}/processed/2026-01-02`,
    [layout.dropped(FP, "2026-01-02")]: `${FP}/dropped/2026-01-02`,
    [layout.proposals(FP)]: `${FP}/proposals`,
    [layout.versionFile("*", "retry", 3, hash)]: "versions/universal/retry/3-abababab.json",
    [layout.object(hash)]: `versions/objects/ab/${hash}`,
    [layout.ledgerFile("m1", "2026-01")]: "ledger/m1-2026-01.ndjson",
    [layout.gate]: "gate",
    [layout.tenants]: "tenants",
    [layout.claim("*", "retry", 7)]: "local/commit/universal/retry.7",
    [layout.mounts]: "local/mounts.json",
    [layout.slots]: "local/slots",
  };
  for (const [path, relative] of Object.entries(expected)) assert.equal(path, join("/home", relative));
});

test("S1.14 the default driver's index is index.sqlite, another driver's has another name", () => {
  assert.equal(layout.index("sqljs"), join("/home", "index.sqlite"));
  assert.equal(layout.index("memory"), join("/home", "index.memory"));
});

test("S1.28 only twelve lower-case hex digits or * name a space", () => {
  assert.equal(spaceFolder("*"), "universal");
  assert.equal(spaceFolder(FP), FP);
  for (const bad of ["", "..", "universal", "0123456789AB", `${FP}0`, "a/b", "../../../etc"])
    assert.throws(() => layout.canon(bad), { code: "CANONRY_USAGE" }, bad);
  assert.deepEqual(
    [fingerprintOf("universal"), fingerprintOf(FP), fingerprintOf("local"), fingerprintOf("*")],
    ["*", FP, undefined, undefined],
  );
});

test("design 4: the layout is frozen and speaks of paths below the home with forward slashes", () => {
  assert.ok(Object.isFrozen(layout));
  assert.equal(layout.relative(layout.canonFile("*", "a")), "universal/canon/a.md");
  assert.equal(layout.absolute("universal/canon/a.md"), layout.canonFile("*", "a"));
});
