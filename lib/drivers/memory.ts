import { nameKey } from "../core/names.ts";
import { foldCounters } from "../schema/counters.ts";
import { type Counters, type LedgerEvent, NO_COUNTERS } from "../schema/ledger-event.ts";
import { type IndexedRow, type Row, rowId } from "../schema/row.ts";
import type { Batch, Digests, Fields, Filter, Hit, IndexDriver, OpenDriver, SearchTerms } from "./driver.ts";
import { createGuard } from "./guard.ts";
import { exactScore, fold, foldedText, literalScore } from "./ladder.ts";
import { selectRows } from "./memory/filter.ts";
import {
  countHolding,
  createScorer,
  NO_TEXT,
  readText,
  type Scores,
  type Text,
  type Wanted,
} from "./memory/full-text.ts";
import { ORDERS } from "./order.ts";

interface Entry {
  readonly row: IndexedRow;
  readonly text: Text;
}

interface Content {
  readonly entries: Map<string, Entry>;
  readonly events: Map<string, LedgerEvent>;
  readonly state: Map<string, string>;
}

/** The readable reference: what every driver must answer, with nothing kept beyond the process. */
const openMemory: OpenDriver = async () => {
  const guard = createGuard("memory");
  let content: Content = { entries: new Map(), events: new Map(), state: new Map() };
  const rows = () => Array.from(content.entries.values(), (entry) => entry.row);

  const driver: IndexDriver = {
    name: "memory",
    engine: `memory (Node ${process.versions.node})`,
    supports: Object.freeze({ persistent: false, fullText: true }),
    async apply(batch, signal) {
      guard.check(signal);
      content = withBatch(content, batch);
    },
    async get(key, signal) {
      guard.check(signal);
      return structuredClone(content.entries.get(rowId(key))?.row);
    },
    async list(filter, order, limit = Number.POSITIVE_INFINITY, offset = 0, signal) {
      guard.check(signal);
      const from = Math.max(0, Math.trunc(offset));
      const sorted = selectRows(rows(), filter).sort(ORDERS[order]);
      return structuredClone(sorted.slice(from, from + Math.max(0, Math.trunc(limit))));
    },
    async names(filter, signal) {
      guard.check(signal);
      return [...new Set(selectRows(rows(), filter).map((row) => row.name))];
    },
    async count(filter, signal) {
      guard.check(signal);
      return selectRows(rows(), filter).length;
    },
    async search(terms, filter, limit, signal) {
      guard.check(signal);
      return structuredClone(search(content, terms, filter).slice(0, Math.max(0, Math.trunc(limit))));
    },
    async frequencies(terms, fields, signal) {
      guard.check(signal);
      const texts = textsOf(content);
      return { rows: texts.length, holding: terms.map((term) => countHolding(texts, term, fields)) };
    },
    async digests({ place }, signal) {
      guard.check(signal);
      const found = rows().filter((row) => place === undefined || row.place === place);
      return { rows: found.map(digestOf), state: Object.fromEntries(content.state) };
    },
    async standing(signal) {
      guard.check(signal);
      return "";
    },
    async flush(signal) {
      guard.check(signal);
      return false;
    },
    async close() {
      guard.close();
    },
  };
  return driver;
};

export default openMemory;

function digestOf({ place, path, digest, bytesHash, stamp, state }: Row): Digests["rows"][number] {
  return { place, path, digest, bytesHash, stamp, state };
}

/** A copy with the batch in it; what it was made from stays as it is if any part of the batch fails. */
function withBatch(before: Content, batch: Batch): Content {
  const events = new Map(batch.forgetEvents === true ? [] : before.events);
  for (const event of batch.events ?? [])
    if (!events.has(event.id)) events.set(event.id, structuredClone(event));
  const entries = new Map(before.entries);
  for (const key of batch.remove ?? []) entries.delete(rowId(key));
  for (const { row, terms } of batch.put ?? []) {
    const text = terms === undefined ? (entries.get(rowId(row))?.text ?? NO_TEXT) : readText(terms);
    entries.set(rowId(row), { row: { ...structuredClone(row), counters: NO_COUNTERS }, text });
  }
  const counted = countersOf(events.values());
  for (const [id, { row, text }] of entries)
    entries.set(id, { row: { ...row, counters: counted(row) }, text });
  const state = new Map(before.state);
  for (const [key, value] of Object.entries(batch.state ?? {})) {
    if (value === undefined) state.delete(key);
    else state.set(key, value);
  }
  return { entries, events, state };
}

function countersOf(events: Iterable<LedgerEvent>): (row: Row) => Counters {
  const byPair = new Map<string, LedgerEvent[]>();
  for (const event of events) {
    const pair = `${event.fingerprint}\u0000${event.skill}`;
    const own = byPair.get(pair);
    if (own === undefined) byPair.set(pair, [event]);
    else own.push(event);
  }
  return (row) => {
    const own = byPair.get(`${row.fingerprint}\u0000${row.name}`);
    return own === undefined ? NO_COUNTERS : foldCounters(own);
  };
}

function textsOf(content: Content): Text[] {
  return Array.from(content.entries.values(), (entry) => entry.text);
}

function search(content: Content, terms: SearchTerms, filter: Filter): Hit[] {
  const score = scorerOf(content, terms);
  const rows = Array.from(content.entries.values(), (entry) => entry.row);
  return selectRows(rows, filter)
    .map((row) => ({ row, ...score(row) }))
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score || ORDERS.recent(a.row, b.row));
}

function inFields(terms: readonly string[], fields: Fields): Wanted[] {
  return terms.filter((term) => term !== "").map((term) => ({ term, fields }));
}

function scorerOf(content: Content, terms: SearchTerms): (row: Row) => Scores {
  if (terms.kind === "match") {
    const wanted = [...inFields(terms.terms, "all"), ...inFields(terms.heads ?? [], "heads")];
    if (wanted.length === 0) return () => ({ score: 0, body: 0 });
    const score = createScorer(textsOf(content), wanted, terms.all);
    return (row) => score(content.entries.get(rowId(row))?.text ?? NO_TEXT);
  }
  if (terms.kind === "exact") {
    const text = fold(terms.text);
    return (row) => ({ score: exactScore(nameKey(row.name), foldedText(row), text), body: 0 });
  }
  const tokens = terms.tokens.map(fold);
  return (row) => ({ score: literalScore(nameKey(row.name), foldedText(row), tokens), body: 0 });
}
