import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkedJson, runBin } from "../support/cli.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { canonFile, skill } from "../support/library.ts";

/** A home and a folder of two skills and a broken one, the folder mounted by `canonry-reindex`. */
function prepared(): { home: string; folder: string } {
  const root = temporaryFolder();
  const home = join(root, "home");
  const folder = join(root, "skills");
  writeTree(folder, {
    "flaky/SKILL.md": skill(
      "retry-flaky-test",
      "Run a failing test again before you look for the cause",
      "Steps here.",
    ),
    "flaky/references/limits.md": "Limits.\n",
    "pdf/SKILL.md": skill("pdf-merge", "Join PDF files"),
    "bad/SKILL.md": "no frontmatter\n",
  });
  mkdirSync(home);
  const ran = runBin("reindex", [folder], { home, cwd: root });
  assert.equal(ran.code, 0, ran.err);
  return { home, folder };
}

test("cli: canonry-reindex makes the home, mounts the folder, prints the counts and names what it cannot read", () => {
  const root = temporaryFolder();
  const home = join(root, "fresh");
  writeTree(join(root, "skills"), { "a/SKILL.md": skill("aa", "one"), "bad/SKILL.md": "no frontmatter\n" });
  const ran = runBin("reindex", ["skills", "--json"], { home, cwd: root });
  assert.equal(ran.code, 0, ran.err);
  const report = checkedJson("reindex", ran.out) as {
    skills: number;
    added: number;
    unreadable: { file: string; code: string }[];
  };
  assert.deepEqual([report.skills, report.added], [1, 1]);
  assert.deepEqual(
    report.unreadable.map(({ file, code }) => [file, code]),
    [[join(root, "skills/bad/SKILL.md"), "FRONTMATTER_MISSING"]],
  );
  const again = checkedJson("reindex", runBin("reindex", ["--json"], { home, cwd: root }).out) as Record<
    string,
    unknown
  >;
  assert.deepEqual([again["skills"], again["added"], again["changed"], again["removed"]], [1, 0, 0, 0]);
  assert.ok(existsSync(join(home, ".gitignore")));
});

test("C63 search, stub and reindex do their work with unreadable files, exit 0 and say how many; doctor exits 1", () => {
  const { home } = prepared();
  const search = runBin("canonry", ["search", "flaky"], { home });
  assert.deepEqual(
    [search.code, search.out],
    [0, "retry-flaky-test  Run a failing test again before you look for the cause\n"],
  );
  assert.match(search.err, /1 file.* could not be read/);
  const stub = runBin("canonry", ["stub"], { home });
  assert.equal(stub.code, 0);
  assert.match(stub.err, /1 file.* could not be read/);
  const reindex = runBin("canonry", ["reindex"], { home });
  assert.equal(reindex.code, 0);
  assert.match(reindex.err, /bad\/SKILL\.md:1: FRONTMATTER_MISSING/);
  const doctor = runBin("canonry", ["doctor"], { home });
  assert.equal(doctor.code, 1);
  assert.match(doctor.out, /bad\/SKILL\.md:1: FRONTMATTER_MISSING/);
});

test("cli: every command's --json document has its schema", () => {
  const { home, folder } = prepared();
  const json = (name: string, ...args: string[]) => {
    const ran = runBin("canonry", [...args, "--json"], { home });
    return checkedJson(name, ran.out);
  };
  assert.deepEqual(json("init", "init"), { home });
  assert.deepEqual(json("mounts", "mounts"), {
    mounts: [{ dir: folder, for: "*", skills: 2, unreadable: 1 }],
  });
  json("reindex", "reindex", "--full");
  assert.equal((json("list", "list") as unknown[]).length, 2);
  assert.equal((json("list", "list", "--all") as unknown[]).length, 3);
  json("search", "search", "flaky");
  json("read", "read", "pdf-merge");
  json("stub", "stub", "--tools", "npm");
  json("config", "config");
  json("doctor", "doctor");
  assert.deepEqual(json("mounts", "unmount", folder), { mounts: [] });
  assert.deepEqual(json("list", "list"), []);
});

test("cli: a query without an answer exits 1 and says so on stderr alone", () => {
  const { home } = prepared();
  const ran = runBin("canonry", ["search", "zeppelin"], { home });
  assert.deepEqual([ran.code, ran.out], [1, ""]);
  assert.match(ran.err, /No skill matches "zeppelin"/);
  const json = runBin("canonry", ["search", "zeppelin", "--json"], { home });
  assert.equal(json.code, 1);
  assert.equal((checkedJson("search", json.out) as { state: string }).state, "no_match");
});

