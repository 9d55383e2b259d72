import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder, writeTree } from "../../support/home.ts";
import { leftoversOf } from "../leftovers.ts";
import { checkHistory } from "./history.ts";
import { type History, openHistory, readHistories, type Tried } from "./history-file.ts";
import { type HomeState, readHomeState } from "./home-state.ts";
import { makeText, problemOfBody, problemOfText } from "./whole-text.ts";

const hash = (letter: string) => letter.repeat(64);
const [A, B, C] = [hash("a"), hash("b"), hash("c")];

const put = (token: string, base: string | null, next: string, more: Partial<Tried> = {}): Tried => ({
  id: token,
  op: base === null ? "create" : "patch",
  name: "one",
  base,
  next,
  token,
  outcome: { ok: true, changed: true },
  ...more,
});

const version = (token: string, parent: string | null, bytesHash: string, number = 1) => ({
  name: "one",
  version: number,
  parent,
  bytesHash,
  runId: token,
});

const marked = (...tokens: string[]) => ({
  events: tokens.map((token) => ({ id: `id-${token}`, token })),
  journal: tokens.map((token) => `patched one ${token} ^0123456789abcdef`),
});

/** Created, then patched, both acknowledged, and nothing wrong. */
const HISTORY: History = { tried: [put("t1", null, A), put("t2", A, B)], seen: [], reads: {} };
const STATE: HomeState = {
  files: [{ name: "one", place: "canon", hash: B }],
  manifests: [version("t1", null, A), version("t2", A, B, 2)],
  objects: new Set([A, B]),
  damaged: [],
  torn: [],
  leftovers: [],
  ...marked("t1", "t2"),
};

function found(history: Partial<History>, state: Partial<HomeState> = {}): string[] {
  return checkHistory({ ...HISTORY, ...history }, { ...STATE, ...state });
}

function isRed(findings: readonly string[], pattern: RegExp): void {
  assert.ok(
    findings.some((one) => pattern.test(one)),
    `no finding fits ${pattern}: ${JSON.stringify(findings)}`,
  );
}

test("P2 a history in which everything acknowledged stands is clean", () => {
  assert.deepEqual(found({}), []);
});

test("P2 an acknowledged change that is no version is lost", () => {
  const [first] = STATE.manifests;
  assert.ok(first !== undefined);
  const state = {
    manifests: [first],
    files: [{ name: "one", place: "canon", hash: A } as const],
    ...marked("t1"),
  };
  isRed(found({}, state), /^lost: the acknowledged patch of one \(t2\) is no version/);
});

test("P2 an acknowledged change whose text is in no object is lost", () => {
  isRed(found({}, { objects: new Set([B]) }), /^lost: the text of the acknowledged create of one/);
});

test("P2 an acknowledged change that another one overwrote unseen is lost", () => {
  const state = {
    manifests: [version("t1", null, A), version("t2", A, B, 2), version("t3", A, C, 2)],
    files: [{ name: "one", place: "canon", hash: C } as const],
    objects: new Set([A, B, C]),
    ...marked("t1", "t2", "t3"),
  };
  const findings = found({ tried: [...HISTORY.tried, put("t3", A, C)] }, state);
  isRed(findings, /^double winner: from aaaaaaaa: patch of one \(t2\) and patch of one \(t3\)/);
  isRed(findings, /^broken chain: one ends with version 2 bbbbbbbb, and cccccccc stands/);
});

test("P3 two acknowledged changes from one base are a double winner, also where one left no version", () => {
  isRed(found({ tried: [...HISTORY.tried, put("t3", A, C)] }), /^double winner: from aaaaaaaa/);
});

test("P3 a number that two changes were given is a double winner", () => {
  const outcome = { ok: true, changed: true, seq: 2 };
  const tried = [put("t1", null, A, { outcome }), put("t2", A, B, { outcome })];
  isRed(found({ tried }), /^double winner: number 2/);
});

test("P3 a change that follows another by number was made from what that left", () => {
  const move = { id: "t3", op: "quarantine", name: "one", base: A, next: null, token: "t3" } as const;
  const tried = [
    put("t1", null, A, { outcome: { ok: true, seq: 1 } }),
    put("t2", A, B, { outcome: { ok: true, seq: 2 } }),
    { ...move, outcome: { ok: true, seq: 3 } },
  ];
  isRed(found({ tried }), /^broken order: after patch of one \(t2\) came quarantine of one \(t3\)/);
});

