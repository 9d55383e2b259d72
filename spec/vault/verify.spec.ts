import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sha256 } from "../../lib/core/hash.ts";
import { verifyHome } from "../../lib/library.ts";
import { openVault } from "../../lib/vault/vault.ts";
import { writeTree } from "../support/home.ts";
import { canonFile } from "../support/library.ts";
import {
  copyOf,
  edit,
  FIRST,
  finds,
  makeHome,
  manifestOf,
  NAME,
  objectOf,
  SECOND,
  treeOf,
  verified,
  write,
} from "./verify-stage.ts";

const whole = await makeHome();

test("trust 4a a whole home gives no finding, everything is counted, and nothing is touched", async () => {
  const tree = treeOf(whole);
  const { findings, checked } = await verifyHome({ home: whole });
  assert.deepEqual(findings, []);
  assert.deepEqual(checked, { files: 3, objects: 3, versions: 2, claims: 3, ledgerLines: 5 });
  assert.deepEqual(treeOf(whole), tree);
});

test("trust 4a two hundred commits on ten skills, with conflicts, edits by hand and moves between them, give notes on the edits alone", async () => {
  const home = copyOf(whole);
  const vault = openVault({ home });
  const texts = new Map<string, string>();
  for (let i = 0; i < 200; i++) {
    const name = `skill-${i % 10}`;
    const at = {
      kind: "put",
      fingerprint: "*",
      name,
      target: `universal/canon/${name}.md`,
      by: "librarian",
    } as const;
    const version = Math.floor(i / 10) + 1;
    const content = canonFile(name, { version: String(version) }, `Text ${i}.`);
    const known = texts.get(name);
    const base = known === undefined ? null : sha256(known);
    vault.commit({
      ...at,
      content,
      base,
      runId: "r",
      version,
      verdict: "v",
      event: { event: "patched", skill: name },
    });
    texts.set(name, content);
    if (i % 7 === 0)
      assert.throws(
        () => vault.commit({ ...at, content: `${content}\n`, base, runId: "r", version, verdict: "v" }),
        { code: "CANONRY_CONFLICT" },
      );
  }
  const move = {
    kind: "move",
    fingerprint: "*",
    by: "librarian",
    runId: "r",
    version: 20,
    verdict: "v",
  } as const;
  const [from, to] = ["universal/canon/skill-3.md", "universal/quarantine/skill-3.md"];
  vault.commit({ ...move, name: "skill-3", target: from, to, base: sha256(texts.get("skill-3") ?? "") });
  vault.close();
  assert.deepEqual((await verified(home)).lines, []);
  edit("universal/canon/skill-5.md", (text) => `${text}By hand.\n`)(home);
  assert.deepEqual((await verified(home)).lines, ["note universal/canon/skill-5.md:1 VERSION_NOT_KEPT"]);
  const again = openVault({ home });
  const base = readFileSync(join(home, "universal/canon/skill-5.md"), "utf8");
  again.commit({
    ...{
      kind: "put",
      fingerprint: "*",
      name: "skill-5",
      target: "universal/canon/skill-5.md",
      by: "librarian",
    },
    content: `${base}More.\n`,
    base: sha256(base),
    runId: "r",
    version: 21,
    verdict: "v",
  });
  again.close();
  assert.deepEqual((await verified(home)).lines, []);
});

test("trust 4a an object whose bytes are others is named, and every version that needs it", async () => {
  const object = objectOf(FIRST);
  for (const text of ["", "other", FIRST.slice(0, 100)])
    await finds(
      whole,
      write(object, text),
      [`problem ${object}:1 OBJECT_DAMAGED`, `problem ${manifestOf(1, FIRST)}:1 VERSION_OBJECT_DAMAGED`],
      /are not what was kept.*Its text is damaged/s,
    );
  const limits = objectOf("Limits.\n");
  await finds(
    whole,
    (home) => rmSync(join(home, limits)),
    [
      `problem ${manifestOf(1, FIRST)}:1 VERSION_OBJECT_MISSING`,
      `problem ${manifestOf(2, SECOND)}:1 VERSION_OBJECT_MISSING`,
    ].sort(),
    /Its file references\/limits\.md is not kept/,
  );
  const other = `versions/objects/00/${sha256(FIRST)}`;
  await finds(
    whole,
    (home) => {
      mkdirSync(join(home, "versions/objects/00"), { recursive: true });
      renameSync(join(home, object), join(home, other));
    },
    [`problem ${other}:1 OBJECT_MISPLACED`, `problem ${manifestOf(1, FIRST)}:1 VERSION_OBJECT_MISSING`],
    /move it to .*versions\/objects/,
  );
  await finds(
    whole,
    write(`${object}.damaged`, "x"),
    [`note ${object}.damaged:1 OBJECT_SET_ASIDE`],
    /kept anew as/,
  );
  await finds(
    whole,
    write("versions/objects/zz", "x"),
    ["note versions/objects/zz:1 FILE_FOREIGN"],
    /nothing reads it/,
  );
});

test("trust 4a a manifest that is empty, cut, of another shape or under another name is named", async () => {
  const second = manifestOf(2, SECOND);
  for (const text of ["", '{"version":2', "[]", '{"version":2,"parent":null}'])
    await finds(
      whole,
      write(second, text),
      [`problem ${second}:1 VERSION_DAMAGED`],
      /No manifest of a version: /,
    );
  const wrong = `versions/universal/${NAME}/7-00000000.json`;
  await finds(
    whole,
    (home) => renameSync(join(home, second), join(home, wrong)),
    [`problem local/commit/universal/${NAME}.2:1 CLAIM_UNDONE`, `problem ${wrong}:1 VERSION_NAME`],
    /By its content it is 2-[0-9a-f]{8}\.json\. → rename it/,
  );
});

test("design 2: the tree of a tenant is looked at like that of the home", async () => {
  await finds(
    whole,
    (home) => {
      cpSync(join(whole, "versions"), join(home, "tenants/acme/versions"), { recursive: true });
      cpSync(join(whole, "universal"), join(home, "tenants/acme/universal"), { recursive: true });
      writeTree(home, { [`tenants/acme/${objectOf(FIRST)}`]: "other" });
    },
    [
      `problem tenants/acme/${objectOf(FIRST)}:1 OBJECT_DAMAGED`,
      `problem tenants/acme/${manifestOf(1, FIRST)}:1 VERSION_OBJECT_DAMAGED`,
    ],
    /are not what was kept/,
  );
});
