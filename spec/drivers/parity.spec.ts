import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createContext } from "../../lib/core/context.ts";
import { stem } from "../../lib/core/stem.ts";
import { samplePut } from "../../lib/drivers/conformance/samples.ts";
import type { Batch, Filter, IndexDriver, SearchTerms } from "../../lib/drivers/driver.ts";
import openMemory from "../../lib/drivers/memory.ts";
import { engines } from "../../lib/drivers/sqljs/engines.ts";
import openSqljs from "../../lib/drivers/sqljs.ts";
import { ROW_STATES } from "../../lib/schema/row.ts";

const name = fc.constantFrom("alpha", "Alpha", "beta", "béta", "gamma-ray", "\u{1F600}", "\uFF5E", "x y");
const place = fc.constantFrom("p", "q", "universal");
const word = fc.constantFrom("walrus", "zebra", "connect", "connected", "ci", "Größe", 'a"b', "two words");
const words = fc.array(word, { maxLength: 3 });
const time = fc.constantFrom("", "2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z");
const state = fc.constantFrom(...ROW_STATES);
const fingerprint = fc.constantFrom("*", "0123456789ab");

const put = fc
  .record({
    name,
    place,
    path: fc.constantFrom("1.md", "2.md", "3.md", "4.md"),
    fingerprint,
    state,
    title: word,
    description: fc.oneof(word, fc.constant("several\nlines of ☃")),
    triggers: words,
    tags: words,
    requiresTools: words,
    languages: words,
    toolsets: words,
    personOnly: fc.boolean(),
    taskType: fc.constantFrom("", "debug"),
    updatedAt: time,
    keys: fc.uniqueArray(fc.constantFrom("alpha", "beta", "other"), { maxLength: 2 }),
  })
  .chain((over) =>
    fc.tuple(words, fc.boolean()).map(([body, bare]) => {
      const made = samplePut(over.name, over, body.join(" "));
      return bare ? { row: made.row } : made;
    }),
  );

const event = fc.record({
  id: fc.nat({ max: 40 }).map((n) => `id-${n}`),
  ts: fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"),
  run_id: fc.constantFrom("", "run-1", "run-2"),
  wave: fc.nat({ max: 3 }),
  agent: fc.constant("a"),
  fingerprint,
  skill: name,
  version: fc.constantFrom(null, 1),
  model: fc.constant(""),
  event: fc.constantFrom("hydrated", "win", "loss", "cost_saved", "tie", "else"),
  value: fc.constantFrom(null, 0.1, 0.2, 0.3),
  notes: fc.constant(""),
});

const batch: fc.Arbitrary<Batch> = fc.record(
  {
    put: fc.array(put, { maxLength: 6 }),
    remove: fc.array(fc.record({ place, path: fc.constantFrom("1.md", "2.md", "3.md") }), { maxLength: 2 }),
    events: fc.array(event, { maxLength: 6 }),
  },
  { requiredKeys: [] },
);