test("I4 a poor best answer is shown with a remark on stderr and exit 0; a slip gets the name that was meant", () => {
  const { home } = prepared();
  const poor = runBin("canonry", ["search", "bake", "a", "loaf", "of", "rye", "bread,", "then", "run"], {
    home,
  });
  assert.deepEqual(
    [poor.code, poor.out],
    [0, "retry-flaky-test  Run a failing test again before you look for the cause\n"],
  );
  assert.match(poor.err, /^No good match for "bake a loaf of rye bread, then run"; nearest:\n/);
  const slip = runBin("canonry", ["search", "falky"], { home });
  assert.deepEqual([slip.code, slip.out], [1, ""]);
  assert.match(slip.err, /^No skill matches "falky"\.\nDid you mean retry-flaky-test\?\n/);
  assert.equal(runBin("canonry", ["search", "falky", "--quiet"], { home }).err, "");
  const json = checkedJson("search", runBin("canonry", ["search", "falky", "--json"], { home }).out);
  assert.deepEqual((json as { suggestions: string[] }).suggestions, ["retry-flaky-test"]);
});

test("cli: read prints the Markdown alone on stdout and counts a use; --no-record does not", () => {
  const { home } = prepared();
  const ran = runBin("canonry", ["read", "retry-flaky-test"], { home });
  assert.deepEqual([ran.code, ran.out], [0, "\n# retry-flaky-test\n\nSteps here.\n"]);
  assert.match(ran.err, /references\/limits\.md/);
  for (const flag of ["--file", "--reference"])
    assert.equal(
      runBin("canonry", ["read", "retry-flaky-test", flag, "references/limits.md"], { home }).out,
      "Limits.\n",
    );
  runBin("canonry", ["read", "retry-flaky-test", "--no-record"], { home });
  const [, listed] = JSON.parse(runBin("canonry", ["list", "--json"], { home }).out) as {
    name: string;
    uses: number;
  }[];
  assert.deepEqual([listed?.name, listed?.uses], ["retry-flaky-test", 1]);
});

test("cli: a missing skill exits 1 with the nearest name, as JSON where that was asked for", () => {
  const { home } = prepared();
  const ran = runBin("canonry", ["read", "pdf-merg", "--json"], { home });
  assert.deepEqual([ran.code, ran.out], [1, ""]);
  const { error } = checkedJson("error", ran.err) as { error: { code: string; data: { nearest: string[] } } };
  assert.deepEqual([error.code, error.data.nearest], ["CANONRY_SKILL_NOT_FOUND", ["pdf-merge"]]);
});

test("cli: the wave of a reader comes from flags or the environment, and the sixth skill is refused (C55)", () => {
  const root = temporaryFolder();
  const home = join(root, "home");
  writeTree(
    root,
    Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`skills/s${i}/SKILL.md`, skill(`s${i}`, "x")])),
  );
  runBin("reindex", ["skills"], { home, cwd: root });
  const env = { CANONRY_RUN_ID: "r", CANONRY_WAVE: "1", CANONRY_AGENT: "a" };
  for (let i = 0; i < 5; i++)
    assert.equal(runBin("canonry", ["read", `s${i}`], { home, cwd: root, env }).code, 0);
  const sixth = runBin("canonry", ["read", "s5"], { home, cwd: root, env });
  assert.deepEqual([sixth.code, sixth.out], [1, ""]);
  assert.match(sixth.err, /hydration cap reached; use skill_search to refine/);
  assert.equal(runBin("canonry", ["read", "s5", "--wave", "2"], { home, cwd: root, env }).code, 0);
  assert.equal(runBin("canonry", ["read", "s5", "--wave", "two"], { home, cwd: root, env }).code, 2);
});

test("cli: unknown words exit 2 and get the nearest known one", () => {
  const { home } = prepared();
  for (const [args, says] of [
    [["serach", "x"], /unknown command 'serach'.*search/s],
    [["search", "x", "--limmit", "3"], /unknown option '--limmit'.*--limit/s],
    [["search", "x", "--limit", "many"], /--limit takes a whole number.*"many"/],
    [["search", "x", "--limit", "500"], /from 0 to 200; received 500/],
    [["list", "--origin", "mine"], /pack, generated, user; received "mine"/],
    [["help", "exit-code"], /Did you mean exit-codes/],
    [["read"], /missing required argument 'name'/],
    [["list", "--driver", "sqlj"], /Unknown index driver "sqlj".*Did you mean sqljs/s],
    [["list", "--fingerprint", "xyz"], /neither 12 hex digits nor \*/],
    [["propose", "x"], /unknown command 'propose'/],
  ] as const) {
    const ran = runBin("canonry", args, { home });
    assert.deepEqual([ran.code, ran.out], [2, ""], args.join(" "));
    assert.match(ran.err, says);
  }
});

test("cli: without a home the answer says how to make one, and no folder appears", () => {
  const home = join(temporaryFolder(), "none");
  const ran = runBin("canonry", ["search", "x"], { home, cwd: temporaryFolder() });
  assert.deepEqual([ran.code, ran.out], [1, ""]);
  assert.match(ran.err, /canonry init.*canonry-reindex DIR/s);
  assert.equal(existsSync(home), false);
});

