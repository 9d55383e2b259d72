import assert from "node:assert/strict";
import { cpSync, linkSync, mkdirSync, rmSync, truncateSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { sha256 } from "../../lib/core/hash.ts";
import { verifyHome } from "../../lib/library.ts";
import { canonFile } from "../support/library.ts";
import {
  CANON,
  copyOf,
  edit,
  FIRST,
  finds,
  makeHome,
  manifestOf,
  NAME,
  objectOf,
  SECOND,
  write,
} from "./verify-stage.ts";

const whole = await makeHome();

test("P3 a hole in a chain of versions and two versions made side by side are problems; a text put back by hand is a note", async () => {
  const third = canonFile(NAME, { version: "3" }, "Three.");
  const manifest = (version: number, text: string, parent: string | null) =>
    write(
      manifestOf(version, text),
      JSON.stringify({
        version,
        parent: parent === null ? null : sha256(parent),
        bytesHash: sha256(text),
        files: [],
        at: "2099-01-02T03:04:05.000Z",
        by: "librarian",
        runId: "r",
        verdict: "v",
      }),
    );
  const keep = (text: string) => write(objectOf(text), text);
  const all =
    (...steps: ((home: string) => void)[]) =>
    (home: string) => {
      for (const step of steps) step(home);
    };
  const put = write(CANON, third);
  await finds(
    whole,
    all(put, keep(third), manifest(3, third, SECOND), (home) => rmSync(join(home, manifestOf(1, FIRST)))),
    [`problem ${manifestOf(2, SECOND)}:1 VERSION_PARENT_MISSING`],
    /which is no version that is kept/,
  );
  await finds(
    whole,
    all(put, keep(third), manifest(2, third, FIRST)),
    [`problem ${manifestOf(2, third)}:1 VERSION_FORK`],
    /Two versions of one number were made from/,
  );
  await finds(
    whole,
    all(put, keep(third), manifest(3, third, FIRST)),
    [`note ${manifestOf(3, third)}:1 VERSION_FORK`],
    /An older text was put back by hand/,
  );
  await finds(
    whole,
    all(put, keep(third), manifest(3, third, null)),
    [`note ${manifestOf(3, third)}:1 VERSION_SECOND_ROOT`],
    /moved away and made anew/,
  );
  await finds(
    whole,
    all(write(CANON, FIRST), manifest(3, FIRST, SECOND), put, keep(third), manifest(4, third, FIRST)),
    [],
    /^$/,
  );
});

test("trust 4a a skill's file that is cut is a problem; one that is edited, older or gone is a note", async () => {
  await finds(
    whole,
    (home) => truncateSync(join(home, CANON), SECOND.length - 4),
    [`problem ${CANON}:1 FILE_CUT`],
    /It is the first \d+ of the \d+ bytes of version 2\. → copy /,
  );
  await finds(
    whole,
    edit(CANON, (text) => `${text}More.\n`),
    [`note ${CANON}:1 VERSION_NOT_KEPT`],
    /a person has edited it since/,
  );
  await finds(
    whole,
    write(CANON, FIRST),
    [`note ${CANON}:1 VERSION_OLDER`],
    /It is version 1; the newest that is kept is 2/,
  );
  await finds(
    whole,
    (home) => rmSync(join(home, CANON)),
    [`note universal/canon/${NAME}:1 SKILL_FILES_ALONE`, `note ${CANON}:1 SKILL_GONE`],
    /neither in canon nor in quarantine nor in the archive/,
  );
  await finds(
    whole,
    (home) => {
      cpSync(join(home, CANON), join(home, "universal/archive", `${NAME}.md`));
      rmSync(join(home, CANON));
      rmSync(join(home, `universal/canon/${NAME}`), { recursive: true });
    },
    [],
    /^$/,
  );
});

test("P5 the second name that a killed mover left a skill is a problem, once nobody is at work on it", async () => {
  const home = copyOf(whole);
  mkdirSync(join(home, "universal/quarantine"), { recursive: true });
  linkSync(join(home, CANON), join(home, `universal/quarantine/${NAME}.md`));
  const codes = async (aheadMs: number) =>
    (await verifyHome({ home, driver: "memory", clock: () => Date.now() + aheadMs })).findings.map(
      (one) => `${one.severity} ${relative(home, one.file)} ${one.code}`,
    );
  assert.deepEqual(await codes(0), [], "a mover may be at it");
  assert.deepEqual(await codes(60_000), [`problem universal/quarantine/${NAME}.md SKILL_TWICE`]);
});
