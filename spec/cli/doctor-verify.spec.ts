import assert from "node:assert/strict";
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import openMemory from "../../lib/drivers/memory.ts";
import { verifyIndex } from "../../lib/indexing/verify-index.ts";
import { FINDING_CODES } from "../../lib/schema/finding.ts";
import { viewVault } from "../../lib/vault/view-vault.ts";
import { checkedJson, runBin } from "../support/cli.ts";
import { writeTree } from "../support/home.ts";
import { openHeard } from "../support/library.ts";
import { ROOT } from "../support/root.ts";
import {
  age,
  CANON,
  copyOf,
  FIRST,
  LEDGER,
  makeHome,
  manifestOf,
  NAME,
  objectOf,
  treeOf,
} from "../vault/verify-stage.ts";

const COMMIT = `local/commit/universal/${NAME}`;
const whole = await makeHome();

interface Document {
  readonly problems: readonly { readonly file: string; readonly line: number; readonly code: string }[];
  readonly notes: readonly { readonly file: string; readonly code: string; readonly next: string }[];
  readonly lines: readonly { readonly check: string; readonly status: string; readonly message: string }[];
  readonly checked: Readonly<Record<string, number>>;
}

/** Many kinds of damage at once, each made by hand. */
function damage(home: string): void {
  rmSync(join(home, `${COMMIT}.2.done`));
  writeTree(home, {
    [objectOf(FIRST)]: "other",
    "settings.json": '{"drivr":"memory"}',
    "local/mounts.json": '{"mounts":[{"dir":"/a"',
    "universal/canon/.x.md.tmp-1-0123456789ab": "x",
  });
  appendFileSync(join(home, LEDGER), '{"id":"e3","ts":"2026-');
  for (const path of [LEDGER, "universal/canon/.x.md.tmp-1-0123456789ab"]) age(join(home, path));
  writeFileSync(join(home, "index.sqlite"), readFileSync(join(home, "index.sqlite")).subarray(0, 3_000));
}

test("cli: doctor --verify prints one sorted line a finding and a sentence of counts, leaves with 1, and changes nothing", () => {
  const home = copyOf(whole);
  damage(home);
  const tree = treeOf(home);
  const ran = runBin("canonry", ["doctor", "--verify"], { home });
  assert.deepEqual([ran.code, ran.err], [1, ""]);
  const [closing, ...lines] = ran.out.trimEnd().split("\n").reverse();
  assert.deepEqual(
    lines.reverse().map((line) => line.replaceAll(`${home}/`, "").replace(/(:\d+: [A-Z_]+): .*$/, "$1")),
    [
      "problem index.sqlite:1: INDEX_REFUSED",
      `problem ${LEDGER}:5: LEDGER_LINE_TORN`,
      `note    ${COMMIT}.2:1: CLAIM_OPEN`,
      "problem local/mounts.json:1: STATE_DAMAGED",
      "problem settings.json:1: SETTINGS_REFUSED",
      "note    universal/canon/.x.md.tmp-1-0123456789ab:1: LEFTOVER",
      `problem ${objectOf(FIRST)}:1: OBJECT_DAMAGED`,
      `problem ${manifestOf(1, FIRST)}:1: VERSION_OBJECT_DAMAGED`,
    ].map((line) => line),
  );
  assert.ok(
    ran.out
      .split("\n")
      .slice(0, -2)
      .every((line) => / → [a-z]/.test(line)),
    "each says what to do",
  );
  assert.equal(
    closing,
    "Checked 3 files, 3 objects, 2 versions, 3 claims, 6 ledger lines: 6 problems, 2 notes.",
  );
  assert.deepEqual(treeOf(home), tree);
});

