import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openLibrary } from "../lib/index.ts";
import { temporaryFolder } from "./support/home.ts";
import { makeLibrary, skill } from "./support/library.ts";

test("cli: unknown and wrong options of every method are refused with what is allowed", async () => {
  const { library, home } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "one") } });
  const calls: [RegExp, () => Promise<unknown>][] = [
    [
      /unknown key "limt" \(allowed: limit, regex, signal\)/,
      () => library.search("x", { limt: 3 } as object),
    ],
    [/unknown key "tool" \(allowed: role, tools/, () => library.stub({ tool: ["x"] } as object)],
    [/tools: .*received "npm"/, () => library.stub({ tools: "npm" } as object)],
    [/unknown key "runid"/, () => library.read("aa", { runid: "x" } as object)],
    [/unknown key "al"/, () => library.list({ al: true } as object)],
    [/unknown key "ful"/, () => library.reindex({ ful: true } as object)],
    [/the query.*received 5/, () => library.search(5 as unknown as string)],
    [/the name of a skill.*received 5/, () => library.read(5 as unknown as string)],
    [/the folders to mount/, () => library.mount("/somewhere" as unknown as string[])],
    [/whom to mount them for/, () => library.mount([home], { project: true } as unknown as "user")],
    [/unknown key "repos" \(allowed: home, repo/, () => openLibrary({ repos: "x" } as object)],
    [
      /fingerprint: is neither 12 hex digits nor \*; received "zz"/,
      () => openLibrary({ home, fingerprint: "zz" }),
    ],
  ];
  for (const [says, call] of calls)
    await assert.rejects(call, { name: "CanonryError", code: "CANONRY_USAGE", message: says });
});

test("S1.28 the fingerprint is fixed when a library opens", async () => {
  const { library } = await makeLibrary({ skills: {} }, { fingerprint: "ffffffffffff" });
  assert.equal(library.fingerprint, "ffffffffffff");
});

test("S3.21 close may be called again, and later calls are CANONRY_CLOSED", async () => {
  const { library } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "one") } });
  await Promise.all([library.close(), library.close()]);
  for (const call of [
    () => library.search("x"),
    () => library.read("aa"),
    () => library.stub(),
    () => library.list(),
    () => library.reindex(),
  ])
    await assert.rejects(call, { code: "CANONRY_CLOSED" });
});

test("S3.21 one instance serves many calls at once", async () => {
  const { library } = await makeLibrary({
    skills: { "a/SKILL.md": skill("aa", "copper kettle"), "b/SKILL.md": skill("bb", "copper lantern") },
  });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      i % 3 === 0 ? library.search("copper") : i % 3 === 1 ? library.read("aa") : library.stub(),
    ),
  );
  assert.equal(answers.length, 60);
  assert.equal((await library.list())[0]?.uses, 20);
});

test("design 4: an aborted call ends with CANONRY_ABORTED and harms no other", async () => {
  const { library } = await makeLibrary({ skills: { "a/SKILL.md": skill("aa", "copper kettle") } });
  await assert.rejects(library.search("copper", { signal: AbortSignal.abort() }), {
    code: "CANONRY_ABORTED",
  });
  await assert.rejects(library.reindex({ full: true, signal: AbortSignal.abort() }), {
    code: "CANONRY_ABORTED",
  });
  assert.equal((await library.search("copper")).hits.length, 1);
});

test("cli: a home is made unless create is false", async () => {
  const home = join(temporaryFolder(), "none");
  await assert.rejects(openLibrary({ home, create: false }), { code: "CANONRY_HOME_UNREADABLE" });
  await (await openLibrary({ home })).close();
});