test("P2 a torn text is found, in a file, in an object, in a line, and by a reader", () => {
  const file = { name: "one", place: "canon", hash: B, problem: "the checksum does not fit" } as const;
  isRed(found({}, { files: [file] }), /^torn text: canon\/one\.md/);
  isRed(found({}, { damaged: ["versions/objects/aa/a"] }), /^damaged: /);
  isRed(found({}, { torn: ["ledger/m-2026-07.ndjson: {"] }), /^torn line/);
  isRed(found({ seen: ["1.0.ndjson: torn read of one"] }), /torn read/);
});

test("P3 the text of a change that lost must be where its writer was told", () => {
  const lost = (keptAt: string | null) =>
    put("t3", A, C, { outcome: { ok: false, code: "CANONRY_CONFLICT", keptAt } });
  const kept = `versions/objects/cc/${C}`;
  const tried = (one: Tried) => ({ tried: [...HISTORY.tried, one] });
  assert.deepEqual(found(tried(lost(kept)), { objects: new Set([A, B, C]) }), []);
  isRed(found(tried(lost(kept))), /^gone: the text of the losing patch of one \(t3\) is not at/);
  isRed(found(tried(lost(null))), /^gone: the text of the losing patch of one \(t3\) was kept nowhere/);
  isRed(
    found(tried(put("t3", A, C, { outcome: { ok: false, code: "CANONRY_DISK: full" } }))),
    /^refused: patch of one \(t3\): CANONRY_DISK/,
  );
});

test("P3 a change that was made and whose writer was told that it lost is found", () => {
  const outcome = { ok: false, code: "CANONRY_CONFLICT", keptAt: `versions/objects/bb/${B}` };
  const tried = [put("t1", null, A), put("t2", A, B, { outcome })];
  isRed(found({ tried }), /^half: patch of one \(t2\) was made, and its writer was told that it lost/);
  const superseded = [put("t1", null, A), put("t2", A, B, { outcome: { ok: false, code: "superseded" } })];
  isRed(found({ tried: superseded }), /^half: patch of one \(t2\) was made, and its writer was told/);
});

test("P2 a killed change is in the chain with all that follows from it, or it is nowhere", () => {
  const killed: Tried = { id: "t3", op: "patch", name: "one", base: B, next: C, token: "t3" };
  const tried = [...HISTORY.tried, killed];
  const whole = {
    files: [{ name: "one", place: "canon", hash: C } as const],
    manifests: [...STATE.manifests, version("t3", B, C, 3)],
    objects: new Set([A, B, C]),
  };
  assert.deepEqual(found({ tried }), []);
  assert.deepEqual(found({ tried }, { ...whole, ...marked("t1", "t2", "t3") }), []);
  isRed(found({ tried }, whole), /^half: patch of one \(t3\) has 0 events, not 1/);
  isRed(found({ tried }, marked("t1", "t2", "t3")), /^half: patch of one \(t3\) has 1 journal lines, not 0/);
  isRed(found({ tried }, { ...whole, files: STATE.files }), /^broken chain: one stands as bbbbbbbb/);
});

test("P2 a skill that stands in canon and in quarantine at once was moved by half", () => {
  const files = [...STATE.files, { name: "one", place: "quarantine", hash: B } as const];
  isRed(found({}, { files }), /^half: one stands in canon and in quarantine/);
  isRed(found({}, { files }), /^half: one was moved away 0 times more than back; 1 files are there/);
});

test("design 2: an acknowledged event stands in the ledger, once", () => {
  const event: Tried = {
    id: "e",
    op: "append",
    name: "",
    base: null,
    next: null,
    token: "e",
    outcome: { ok: true, event: "id-e" },
  };
  const tried = [...HISTORY.tried, event];
  const line = { id: "id-e", token: "e" };
  assert.deepEqual(found({ tried }, { events: [...STATE.events, line] }), []);
  isRed(found({ tried }), /^lost: the acknowledged event id-e/);
  isRed(found({ tried }, { events: [...STATE.events, line, line] }), /^doubled: event id-e has 2 lines/);
  isRed(found({}, { journal: [...STATE.journal, ...STATE.journal] }), /has 2 journal lines, not 1/);
});

