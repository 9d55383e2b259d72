import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { errnoOf, isCanonryError } from "../../../lib/core/errors.ts";
import { sha256 } from "../../../lib/core/hash.ts";
import type { Change, CommitResult } from "../../../lib/vault/change.ts";
import type { Vault } from "../../../lib/vault/vault.ts";
import type { Dice } from "./dice.ts";
import { type HistoryWriter, type Outcome, SUPERSEDED } from "./history-file.ts";
import { makeText, SPACE, versionOf } from "./whole-text.ts";

/** What a writer of the swarm works with. */
export interface Desk {
  readonly vault: Vault;
  readonly history: HistoryWriter;
  readonly dice: Dice;
  readonly names: readonly string[];
  readonly agent: string;
}

export type Act = (desk: Desk) => void;

export const canonPath = (name: string): string => `${SPACE}/canon/${name}.md`;
export const quarantinePath = (name: string): string => `${SPACE}/quarantine/${name}.md`;

/** Every other change is of one of the first few, so that many meet. */
const HOT = 4;

function pickName({ dice, names }: Desk): string {
  return dice.roll(2) === 0 ? dice.pick(names) : dice.pick(names.slice(0, HOT));
}

/** Makes a skill where there is none; put into quarantine counts as there. */
export const create: Act = (desk) => {
  const name = pickName(desk);
  if (textAt(desk, quarantinePath(name)) !== undefined) return;
  if (textAt(desk, canonPath(name)) === undefined) commitText(desk, "create", name, undefined);
};

/** One change from what was read; a conflict ends it, and the text must be kept (P3). */
export const patch: Act = (desk) => {
  const name = pickName(desk);
  const found = textAt(desk, canonPath(name));
  if (found !== undefined) commitText(desk, "patch", name, found);
};

/** A change that is made anew from what stands there until it is made; rounds that came too late are nobody's text. */
export const update: Act = (desk) => {
  const name = pickName(desk);
  const where = { fingerprint: SPACE, name, target: canonPath(name) };
  const began = performance.now();
  let open: string | undefined;
  const close = (outcome: Outcome) => {
    if (open !== undefined) desk.history.outcome(open, outcome);
    open = undefined;
  };
  try {
    const result = desk.vault.update(where, (found) => {
      close({ ok: false, code: SUPERSEDED });
      if (found === undefined) return undefined;
      const { id, base, next, ...made } = newText(desk, name, found.toString("utf8"));
      desk.history.attempt({ id, op: "update", name, base, next, token: made.runId });
      open = id;
      return made;
    });
    close(acknowledged(result, performance.now() - began));
  } catch (error) {
    if (open === undefined) {
      open = newToken();
      desk.history.attempt({ id: open, op: "update", name, base: null, next: null, token: newToken() });
    }
    close(failed(error));
  }
};

export const quarantine: Act = (desk) => moveText(desk, "quarantine", canonPath, quarantinePath);
export const restore: Act = (desk) => moveText(desk, "restore", quarantinePath, canonPath);

/** One event of its own, as a search or a stub writes it. */
export const append: Act = (desk) => {
  const token = newToken();
  const id = newToken();
  desk.history.attempt({ id, op: "append", name: "", base: null, next: null, token });
  const began = performance.now();
  outcomeOf(desk, id, () => {
    const event = desk.vault.append({
      event: "applied",
      fingerprint: SPACE,
      agent: desk.agent,
      run_id: token,
    });
    const ms = performance.now() - began;
    return event === undefined ? { ok: false, code: "dropped" } : { ok: true, event: event.id, ms };
  });
};

function textAt(desk: Desk, path: string): string | undefined {
  const file = desk.vault.layout.absolute(path);
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // another process may have put it back by now
    if (errnoOf(error) !== "ENOENT") throw error;
    return undefined;
  }
}

/** The text after the one that stands there, with what a change says beside it. */
function newText(desk: Desk, name: string, found: string | undefined) {
  const token = newToken();
  const version = found === undefined ? 1 : versionOf(found) + 1;
  const content = makeText({ name, version, token, bodyBytes: desk.dice.roll(11_000) });
  const base = found === undefined ? null : sha256(found);
  const event = found === undefined ? "promoted" : "patched";
  return {
    id: newToken(),
    base,
    next: sha256(content),
    content,
    ...signed(desk, name, token, version, event),
  };
}

function commitText(desk: Desk, op: "create" | "patch", name: string, found: string | undefined): void {
  const { id, next, base, ...made } = newText(desk, name, found);
  desk.history.attempt({ id, op, name, base, next, token: made.runId });
  commit(desk, id, { kind: "put", fingerprint: SPACE, name, target: canonPath(name), base, ...made });
}

function moveText(
  desk: Desk,
  op: "quarantine" | "restore",
  from: (name: string) => string,
  to: (name: string) => string,
): void {
  const name = pickName(desk);
  const found = textAt(desk, from(name));
  if (found === undefined) return;
  const [id, base] = [newToken(), sha256(found)];
  const event = op === "quarantine" ? "quarantined" : "restored";
  const made = signed(desk, name, newToken(), versionOf(found), event);
  desk.history.attempt({ id, op, name, base, next: null, token: made.runId });
  commit(desk, id, {
    kind: "move",
    fingerprint: SPACE,
    name,
    target: from(name),
    to: to(name),
    base,
    ...made,
  });
}

type Kind = "promoted" | "patched" | "quarantined" | "restored";

/** What all changes have in common; `token` marks the event and the journal line of this one. */
function signed(desk: Desk, name: string, token: string, version: number, event: Kind) {
  return {
    by: "librarian",
    runId: token,
    version,
    verdict: null,
    journal: `${event} ${name} ${token}`,
    event: { event, fingerprint: SPACE, skill: name, agent: desk.agent, run_id: token },
  } as const;
}

function commit(desk: Desk, id: string, change: Change): void {
  const began = performance.now();
  outcomeOf(desk, id, () => acknowledged(desk.vault.commit(change), performance.now() - began));
}

function acknowledged({ seq, changed, keptEdit }: CommitResult, ms: number): Outcome {
  return { ok: true, seq, changed, ms, ...(keptEdit === undefined ? {} : { keptEdit }) };
}

function outcomeOf(desk: Desk, id: string, act: () => Outcome): void {
  let outcome: Outcome;
  try {
    outcome = act();
  } catch (error) {
    outcome = failed(error);
  }
  desk.history.outcome(id, outcome);
}

function failed(error: unknown): Outcome {
  if (!isCanonryError(error)) return { ok: false, code: String(error) };
  const keptAt = error.data["keptAt"];
  const code = error.code === "CANONRY_CONFLICT" ? error.code : `${error.code}: ${error.message}`;
  return { ok: false, code, keptAt: typeof keptAt === "string" ? keptAt : null };
}

function newToken(): string {
  return randomBytes(8).toString("hex");
}
