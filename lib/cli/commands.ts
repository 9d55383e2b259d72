import type { CommandEntry, Flag } from "./command.ts";

export const GLOBAL_FLAGS: readonly Flag[] = [
  { flag: "--home <dir>", says: "the home (default: CANONRY_HOME, else ~/.canonry)", value: "folder" },
  {
    flag: "--repo <dir>",
    says: "the repository whose skills count (default: the working directory)",
    value: "folder",
  },
  { flag: "--fingerprint <fp>", says: "its 12 hex digits instead, or * for what holds everywhere" },
  { flag: "--driver <name>", says: "the index driver (sqljs, memory)", value: ["sqljs", "memory"] },
  {
    flag: "--dsn <dsn>",
    says: "where the driver keeps its index (default: <home>/index.sqlite)",
    value: "file",
  },
  { flag: "--run-id <r>", says: "the run that a read belongs to (CANONRY_RUN_ID)" },
  { flag: "--wave <n>", says: "its wave (CANONRY_WAVE)" },
  { flag: "--agent <a>", says: "the agent that reads (CANONRY_AGENT)" },
  { flag: "--json", says: "one JSON document on stdout; errors as JSON on stderr" },
  { flag: "--verbose", says: "say more on stderr" },
  { flag: "--quiet", says: "say nothing on stderr but errors" },
  {
    flag: "--color <when>",
    says: "auto, always or never; changes nothing yet: output is plain text today",
    value: ["auto", "always", "never"],
  },
];