test("cli: doctor --verify --json has its schema, problems and notes apart, and the counts", () => {
  const home = copyOf(whole);
  damage(home);
  const ran = runBin("canonry", ["doctor", "--verify", "--json"], { home });
  assert.deepEqual([ran.code, ran.err], [1, ""]);
  const { problems, notes, lines, checked } = checkedJson("doctor", ran.out) as Document;
  assert.deepEqual(
    problems.map((one) => `${relative(home, one.file)} ${one.code}`),
    [
      "index.sqlite INDEX_REFUSED",
      `${LEDGER} LEDGER_LINE_TORN`,
      "local/mounts.json STATE_DAMAGED",
      "settings.json SETTINGS_REFUSED",
      `${objectOf(FIRST)} OBJECT_DAMAGED`,
      `${manifestOf(1, FIRST)} VERSION_OBJECT_DAMAGED`,
    ],
  );
  assert.deepEqual(
    notes.map((one) => one.code),
    ["CLAIM_OPEN", "LEFTOVER"],
  );
  assert.ok(notes.every((one) => one.next.startsWith("nothing; the next command")));
  assert.deepEqual(
    lines.map((one) => [one.check, one.status]),
    [["verify", "problem"]],
  );
  assert.deepEqual(checked, { files: 3, objects: 3, versions: 2, claims: 3, ledgerLines: 6 });
});

test("cli: doctor --verify leaves a whole home with 0, and notes alone are no reason for another code", () => {
  const home = copyOf(whole);
  const clean = runBin("canonry", ["doctor", "--verify"], { home });
  assert.deepEqual(
    [clean.code, clean.out, clean.err],
    [0, "Checked 3 files, 3 objects, 2 versions, 3 claims, 5 ledger lines: 0 problems, 0 notes.\n", ""],
  );
  appendFileSync(join(home, CANON), "By hand.\n");
  const edited = runBin("canonry", ["doctor", "--verify"], { home });
  assert.equal(edited.code, 0);
  assert.match(
    edited.out,
    /^note {4}.*retry-flaky-test\.md:1: VERSION_NOT_KEPT: .*\nChecked .* 0 problems, 1 note\.\n$/,
  );
  const none = runBin("canonry", ["doctor", "--verify", "--home", join(home, "none")], { home });
  assert.equal(none.code, 1);
  assert.match(none.err, /there is no such folder/);
});

test("P1 doctor --verify names a row of the index that says something else than its file, and one that is missing", async () => {
  const home = copyOf(whole);
  const context = createContext();
  for (const [change, code] of [
    ["wrong", "INDEX_ROW_WRONG"],
    ["missing", "INDEX_ROW_MISSING"],
    ["none", undefined],
  ] as const) {
    const findings: { file: string; code: string }[] = [];
    const parts = {
      vault: viewVault(home, context),
      context,
      dsn: join(home, "index.sqlite"),
      engine: undefined,
    };
    const openDriver = async (options: Parameters<typeof openMemory>[0]) => {
      const driver = await openMemory(options);
      return {
        ...driver,
        get: async (...args: Parameters<typeof driver.get>) => {
          const row = await driver.get(...args);
          if (change === "missing" || row === undefined) return undefined;
          return change === "wrong" ? { ...row, description: "Something else" } : row;
        },
      };
    };
    for await (const one of verifyIndex({ ...parts, openDriver })) findings.push(one);
    assert.deepEqual(
      findings.map((one) => [relative(home, one.file), one.code]),
      code === undefined ? [] : [[CANON, code]],
    );
  }
});

test("design 9: every finding code has one row in docs/errors.md, with its sentence", () => {
  const rows = readFileSync(join(ROOT, "docs/errors.md"), "utf8")
    .split("\n")
    .map((line) => line.replace(/ +\| */g, " | ").trim());
  for (const [code, says] of Object.entries(FINDING_CODES))
    assert.deepEqual(
      rows.filter((line) => line.startsWith(`| \`${code}\` |`)),
      [`| \`${code}\` | ${says} |`],
    );
});

