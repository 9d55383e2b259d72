import { nameKey } from "../../core/names.ts";
import { indexTerms } from "../../core/terms.ts";
import type { LedgerEvent } from "../../schema/ledger-event.ts";
import type { Row } from "../../schema/row.ts";
import type { IndexDriver, Put } from "../driver.ts";

/** A row of a skill that says little: `universal/canon/<name>.md`. */
export function sampleRow(name: string, over: Partial<Row> = {}): Row {
  return {
    place: "universal",
    path: `canon/${name}.md`,
    name,
    keys: [nameKey(name)],
    title: `About ${name}`,
    description: `What ${name} is for.`,
    summary: `What ${name} is for.`,
    fingerprint: "*",
    origin: "generated",
    state: "active",
    version: 1,
    languages: ["*"],
    toolsets: ["*"],
    requiresTools: [],
    triggers: [],
    tags: [],
    taskType: "",
    personOnly: false,
    bytes: 100,
    digest: "d".repeat(64),
    bytesHash: "b".repeat(64),
    stamp: "1:2:3:100",
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-02T00:00:00.000Z",
    diagnostics: [],
    ...over,
  };
}

/** The row with the terms of its fields, and of a body. */
export function samplePut(name: string, over: Partial<Row> = {}, body = ""): Put {
  const row = sampleRow(name, over);
  return {
    row,
    terms: {
      name: indexTerms(row.name),
      description: indexTerms(row.description),
      triggers: indexTerms(row.triggers.join(" ")),
      body: indexTerms(body),
    },
  };
}

export function sampleEvent(id: string, event: string, over: Partial<LedgerEvent> = {}): LedgerEvent {
  return {
    id,
    ts: `2026-02-01T00:00:00.${id.slice(-3).padStart(3, "0")}Z`,
    run_id: "run-1",
    wave: 1,
    agent: "worker-1",
    fingerprint: "*",
    skill: "alpha",
    version: 1,
    model: "",
    event,
    value: null,
    notes: "",
    ...over,
  };
}

export async function putAll(driver: IndexDriver, ...put: Put[]): Promise<void> {
  await driver.apply({ put });
}

export function namesOf(rows: readonly { readonly name: string }[]): string[] {
  return rows.map((row) => row.name);
}