/** Every command there is. A command that is not here is unknown; none is a stub. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "init",
    args: "",
    says: "make the home; its patterns keep private files from git",
    flags: [],
    examples: ["canonry init", "canonry init --home ./skills-home"],
    load: () => import("./init.ts"),
  },
  {
    name: "mount",
    args: "<dir...>",
    says: "index folders of skills where they stand, read-only",
    argument: "folder",
    flags: [
      { flag: "--project", says: "for this repository alone" },
      { flag: "--user", says: "for every repository (default)" },
    ],
    examples: ["canonry mount ~/.claude/skills", "canonry mount .agents/skills --project"],
    load: () => import("./mount.ts"),
  },
  {
    name: "unmount",
    args: "<dir...>",
    says: "stop indexing mounted folders; they stay as they are",
    argument: "folder",
    flags: [],
    examples: ["canonry unmount ~/.claude/skills", "canonry unmount .agents/skills --json"],
    load: () => import("./unmount.ts"),
  },
  {
    name: "mounts",
    args: "",
    says: "mounted folders, with what was found in each",
    flags: [],
    examples: ["canonry mounts", "canonry mounts --json"],
    load: () => import("./mounts.ts"),
  },
  {
    name: "reindex",
    args: "",
    says: "bring the index up to date and name unreadable files",
    flags: [{ flag: "--full", says: "read every file again, not only the changed ones" }],
    examples: ["canonry reindex", "canonry reindex --full --json"],
    load: () => import("./reindex.ts"),
  },
  {
    name: "list",
    args: "",
    says: "the skills that you see, by name",
    flags: [
      { flag: "--all", says: "the shadowed, quarantined, archived and unreadable too" },
      {
        flag: "--origin <o>",
        says: "only those of one origin: pack, generated or user",
        value: ["pack", "generated", "user"],
      },
    ],
    examples: ["canonry list", "canonry list --all --json"],
    load: () => import("./list.ts"),
  },
  {
    name: "search",
    args: "<query...>",
    says: "names and descriptions that answer a query, best first",
    flags: [
      { flag: "--limit <n>", says: "at most so many, 1 to 200 (default 5)" },
      {
        flag: "--regex",
        says: "the query is a regular expression over names, descriptions, triggers and tags",
      },
    ],
    examples: ["canonry search flaky test", "canonry search 'how do I merge two PDF files' --limit 10"],
    load: () => import("./search.ts"),
  },
  {
    name: "read",
    args: "<name>",
    says: "the text of a skill as Markdown; counts as a use",
    argument: "skill",
    flags: [
      { flag: "--file <f>", says: "a file beside it, such as references/limits.md" },
      { flag: "--reference <f>", says: "the same as --file" },
      { flag: "--no-record", says: "leave no trace in the ledger" },
    ],
    examples: [
      "canonry read retry-flaky-test",
      "canonry read pdf-merge@universal --file references/limits.md",
    ],
    load: () => import("./read.ts"),
  },
  {
    name: "stub",
    args: "",
    says: "the short list of skills to put into an agent's prompt",
    flags: [
      { flag: "--role <r>", says: "whom it is for, such as planner or worker" },
      { flag: "--tools <a,b>", says: "the tools at hand; skills that require others are left out" },
      { flag: "--budget <n>", says: "tokens at most, 1 to 2048 (default 2048)" },
    ],
    examples: ["canonry stub --tools npm,git", "canonry stub --role worker --budget 800 --json"],
    load: () => import("./stub.ts"),
  },
  {
    name: "config",
    args: "",
    says: "each setting, its value and where it came from",
    flags: [],
    examples: ["canonry config", "canonry config --json"],
    load: () => import("./config.ts"),
  },
  {
    name: "lint",
    args: "<path...>",
    says: "what hosts would refuse or cut in skill files or folders",
    argument: "file",
    flags: [],
    examples: ["canonry lint ~/.claude/skills", "canonry lint .agents/skills/pdf-merge/SKILL.md --json"],
    load: () => import("./lint.ts"),
  },
  {
    name: "doctor",
    args: "",
    says: "what is there, what is wrong with it, what to do next",
    flags: [
      { flag: "--verify", says: "check every file, hash, version, claim and ledger line; changes nothing" },
    ],
    examples: ["canonry doctor", "canonry doctor --verify"],
    load: () => import("./doctor.ts"),
  },
  {
    name: "backup",
    args: "<file>",
    says: "write the whole home into one archive while agents go on writing; - is stdout",
    argument: "file",
    flags: [{ flag: "--force", says: "replace a file that is there" }],
    examples: [
      "canonry backup ~/backups/canonry.tar.gz",
      "canonry backup - | ssh host 'cat >canonry.tar.gz'",
    ],
    load: () => import("./backup.ts"),
  },
  {
    name: "restore-backup",
    args: "<file>",
    says: "merge an archive into the home by union; what is there stays; - is stdin",
    argument: "file",
    flags: [{ flag: "--dry-run", says: "say what would be done and write nothing" }],
    examples: [
      "canonry restore-backup ~/backups/canonry.tar.gz --dry-run",
      "canonry restore-backup canonry.tar.gz --home ./another-home",
    ],
    load: () => import("./restore-backup.ts"),
  },
  {
    name: "completion",
    args: "<shell>",
    says: "a script that completes commands: bash, zsh or fish",
    argument: ["bash", "zsh", "fish"],
    flags: [],
    examples: [
      "canonry completion fish | source",
      "canonry completion bash >~/.local/share/bash-completion/completions/canonry",
    ],
    load: () => import("./completion.ts"),
  },
  {
    name: "help",
    args: "[topic]",
    says: "a command, or one of: exit-codes, environment, formats",
    flags: [],
    examples: ["canonry help search", "canonry help exit-codes"],
    load: () => import("./help.ts"),
  },
];

/** Environment variables that Canonry reads, with what they stand for. */
export const ENVIRONMENT: readonly { readonly name: string; readonly says: string }[] = [
  { name: "CANONRY_HOME", says: "the home, where --home is not given" },
  { name: "CANONRY_DRIVER", says: "the index driver, where --driver is not given" },
  { name: "CANONRY_DSN", says: "where the driver keeps its index, where --dsn is not given" },
  { name: "CANONRY_ENGINE", says: "the engine of the driver (sqlite-wasm, sql.js, fts5-sql-bundle)" },
  { name: "CANONRY_RUN_ID", says: "the run that reads belong to" },
  { name: "CANONRY_WAVE", says: "its wave, a whole number" },
  { name: "CANONRY_AGENT", says: "the agent that reads" },
  { name: "NO_COLOR, FORCE_COLOR", says: "never or always colour; output is plain text today" },
];
