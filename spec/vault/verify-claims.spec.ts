import assert from "node:assert/strict";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { openLibrary } from "../../lib/library.ts";
import { writeTree } from "../support/home.ts";
import {
  age,
  CANON,
  copyOf,
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

const TEMP = "tmp-1-0123456789ab";
const COMMIT = "local/commit/universal";
const whole = await makeHome();

/** As if the process of the last claim had been killed before it could mark the end. */
function reopen(home: string): void {
  const path = `${COMMIT}/${NAME}.2`;
  rmSync(join(home, `${path}.done`));
  writeTree(home, { [`${path}.journal`]: "", [`${path}.event`]: "" });
}

test("P2 a claim that is not finished is a note, and opening the home finishes it", async () => {
  const home = copyOf(whole);
  reopen(home);
  rmSync(join(home, manifestOf(2, SECOND)));
  const tree = treeOf(home);
  const found = await verified(home);
  assert.deepEqual(found.lines, [`note ${COMMIT}/${NAME}.2:1 CLAIM_OPEN`]);
  assert.match(
    found.says,
    /A change of retry-flaky-test was made \d+ s ago and is not finished.* → nothing; the next command/,
  );
  assert.deepEqual(treeOf(home), tree, "verify itself finishes nothing");
  await (await openLibrary({ home, fingerprint: "*" })).close();
  assert.deepEqual((await verified(home)).lines, []);
});

test("P2 a claim that is empty, cut, of another shape, forbidden or under another name is a problem while it is open", async () => {
  for (const [text, says] of [
    ["", /cannot be carried out/],
    ['{"id":"', /cannot be carried out/],
    ["{}", /Cannot accept a claim/],
    ["[]", /Cannot accept a claim/],
  ] as const)
    await finds(
      whole,
      (home) => {
        reopen(home);
        write(`${COMMIT}/${NAME}.2`, text)(home);
      },
      [`problem ${COMMIT}/${NAME}.2:1 CLAIM_DAMAGED`],
      says,
    );
  await finds(
    whole,
    (home) => {
      reopen(home);
      const path = join(home, `${COMMIT}/${NAME}.2`);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(CANON, `0123456789ab/canon/${NAME}.md`));
    },
    [`problem ${COMMIT}/${NAME}.2:1 CLAIM_DAMAGED`],
    /make the change anew, then move the claim away/,
  );
  await finds(
    whole,
    (home) => copyFileSync(join(home, `${COMMIT}/${NAME}.2`), join(home, `${COMMIT}/${NAME}.3`)),
    [`problem ${COMMIT}/${NAME}.3:1 CLAIM_DAMAGED`],
    /another name than it says/,
  );
  await finds(
    whole,
    write(`${COMMIT}/${NAME}.2`, ""),
    [`note ${COMMIT}/${NAME}.2:1 CLAIM_DAMAGED`],
    /It is over/,
  );
});

test("P2 a claim that is done without its version is a problem, one below a done one is stale", async () => {
  await finds(
    whole,
    (home) => rmSync(join(home, manifestOf(2, SECOND))),
    [`problem ${COMMIT}/${NAME}.2:1 CLAIM_UNDONE`, `note ${CANON}:1 VERSION_NOT_KEPT`],
    /marked as done, but there is no versions\/universal/,
  );
  await finds(
    whole,
    (home) => {
      const path = join(home, `${COMMIT}/${NAME}`);
      writeFileSync(`${path}.1`, readFileSync(`${path}.2`, "utf8").replace('"seq":2', '"seq":1'));
    },
    [`note ${COMMIT}/${NAME}.1:1 CLAIM_STALE`],
    /it changed nothing/,
  );
});

test("P2 temporary files, tokens, marks and texts that were taken away are notes that say how old they are", async () => {
  for (const path of [
    `.x.md.${TEMP}`,
    `local/.x.${TEMP}`,
    `local/index/.x.${TEMP}`,
    `local/temp/.x.${TEMP}`,
    `${COMMIT}/.${NAME}.3.${TEMP}`,
    `universal/canon/.x.md.${TEMP}`,
    `universal/candidates/.x.md.${TEMP}`,
    `${dirname(objectOf(SECOND))}/.x.${TEMP}`,
    `${dirname(manifestOf(2, SECOND))}/.x.${TEMP}`,
    `ledger/.x.${TEMP}`,
  ])
    await finds(
      whole,
      (home) => {
        write(path, "x")(home);
        age(join(home, path));
      },
      [`note ${path}:1 LEFTOVER`],
      /A temporary file, 60 min old: .* → nothing; the next command/,
    );
  await finds(
    whole,
    write(`${COMMIT}/other.3.journal`, ""),
    [`note ${COMMIT}/other.3.journal:1 LEFTOVER`],
    /mark of a line in the journal, without its claim/,
  );
  const kept = "local/kept/0123456789abcdef-0123456789ab";
  await finds(whole, write(kept, "x"), [`note ${kept}:1 TEXT_TAKEN_AWAY`], /taken out of the way \d+ s ago/);
  await finds(
    whole,
    (home) =>
      writeTree(home, {
        [`${COMMIT}/notes.txt`]: "x",
        [`${COMMIT}/My Notes.3`]: "x",
        "local/commit/elsewhere/x.1": "x",
      }),
    [
      `note local/commit/elsewhere:1 FILE_FOREIGN`,
      `note ${COMMIT}/My Notes.3:1 FILE_FOREIGN`,
      `note ${COMMIT}/notes.txt:1 FILE_FOREIGN`,
    ],
    /nothing reads it/,
  );
});

test("P2 the temporary file and token of an open claim are its own, and no leftovers", async () => {
  await finds(
    whole,
    (home) => {
      reopen(home);
      const claim = JSON.parse(readFileSync(join(home, `${COMMIT}/${NAME}.2`), "utf8")) as {
        token: string;
        steps: { temp?: string }[];
      };
      writeTree(home, { [`${COMMIT}/${claim.token}`]: "x", [claim.steps[0]?.temp ?? ""]: SECOND });
    },
    [`note ${COMMIT}/${NAME}.2:1 CLAIM_OPEN`],
    /is not finished/,
  );
});
