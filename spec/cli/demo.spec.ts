import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { columnsOf } from "../../lib/core/columns.ts";
import type { DemoReport } from "../../lib/library/demo/report.ts";
import { checkedJson, type Ran, runBin } from "../support/cli.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";
import { skill } from "../support/library.ts";
import { ROOT } from "../support/root.ts";

/** Every path below a folder with its bytes, size and times. */
function stateOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .sort()
    .map((path) => {
      const stats = statSync(join(root, path));
      const bytes = stats.isFile() ? readFileSync(join(root, path), "latin1") : "";
      return `${path} ${stats.mtimeMs} ${bytes}`;
    });
}

/** Runs the demo as somebody whose home is `user`, with a temporary folder of its own. */
function demo(user: string, cwd: string, ...args: string[]): Ran & { left: string[] } {
  const temp = temporaryFolder();
  const env = { HOME: user, USERPROFILE: user, CANONRY_HOME: "", TMPDIR: temp, TEMP: temp, TMP: temp };
  const ran = runBin("canonry", ["demo", ...args], { home: user, cwd, env });
  return { ...ran, left: readdirSync(temp).filter((name) => name.startsWith("canonry")) };
}

const read = (ran: Ran): DemoReport => checkedJson("demo", ran.out) as DemoReport;

const LEAK =
  "Revoke the key first, then replace it, and only then look for misuse in the logs of the last days. ";

/** Three hosts' folders of a user and one of a repository, with a copy, a link, an odd skill and two alike. */
function threeHosts(): { user: string; repo: string } {
  const user = temporaryFolder();
  const repo = join(temporaryFolder(), "repo");
  mkdirSync(join(repo, ".git"), { recursive: true });
  mkdirSync(join(repo, "deep"));
  writeTree(user, {
    ".claude/skills/pdf-merge/SKILL.md": skill(
      "pdf-merge",
      "Join PDF files. Use when several PDFs become one",
    ),
    ".claude/skills/broken/SKILL.md": "no frontmatter\n",
    ".agents/skills/pdf-merge/SKILL.md": skill(
      "pdf-merge",
      "Join PDF files. Use when several PDFs become one",
    ),
    ".agents/skills/rename/SKILL.md":
      "---\nname: renamed\ndescription: Rename files: many at once\n---\n\n# Rename\n",
    ".hermes/skills/ops/leak/SKILL.md": skill("leak", "A key leaked", LEAK.repeat(3)),
    ".hermes/skills/ops/keys/SKILL.md": skill("keys", "Keys that leaked", `${LEAK.repeat(3)}Done.`),
  });
  symlinkSync("../../.agents/skills/rename", join(user, ".claude/skills/rename"));
  writeTree(repo, {
    ".claude/skills/deploy/SKILL.md": skill("deploy", "Deploy this. Use when a tag is pushed"),
  });
  return { user, repo };
}

test("demo: in an empty home it shows the skills that come with Canonry, and leaves nothing behind", () => {
  const user = temporaryFolder();
  const ran = demo(user, user, "--json");
  assert.deepEqual([ran.code, ran.err, ran.left, readdirSync(user)], [0, "", [], []]);
  const report = read(ran);
  assert.deepEqual([report.source, report.skills, report.copies], ["demo", 41, 0]);
  assert.deepEqual(
    report.readers.map(({ host, skills, refused }) => [host, skills, refused]),
    [
      ["claude-code", 41, 0],
      ["codex", 41, 2],
      ["hermes", 41, 0],
      ["skills-ref", 41, 3],
      ["claude.ai", 41, 2],
      ["mcp", 41, 1],
    ],
  );
  assert.deepEqual(
    report.alike.map(({ a, b }) => [a, b]),
    [["leaked-secret-response", "rotate-leaked-credentials"]],
  );
  assert.deepEqual(
    report.searches.map(({ hits }) => hits[0]?.name),
    ["flaky-test-repair", "aws-bill-spike", "csv-excel-encoding"],
  );
  assert.equal(report.next.length, 3);
});