test("design 5: temporary files, kept inodes and claims that are over are leftovers", () => {
  const home = temporaryFolder();
  const claims = "local/commit/0123456789ab";
  writeTree(home, { [`${claims}/one.3`]: "", [`${claims}/one.3.done`]: "", "local/kept/.keep": "" });
  assert.deepEqual(leftoversOf(home), ["local/kept/.keep"]);
  writeTree(home, {
    [`${claims}/one.2`]: "",
    [`${claims}/two.1`]: "",
    "versions/objects/aa/.x.tmp-12-0123456789ab": "",
  });
  assert.deepEqual(leftoversOf(home), [
    `${claims}/one.2`,
    `${claims}/two.1`,
    "local/kept/.keep",
    "versions/objects/aa/.x.tmp-12-0123456789ab",
  ]);
  isRed(found({}, { leftovers: ["local/kept/x"] }), /^leftover: local\/kept\/x/);
});

test("P2 a text says of itself whether it is whole, and so does its body", () => {
  const text = makeText({ name: "one", version: 2, token: "t", bodyBytes: 9_000 });
  assert.equal(problemOfText(text), undefined);
  assert.match(problemOfText(text.slice(0, 4_096)) ?? "", /no checksum/);
  assert.match(problemOfText(`${text.slice(0, 4_096)}${text.slice(4_097)}`) ?? "", /does not fit/);
  assert.match(problemOfText(`${text}more\n`) ?? "", /does not fit/);
  const body = text.slice(text.indexOf("---\n\n#") + 5);
  assert.equal(problemOfBody(body), undefined);
  assert.match(problemOfBody(body.replace("leap", "lea")) ?? "", /does not fit/);
});

test("design 5: histories of several processes are read together; a torn last line is of a killed one", () => {
  const folder = join(temporaryFolder(), "histories");
  mkdirSync(folder);
  const history = openHistory(join(folder, "1.0.ndjson"));
  const { outcome, ...attempt } = put("t1", null, A);
  assert.ok(outcome !== undefined);
  history.attempt(attempt);
  history.outcome("t1", outcome);
  history.read("raw", 3);
  history.saw("something");
  history.close();
  const killed = JSON.stringify({ attempt: put("t2", A, B) });
  writeFileSync(join(folder, "2.0.ndjson"), `{"read":"raw","times":2}\n${killed}\n{"of":"t2","outco`);
  const read = readHistories(folder);
  assert.deepEqual(
    read.tried.map((one) => one.token),
    ["t1", "t2"],
  );
  assert.deepEqual(read.tried[0]?.outcome, { ok: true, changed: true });
  assert.deepEqual([read.reads, read.seen], [{ raw: 5 }, ["1.0.ndjson: something"]]);
  assert.deepEqual(readHomeState(folder).files, []);
});

test("P2 what stands in a home is read without the code under test: a torn manifest and a wrong object are damaged", () => {
  const home = temporaryFolder();
  const manifest = JSON.stringify({ version: 1, parent: null, bytesHash: A, runId: "t1" });
  writeTree(home, {
    "versions/0123456789ab/one/1-aaaaaaaa.json": manifest,
    "versions/0123456789ab/one/2-bbbbbbbb.json": manifest.slice(0, 20),
    [`versions/objects/aa/${A}`]: "other bytes",
    "ledger/m-2026-07.ndjson": '\n{"id":"i","run_id":"t1"}\n{"id":"j","ru',
    "LIBRARIAN.md": "patched one t1\n",
  });
  const state = readHomeState(home);
  assert.deepEqual(state.manifests, [{ name: "one", version: 1, parent: null, bytesHash: A, runId: "t1" }]);
  assert.deepEqual(state.damaged, ["versions/0123456789ab/one/2-bbbbbbbb.json", `versions/objects/aa/${A}`]);
  assert.deepEqual(state.events, [{ id: "i", token: "t1" }]);
  assert.deepEqual([state.torn.length, state.journal], [1, ["patched one t1"]]);
});
