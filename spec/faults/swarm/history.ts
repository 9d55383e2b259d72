import { type History, SUPERSEDED, type Tried } from "./history-file.ts";
import type { HomeState, Manifest } from "./home-state.ts";

/**
 * What a run did against what stands afterwards, a sentence for each thing that must not be (P2, P3, W1 to W3).
 * Every text is unique, so a hash names the one attempt that made it.
 */
export function checkHistory(history: History, state: HomeState): string[] {
  return [
    ...history.seen,
    ...state.files.flatMap((one) =>
      one.problem === undefined ? [] : [`torn text: ${one.place}/${one.name}.md: ${one.problem}`],
    ),
    ...state.damaged.map((path) => `damaged: ${path}`),
    ...state.torn.map((line) => `torn line: ${line}`),
    ...state.leftovers.map((path) => `leftover: ${path}`),
    ...lostChanges(history, state),
    ...doubleWinners(history, state),
    ...brokenOrder(history),
    ...brokenChains(state),
    ...goneTexts(history, state),
    ...halfChanges(history, state),
    ...halfMoves(history, state),
    ...wrongEvents(history, state),
  ];
}

const isPut = (one: Tried) => one.op === "create" || one.op === "patch" || one.op === "update";
const isWon = (one: Tried) => one.outcome?.ok === true && one.outcome.changed !== false;
const isLost = (one: Tried) => one.outcome?.code === "CANONRY_CONFLICT" || one.outcome?.code === SUPERSEDED;
const say = (one: Tried) => `${one.op} of ${one.name || "the ledger"} (${one.token})`;
const short = (hash: string | null) => hash?.slice(0, 8) ?? "none";

/** Acknowledged is durable: a manifest of it, made from its base, and the bytes. */
function lostChanges({ tried }: History, state: HomeState): string[] {
  const manifests = new Map(state.manifests.map((one) => [one.bytesHash, one]));
  return tried
    .filter((one) => isPut(one) && isWon(one))
    .flatMap((one) => {
      const manifest = manifests.get(one.next ?? "");
      if (manifest === undefined) return [`lost: the acknowledged ${say(one)} is no version`];
      if (manifest.parent !== one.base || manifest.name !== one.name)
        return [`lost: the version of ${say(one)} says it was made from ${short(manifest.parent)}`];
      return state.objects.has(manifest.bytesHash)
        ? []
        : [`lost: the text of the acknowledged ${say(one)} is in no object`];
    });
}

/** Of one base at most one change is acknowledged, and at most one becomes a version; a number is given once. */
function doubleWinners({ tried }: History, { manifests }: HomeState): string[] {
  const won = tried.filter((one) => one.op !== "append" && isWon(one));
  const puts = won.filter((one) => isPut(one) && one.base !== null);
  const children = manifests.filter((one) => one.parent !== null);
  return [
    ...repeated(puts, (one) => `${one.name} ${one.base}`).map(
      (all) => `double winner: from ${short(all[0]?.base ?? null)}: ${all.map(say).join(" and ")}`,
    ),
    ...repeated(children, (one) => `${one.name} ${one.parent}`).map(
      (all) =>
        `double winner: ${all.length} versions of ${all[0]?.name} from ${short(all[0]?.parent ?? null)}`,
    ),
    ...repeated(
      won.filter((one) => typeof one.outcome?.seq === "number"),
      (one) => `${one.name} ${one.outcome?.seq}`,
    ).map((all) => `double winner: number ${all[0]?.outcome?.seq}: ${all.map(say).join(" and ")}`),
  ];
}

/** Two acknowledged changes whose numbers follow each other: the second was made from what the first left. */
function brokenOrder({ tried }: History): string[] {
  const findings: string[] = [];
  for (const all of groups(
    tried.filter((one) => one.op !== "append" && isWon(one)),
    (one) => one.name,
  )) {
    const ordered = all
      .filter((one) => typeof one.outcome?.seq === "number")
      .sort((a, b) => (a.outcome?.seq ?? 0) - (b.outcome?.seq ?? 0));
    for (const [at, later] of ordered.entries()) {
      const earlier = ordered[at - 1];
      if (earlier === undefined || (earlier.outcome?.seq ?? 0) + 1 !== later.outcome?.seq) continue;
      const problem = problemOfStep(earlier, later);
      if (problem !== undefined)
        findings.push(`broken order: after ${say(earlier)} came ${say(later)}: ${problem}`);
    }
  }
  return findings;
}

function problemOfStep(earlier: Tried, later: Tried): string | undefined {
  const left = isPut(earlier) ? earlier.next : earlier.base;
  const away = earlier.op === "quarantine";
  const wantsAway = later.op === "restore" || later.op === "create";
  // a skill may be made anew while another of its name is in quarantine, and then those moves are refused
  if (away !== wantsAway && later.op !== "create") return `it cannot follow`;
  if (later.op === "create") return away ? undefined : "there was a file";
  return later.base === left ? undefined : `it was made from ${short(later.base)}, not ${short(left)}`;
}