test("demo: with three hosts' folders it counts per host what is found and refused, and changes nothing", () => {
  const { user, repo } = threeHosts();
  const before = [stateOf(user), stateOf(repo)];
  const ran = demo(user, join(repo, "deep"), "--json");
  assert.deepEqual([ran.code, ran.err, ran.left], [0, "", []]);
  assert.deepEqual([stateOf(user), stateOf(repo)], before);
  const report = read(ran);
  assert.deepEqual([report.source, report.skills, report.copies], ["own", 5, 1]);
  assert.deepEqual(
    report.folders.map(({ dir, skills, unreadable }) => [dir, skills, unreadable]),
    [
      [join(user, ".claude/skills"), 2, 1],
      [join(user, ".agents/skills"), 2, 0],
      [join(user, ".hermes/skills"), 2, 0],
      [join(repo, ".claude/skills"), 1, 0],
    ],
  );
  const codes = (reader: DemoReport["readers"][number]) => reader.reasons.map(({ code }) => code).join(" ");
  assert.deepEqual(
    report.readers.map((one) => [one.host, one.present, one.skills, one.refused, codes(one)]),
    [
      ["claude-code", true, 3, 0, ""],
      ["codex", true, 2, 1, "YAML_INVALID"],
      ["hermes", true, 2, 0, ""],
      ["skills-ref", false, 6, 2, "FRONTMATTER_MISSING NAME_MISMATCH YAML_INVALID"],
      ["claude.ai", false, 6, 2, "FRONTMATTER_MISSING YAML_INVALID"],
      ["mcp", false, 6, 2, "FRONTMATTER_MISSING YAML_INVALID"],
    ],
  );
  assert.deepEqual(
    report.readers.flatMap(({ host, listing }) => (listing === null ? [] : [[host, listing.budget]])),
    [
      ["claude-code", 8_000],
      ["codex", 16_000],
      ["hermes", 12_000],
    ],
  );
  assert.deepEqual(
    report.alike.map(({ a, b }) => [a, b]),
    [["keys", "leak"]],
  );
  assert.ok(report.searches.length > 0 && report.searches.every(({ hits }) => hits.length > 0));
  const [index] = report.next;
  assert.equal(index?.command, "canonry-reindex ~/.claude/skills ~/.agents/skills");
  assert.match(index?.says ?? "", /^index these; above are \d more$/);
});

test("demo: its screen fits 80 columns, says what each host does, and no name steers the terminal", () => {
  const { user, repo } = threeHosts();
  writeTree(user, {
    ".claude/skills/long/SKILL.md": skill(`"${"长".repeat(40)}"`, `\u001b[31m${"很长的描述".repeat(40)}`),
  });
  for (const [home, cwd] of [
    [user, repo],
    [temporaryFolder(), temporaryFolder()],
  ] as const) {
    const { out, code } = demo(home, cwd);
    assert.equal(code, 0);
    const lines = out.split("\n");
    assert.deepEqual(
      lines.filter((line) => columnsOf(line) > 80),
      [],
    );
    assert.ok(!out.includes("\u001b"));
    for (const says of ["finds  refuses", "  Codex ", "Nearly the same text", "Three searches", "\nNext\n"])
      assert.ok(out.includes(says), says);
  }
});

test("demo: folders of hosts that hold no skill count as none, and a folder that cannot be read is no hindrance", () => {
  const user = temporaryFolder();
  mkdirSync(join(user, ".claude/skills"), { recursive: true });
  writeTree(user, { ".agents/skills": "a file\n", ".codex/skills/bad/SKILL.md": "no frontmatter\n" });
  const report = read(demo(user, user, "--json"));
  assert.deepEqual([report.source, report.skills], ["demo", 41]);
});

test("demo: ended by a signal it leaves nothing of its temporary folder", {
  skip: process.platform === "win32" && "Windows has no SIGINT for others",
}, async () => {
  const user = temporaryFolder();
  const temp = temporaryFolder();
  const text = skill("one", "Does a thing", "Words and more words. ".repeat(200));
  writeTree(
    user,
    Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`.claude/skills/s${at}/SKILL.md`, text])),
  );
  const env = { PATH: process.env["PATH"], HOME: user, USERPROFILE: user, TMPDIR: temp };
  const child = spawn(process.execPath, [join(ROOT, "bin/canonry.mjs"), "demo"], { cwd: user, env });
  const ours = (): string[] => readdirSync(temp).filter((name) => name.startsWith("canonry-demo-"));
  const ended = once(child, "exit");
  while (ours().length === 0 && child.exitCode === null) await setTimeout(2);
  assert.equal(ours().length, 1);
  child.kill("SIGINT");
  const [code] = (await ended) as [number];
  assert.equal(code, 130);
  assert.deepEqual(ours(), []);
});
