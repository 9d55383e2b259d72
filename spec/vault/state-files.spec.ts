import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sha256 } from "../../lib/core/hash.ts";
import { takeSlot } from "../../lib/vault/slots.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { writeTree } from "../support/home.ts";
import { canonFile, openHeard } from "../support/library.ts";
import { CANON, copyOf, makeHome, NAME, SECOND, verified } from "./verify-stage.ts";

/** What a crash of a program that writes in place would leave, and what somebody else's program might. */
const TEXTS = ["", '{"a":{"use', '{"wrong":true}', "\0\0\0"];
const whole = await makeHome();

/** Paths below `local/` of files that hold exactly this. */
function holding(home: string, text: string): string[] {
  return readdirSync(join(home, "local"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), "utf8") === text)
    .map((entry) => entry.name);
}

test("B53 a slot that is damaged still counts, as a read of some skill, and stays as it is", () => {
  for (const text of TEXTS) {
    const slots = join(copyOf(whole), "local/slots");
    const reader = { runId: "run", wave: 1, agent: "agent" };
    assert.equal(takeSlot(slots, reader, "one"), "taken");
    const [folder = ""] = readdirSync(slots).filter((name) => name !== "0123456789abcdef01234567");
    writeTree(slots, { [`${folder}/slot-1`]: text });
    const verdicts = ["two", "three", "four", "five", "six"].map((skill) => takeSlot(slots, reader, skill));
    assert.deepEqual(verdicts, ["taken", "taken", "taken", "taken", "full"], text);
    assert.equal(readFileSync(join(slots, folder, "slot-1"), "utf8"), text);
  }
});

test("B53 where the newest claim of the index is damaged, the index is kept aside with a warning and built anew", async () => {
  for (const text of TEXTS) {
    const home = copyOf(whole);
    const claim = "local/index/index.sqlite.1.json";
    const image = readFileSync(join(home, "index.sqlite"));
    writeTree(home, { [claim]: text });
    const { library, heard } = await openHeard({ home });
    assert.deepEqual(
      (await library.list()).map((one) => one.name),
      [NAME],
    );
    await library.close();
    assert.match(heard.warnings.join("\n"), /index\.sqlite.* It is kept as .*index\.sqlite\.bak and rebuilt/);
    assert.deepEqual(readFileSync(join(home, "index.sqlite.bak")), image);
    assert.equal(readFileSync(join(home, claim), "utf8"), text, "its number is used up");
  }
});

test("B53 a claim that is damaged is warned about and named, a later change goes through, and the claim is not lost with it", async () => {
  for (const text of TEXTS.slice(1)) {
    const home = copyOf(whole);
    writeTree(home, { [`local/commit/universal/${NAME}.3`]: text });
    const { library, heard } = await openHeard({ home });
    const { problems } = await library.doctor();
    await library.close();
    assert.match(heard.warnings.join("\n"), /The claim .*retry-flaky-test\.3 was passed over/);
    assert.deepEqual(
      problems.map((one) => one.code),
      ["CLAIM_DAMAGED"],
    );
    const vault = openVault({ home });
    const content = canonFile(NAME, { version: "3" }, "Three.");
    const at = {
      kind: "put",
      fingerprint: "*",
      name: NAME,
      target: CANON,
      by: "librarian",
      runId: "r",
    } as const;
    vault.commit({ ...at, content, base: sha256(SECOND), version: 3, verdict: "v" });
    vault.close();
    assert.equal(readFileSync(join(home, CANON), "utf8"), content);
    assert.equal(holding(home, text).length, 1, "what was damaged is still there");
    assert.equal((await verified(home)).lines.length, 1, "and named");
  }
});

test("B53 whatever stands in the mark of the last sweep, a home opens", async () => {
  for (const text of TEXTS) {
    const home = copyOf(whole);
    writeTree(home, { "local/swept": text });
    openVault({ home }).close();
    assert.deepEqual((await verified(home)).lines, []);
  }
});