const filter: fc.Arbitrary<Filter> = fc.record(
  {
    path: fc.array(place, { maxLength: 3 }),
    shadowed: fc.boolean(),
    states: fc.array(state, { maxLength: 2 }),
    key: fc.constantFrom("alpha", "beta", "other"),
    place,
    tools: words,
    languages: words,
    toolsets: words,
    forAgents: fc.boolean(),
    taskType: fc.constantFrom("", "debug"),
    tags: fc.array(fc.constantFrom("CI", "GRÖSSE", "größe", "zebra"), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

const terms: fc.Arbitrary<SearchTerms> = fc.oneof(
  fc.record({
    kind: fc.constant("match" as const),
    terms: fc.uniqueArray(fc.constantFrom("walrus", "zebra", "connection", "ci", "alpha", "absent"), {
      maxLength: 3,
    }),
    heads: fc.uniqueArray(fc.constantFrom("beta", "two", "connects"), { maxLength: 2 }),
    all: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("literal" as const),
    tokens: fc.array(fc.constantFrom("ALPHA", "zeb", "größe", '"', "a", "\\"), { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant("exact" as const),
    text: fc.constantFrom("Alpha", "two words", "Größe", "several lines of ☃", 'a"b'),
  }),
);

async function compare(one: IndexDriver, other: IndexDriver, by: Filter, wanted: SearchTerms): Promise<void> {
  for (const order of ["seed", "evidence", "name", "recent"] as const) {
    assert.deepEqual(await one.list(by, order), await other.list(by, order));
    assert.deepEqual(await one.list(by, order, 2, 1), await other.list(by, order, 2, 1));
  }
  assert.equal(await one.count(by), await other.count(by));
  const [left, right] = [await one.search(wanted, by, 20), await other.search(wanted, by, 20)];
  const about = (score: number) => Number(score.toPrecision(9));
  const shown = (hits: typeof left) =>
    hits.map((hit) => [hit.row.place, hit.row.path, about(hit.score), about(hit.body)]).sort();
  assert.deepEqual(shown(left), shown(right));
  for (const fields of ["all", "heads"] as const) {
    const words = ["walrus", "connection", "alpha", "absent", "größe", "words"];
    assert.deepEqual(await one.frequencies(words, fields), await other.frequencies(words, fields));
  }
}

async function property(engine: string, wanted: fc.Arbitrary<SearchTerms>, numRuns: number): Promise<void> {
  const load = engines.get(engine);
  assert.ok(load);
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { minLength: 1, maxLength: 5 }),
      filter,
      wanted,
      async (batches, by, search) => {
        const options = { vaultId: "vault", context: createContext(), engine };
        const [one, other] = [await openSqljs(options), await openMemory(options)];
        try {
          for (const part of batches) {
            await one.apply(part);
            await other.apply(part);
          }
          await compare(one, other, {}, search);
          await compare(one, other, by, search);
          for (const row of await other.list({}, "name")) assert.deepEqual(await one.get(row), row);
        } finally {
          await one.close();
        }
      },
    ),
    { numRuns },
  );
}

test("design 4: sqljs answers what the reference answers, counters, orders, shadows, searches and scores", () =>
  property("fts5-sql-bundle", terms, 150));

test("design 4: so it does on the default engine", () => property("sqlite-wasm", terms, 25));

test("design 6: the reference stems as the full-text engine does", async () => {
  const { Database } = await engines.get("sqlite-wasm")();
  const db = new Database();
  db.exec(`CREATE VIRTUAL TABLE f USING fts5(x, tokenize='porter ascii');
    CREATE VIRTUAL TABLE v USING fts5vocab(f, 'instance');`);
  const roots = [
    "connect",
    "hop",
    "fall",
    "sky",
    "say",
    "fil",
    "conflat",
    "troubl",
    "siz",
    "gener",
    "oper",
    "relat",
    "adopt",
    "hom",
    "b",
    "pl",
    "ski",
    "tr",
    "groß",
    "maß",
    "søk",
    "бег",
    "yloя",
    "naßß",
  ];
  const endings =
    `- s es sses ies ed eed ing y ational tional enci izer bli alli entli eli ousli ization ation ator alism iveness fulness
    ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion sion tion ou
    ism ate iti ous ive ize e ll lle ated ying yed logi`.split(/\s+/);
  const all = roots.flatMap((root) => endings.map((ending) => (ending === "-" ? root : `${root}${ending}`)));
  for (const [at, one] of all.entries()) db.run("INSERT INTO f(rowid, x) VALUES (?, ?)", [at + 1, one]);
  const found = db.exec("SELECT doc, term FROM v")[0]?.values ?? [];
  assert.equal(found.length, all.length);
  for (const [doc, term] of found) assert.equal(stem(all[Number(doc) - 1] ?? ""), term, all[Number(doc) - 1]);
});