/** From no file at all to the file that stands, without a gap; nothing beside it. */
function brokenChains({ manifests, files }: HomeState): string[] {
  const findings: string[] = [];
  const names = new Set([...manifests, ...files].map((one) => one.name));
  for (const name of names) {
    const own = manifests.filter((one) => one.name === name);
    const made = new Set(own.map((one) => one.bytesHash));
    const parents = new Set(own.map((one) => one.parent));
    const standing = files.filter((one) => one.name === name).map((one) => one.hash);
    for (const one of own)
      if (one.parent !== null && !made.has(one.parent))
        findings.push(
          `broken chain: version ${one.version} of ${name} comes from ${short(one.parent)}, which is none`,
        );
    for (const last of own.filter((one) => !parents.has(one.bytesHash)))
      if (!standing.includes(last.bytesHash))
        findings.push(
          `broken chain: ${name} ends with version ${last.version} ${short(last.bytesHash)}, and ${standing.map(short).join(", ") || "nothing"} stands`,
        );
    for (const hash of standing)
      if (!made.has(hash) || parents.has(hash))
        findings.push(
          `broken chain: ${name} stands as ${short(hash)}, which is ${made.has(hash) ? "an older version" : "no version"}`,
        );
    if (new Set(standing).size !== standing.length)
      findings.push(`half: ${name} stands in canon and in quarantine with one text`);
  }
  return findings;
}

/** Whoever lost is told, and where its text is. */
function goneTexts({ tried }: History, state: HomeState): string[] {
  const failed = tried.filter((one) => one.op !== "append" && one.outcome?.ok === false);
  return failed.flatMap((one) => {
    if (one.outcome?.code === SUPERSEDED) return [];
    if (one.outcome?.code !== "CANONRY_CONFLICT") return [`refused: ${say(one)}: ${one.outcome?.code}`];
    if (!isPut(one)) return [];
    const { keptAt } = one.outcome;
    if (typeof keptAt !== "string") return [`gone: the text of the losing ${say(one)} was kept nowhere`];
    return state.objects.has(one.next ?? "") && keptAt.endsWith(one.next ?? "")
      ? []
      : [`gone: the text of the losing ${say(one)} is not at ${keptAt}`];
  });
}

/** A change is in the chain with all that follows from it, or it is nowhere; killed ones too. */
function halfChanges({ tried }: History, state: HomeState): string[] {
  const byToken = new Map(tried.map((one) => [one.token, one]));
  const ids = idsByToken(state);
  const lines = countBy(state.journal, (line) => line.split(" ").find((word) => byToken.has(word)) ?? "");
  const stray = state.manifests.filter((one) => !byToken.has(one.runId));
  const made = new Set(state.manifests.map((one) => one.bytesHash));
  const findings = stray.map((one: Manifest) => `version ${one.version} of ${one.name} was made by nobody`);
  for (const one of tried.filter((attempt) => attempt.op !== "append")) {
    const events = ids.get(one.token)?.size ?? 0;
    const journal = lines.get(one.token) ?? 0;
    const stands = isPut(one) ? made.has(one.next ?? "") : isWon(one) || events > 0;
    const wanted = stands ? 1 : 0;
    if (stands && isLost(one))
      findings.push(`half: ${say(one)} was made, and its writer was told that it lost`);
    if (events !== wanted) findings.push(`half: ${say(one)} has ${events} events, not ${wanted}`);
    if (journal !== wanted) findings.push(`half: ${say(one)} has ${journal} journal lines, not ${wanted}`);
    if (isWon(one) && !stands) findings.push(`half: ${say(one)} was acknowledged and is not there`);
  }
  return findings;
}

/** A skill is in quarantine if it was put there once more often than it came back. */
function halfMoves({ tried }: History, state: HomeState): string[] {
  const ids = idsByToken(state);
  const done = tried.filter((one) => (ids.get(one.token)?.size ?? 0) > 0);
  return groups(done, (one) => one.name).flatMap((all) => {
    const [{ name } = { name: "" }] = all;
    const count = (op: Tried["op"]) => all.filter((one) => one.op === op).length;
    const away = count("quarantine") - count("restore");
    const found = state.files.filter((one) => one.name === name && one.place === "quarantine").length;
    return found === away
      ? []
      : [`half: ${name} was moved away ${away} times more than back; ${found} files are there`];
  });
}

/** Each acknowledged event stands once; one of a killed process at most once. */
function wrongEvents({ tried }: History, state: HomeState): string[] {
  const ids = idsByToken(state);
  const counts = countBy(state.events, (one) => one.id);
  const findings = [...counts].flatMap(([id, count]) =>
    count > 1 ? [`doubled: event ${id} has ${count} lines`] : [],
  );
  for (const one of tried.filter((attempt) => attempt.op === "append")) {
    const found = ids.get(one.token) ?? new Set<string>();
    if (one.outcome?.ok === false) findings.push(`refused: ${say(one)}: ${one.outcome.code}`);
    const wanted = one.outcome?.event;
    if (wanted !== undefined && !found.has(wanted))
      findings.push(`lost: the acknowledged event ${wanted} is in no ledger`);
    if (found.size > 1) findings.push(`doubled: ${say(one)} has ${found.size} events`);
  }
  return findings;
}

function idsByToken({ events }: HomeState): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { id, token } of events) ids.set(token, (ids.get(token) ?? new Set()).add(id));
  return ids;
}

function groups<T>(all: readonly T[], keyOf: (one: T) => string): T[][] {
  const found = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = found.get(key);
    if (group === undefined) found.set(key, [one]);
    else group.push(one);
  }
  return [...found.values()];
}

function repeated<T>(all: readonly T[], keyOf: (one: T) => string): T[][] {
  return groups(all, keyOf).filter((group) => group.length > 1);
}

function countBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, number> {
  return new Map(groups(all, keyOf).map((group) => [keyOf(group[0] as T), group.length]));
}