test("trust 4a doctor names what crashes and damage have left, with what to do, in one line a kind", () => {
  const home = copyOf(whole);
  const temps = ["a", "b"].map((name) => `universal/canon/.${name}.md.tmp-1-0123456789ab`);
  writeTree(home, {
    [`${objectOf(FIRST)}.damaged`]: "x",
    [`${COMMIT}.3`]: '{"id":"',
    [`${temps[0]}`]: "x",
    [`${temps[1]}`]: "x",
    "local/mounts.json": "",
    "index.sqlite": "text",
  });
  appendFileSync(join(home, LEDGER), '{"id":"e3"\n');
  for (const temp of temps) age(join(home, temp));
  const ran = runBin("canonry", ["doctor"], { home });
  assert.equal(ran.code, 1);
  const said = ran.out.replaceAll(`${home}/`, "");
  for (const wanted of [
    /^note {4}state {4}index\.sqlite\.bak: It was damaged or foreign.*\n +→ remove it/m,
    /^note {4}state {4}local\/mounts\.json\.bak: .*\n +→ take over by hand what you miss/m,
    /^note {4}objects {2}versions\/objects\/.*\.damaged: A damaged object; the text was kept anew/m,
    /^problem claims {3}local\/commit\/universal\/retry-flaky-test\.3: The claim cannot be carried out.*\n +→ the text/m,
    /^note {4}left {5}2 cases like universal\/canon\/\.a\.md\.tmp-1-0123456789ab: A temporary file, 60 min old/m,
    /^problem ledger {3}ledger\/m-1-2026-01\.ndjson:5: The line breaks off/m,
    /^ledger\/m-1-2026-01\.ndjson:5: LEDGER_LINE_TORN: /m,
  ])
    assert.match(said, wanted);
  const json = checkedJson("doctor", runBin("canonry", ["doctor", "--json"], { home }).out) as Document;
  assert.deepEqual(json.problems.map((one) => one.code).sort(), ["CLAIM_DAMAGED", "LEDGER_LINE_TORN"]);
});

test("B53 after damage to a state file work goes on: what was there is kept, it is warned about, and doctor names it", async () => {
  for (const [path, warning] of [
    ["local/vault.json", /vault\.json was damaged; it is kept as .*vault\.json\.bak/],
    ["local/machine.json", /machine\.json was damaged; it is kept as .*machine\.json\.bak/],
    ["local/mounts.json", /mounts\.json is (?:damaged|empty); it is kept as .*mounts\.json\.bak/],
    ["index.sqlite", /index\.sqlite .*It is kept as .*index\.sqlite\.bak and rebuilt/],
  ] as const) {
    for (const text of ["", '{"a":{"use', '{"wrong":true}', "\0\0\0"]) {
      const home = copyOf(whole);
      writeTree(home, { [path]: text });
      const { library, heard } = await openHeard({ home });
      assert.deepEqual(
        (await library.list()).map((one) => one.name),
        [NAME],
      );
      const { lines } = await library.doctor();
      await library.close();
      assert.match(heard.warnings.join("\n"), warning, `${path}: ${text}`);
      const named = lines.find((one) => one.message.startsWith(join(home, `${path}.bak`)));
      assert.match(`${named?.status} ${named?.message}`, /^note .*It was damaged or foreign/);
      assert.equal(readFileSync(join(home, `${path}.bak`), "utf8"), text, "and stays");
    }
  }
});

test("B53 a mounts.json with a byte order mark counts as it is, one that is not UTF-8 is kept aside whole", () => {
  const home = copyOf(whole);
  const path = join(home, "local/mounts.json");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, `\uFEFF${text}`);
  const folder = join(home, "..", "more");
  cpSync(join(ROOT, "fixtures/first-look"), folder, { recursive: true });
  const ran = runBin("canonry", ["mount", folder, "--json"], { home });
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  assert.equal((JSON.parse(ran.out) as { mounts: unknown[] }).mounts.length, 2);
  const latin = Buffer.from('{"mounts":[{"dir":"/caf\u00e9","for":"*"}]}', "latin1");
  writeFileSync(path, latin);
  const after = runBin("canonry", ["mount", folder, "--json"], { home });
  assert.equal(after.code, 0, after.err);
  assert.match(after.err, /mounts\.json is damaged; it is kept as/);
  assert.deepEqual(readFileSync(`${path}.bak`), latin);
});