test("cli: help, version and topics print on stdout and exit 0", () => {
  const home = temporaryFolder();
  const version: unknown = JSON.parse(
    readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
  );
  assert.equal(
    runBin("canonry", ["--version"], { home }).out,
    `${(version as { version: string }).version}\n`,
  );
  for (const args of [
    [],
    ["help"],
    ["--help"],
    ["search", "--help"],
    ["help", "search"],
    ["help", "exit-codes"],
    ["help", "environment"],
    ["help", "formats"],
  ]) {
    const ran = runBin("canonry", args, { home });
    assert.deepEqual([ran.code, ran.err], [0, ""], args.join(" "));
    assert.ok(ran.out.length > 100);
  }
});

test("cli: config shows each setting with where it came from, flags over environment over file", () => {
  const home = temporaryFolder();
  writeFileSync(join(home, "settings.json"), '{"driver":"memory"}');
  const source = (ran: { out: string }) =>
    (JSON.parse(ran.out) as { settings: { key: string; value: string; source: string }[] }).settings.find(
      (one) => one.key === "driver",
    );
  assert.deepEqual(source(runBin("canonry", ["config", "--json"], { home })), {
    key: "driver",
    value: "memory",
    source: "settings.json",
  });
  assert.deepEqual(
    source(runBin("canonry", ["config", "--json"], { home, env: { CANONRY_DRIVER: "sqljs" } })),
    { key: "driver", value: "sqljs", source: "environment" },
  );
  assert.deepEqual(
    source(
      runBin("canonry", ["config", "--json", "--driver", "memory"], {
        home,
        env: { CANONRY_DRIVER: "sqljs" },
      }),
    ),
    { key: "driver", value: "memory", source: "flag" },
  );
});

test("B53 a broken settings file is named with what is allowed and stays as it is", () => {
  const home = temporaryFolder();
  for (const text of ["", '{"driver": ', '{"drivr": "memory"}', "[]", '{"driver": 3}']) {
    writeFileSync(join(home, "settings.json"), text);
    const ran = runBin("canonry", ["list"], { home });
    assert.equal(ran.code, 2, text);
    assert.match(ran.err, /settings\.json/);
    assert.equal(readFileSync(join(home, "settings.json"), "utf8"), text);
  }
});

test("C60 a home of the seed's own program is read where it stands", () => {
  const home = temporaryFolder();
  writeTree(home, {
    "0123456789ab/canon/build-check.md": canonFile("build-check"),
    "LIBRARIAN.md": "# Journal\n",
  });
  const ran = runBin("canonry", ["list", "--json", "--fingerprint", "0123456789ab"], { home });
  assert.deepEqual(
    (JSON.parse(ran.out) as { name: string }[]).map((one) => one.name),
    ["build-check"],
  );
});

test("I4 doctor says which hosts refuse a file too, and which folders of hosts are not mounted", () => {
  const root = temporaryFolder();
  const [home, user, repo] = ["home", "user", "repo"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  writeTree(root, {
    "home/universal/canon/odd.md": "no frontmatter\n",
    "user/.claude/skills/a/SKILL.md": "no frontmatter\n",
    "user/.hermes/skills/b/SKILL.md": skill("b", "Second"),
    "user/.codex/skills/.system/x": "hidden alone\n",
    "repo/.git/HEAD": "ref: refs/heads/main\n",
    "repo/.agents/skills/c/SKILL.md": skill("c", "Third"),
  });
  const env = { HOME: user, USERPROFILE: user };
  assert.equal(runBin("canonry", ["mount", join(user, ".claude")], { home, cwd: repo, env }).code, 0);
  const ran = runBin("canonry", ["doctor", "--json"], { home, cwd: repo, env });
  assert.equal(ran.code, 1);
  const { problems, lines } = checkedJson("doctor", ran.out) as {
    problems: { file: string; hosts: string[] }[];
    lines: { check: string; status: string; message: string; next?: string }[];
  };
  const hosts = new Map(problems.map((one) => [one.file, one.hosts]));
  assert.deepEqual(hosts.get(join(home, "universal/canon/odd.md")), []);
  assert.ok(hosts.get(join(user, ".claude/skills/a/SKILL.md"))?.includes("codex"));
  assert.deepEqual(
    lines.filter(({ check }) => check === "hosts").map(({ status, next }) => [status, next]),
    [
      ["note", `canonry mount ${join(user, ".hermes/skills")}`],
      ["note", `canonry mount ${join(repo, ".agents/skills")} --project`],
    ],
  );
  const text = runBin("canonry", ["doctor"], { home, cwd: repo, env }).out;
  assert.match(text, /skills\/a\/SKILL\.md:1: FRONTMATTER_MISSING: .* Refused by .*Codex/);
});
