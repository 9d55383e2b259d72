import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { createContext, silentLog } from "../../lib/core/context.ts";
import { isCanonryError } from "../../lib/core/errors.ts";
import { readClaim } from "../../lib/vault/claims.ts";
import { createLayout } from "../../lib/vault/layout.ts";
import { readLedger } from "../../lib/vault/ledger.ts";
import { parseEvent } from "../../lib/vault/ledger-line.ts";
import { readMounts } from "../../lib/vault/mounts.ts";
import type { Room } from "../../lib/vault/room.ts";
import { readSettings } from "../../lib/vault/settings.ts";
import { takeSlot } from "../../lib/vault/slots.ts";
import { listVersions } from "../../lib/vault/versions.ts";
import { type Fuzz, fuzz, jsonNoise } from "../support/fuzz.ts";

const EVENT = JSON.stringify({
  id: "0190a0b0-0000-7000-8000-000000000001",
  ts: "2026-01-01T00:00:00.000Z",
  event: "hydrated",
  wave: 1,
  baseline: { uses: 1, wins: 1, losses: 0, cost_saved_usd: 0, last_used_at: null, last_wave: null },
});
const CLAIM = JSON.stringify({
  id: "0123456789abcdef",
  seq: 1,
  fingerprint: "*",
  name: "inner",
  token: ".inner.1.tmp-1-0123456789ab",
  base: null,
  next: null,
  at: "2026-01-01T00:00:00.000Z",
  steps: [{ do: "move", from: "universal/canon/inner.md", to: "universal/archive/inner.md" }],
});
const MANIFEST = JSON.stringify({
  version: 1,
  parent: null,
  bytesHash: "0".repeat(64),
  files: [{ path: "references/a.md", bytesHash: "0".repeat(64), executable: false }],
  at: "2026-01-01T00:00:00.000Z",
  by: "x",
  runId: "",
  verdict: null,
});

/** Every file that a home keeps for programs, with anything in it; `home` is a fresh, real folder. */
export function vaultFuzz(home: string): Fuzz[] {
  const layout = createLayout(home);
  const room: Room = { layout, machine: "m-fuzz", context: createContext({ log: silentLog }) };
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  return [
    fuzz("ledger lines", jsonNoise(EVENT), (line) => {
      const parsed = parseEvent(line);
      assert.ok("event" in parsed || parsed.problem.length > 0);
    }),
    fuzz(
      "ledger files",
      fc.array(fc.oneof(jsonNoise(EVENT), fc.constant(EVENT)), { maxLength: 8 }),
      (lines) => {
        put(layout.ledgerFile("m-fuzz", "2026-01"), `${lines.join("\n")}\n`);
        const whole = lines
          .flatMap((line) => line.split("\n"))
          .filter((line) => line.trim() === EVENT).length;
        assert.ok(readLedger(room, {}).events.length >= whole);
      },
      0.1,
    ),
    fuzz(
      "claims",
      jsonNoise(CLAIM),
      (text) => {
        put(layout.claim("*", "inner", 1), text);
        const read = readClaim(layout, "*", "inner", 1);
        assert.ok(read !== undefined && ("claim" in read || read.problem !== ""));
      },
      0.1,
    ),
    fuzz(
      "version manifests",
      jsonNoise(MANIFEST),
      (text) => {
        put(layout.versionFile("*", "inner", 1, "0".repeat(64)), text);
        assert.ok(listVersions(room, "*", "inner").length <= 1);
      },
      0.1,
    ),
    fuzz(
      "mounts.json",
      jsonNoise(JSON.stringify({ mounts: [{ dir: "/nowhere", for: "*" }] })),
      (text) => {
        put(layout.mounts, text);
        assert.ok(Array.isArray(readMounts(room, false)));
      },
      0.1,
    ),
    fuzz(
      "settings.json",
      jsonNoise(JSON.stringify({ driver: "memory", dsn: ":memory:" })),
      (text) => {
        put(layout.settings, text);
        try {
          readSettings(layout);
        } catch (error) {
          assert.ok(isCanonryError(error, "CANONRY_SETTINGS"), String(error));
        }
      },
      0.1,
    ),
    fuzz(
      "slots",
      fc.tuple(fc.integer({ min: 1, max: 5 }), jsonNoise('{"runId":"r","wave":0,"agent":"a","skill":"x"}')),
      ([n, text]) => {
        rmSync(layout.slots, { recursive: true, force: true });
        const reader = { runId: "r", wave: 0, agent: "a" };
        assert.equal(takeSlot(layout.slots, reader, "one"), "taken");
        const [folder = ""] = readdirSync(layout.slots);
        put(join(layout.slots, folder, `slot-${n}`), text);
        assert.match(takeSlot(layout.slots, reader, "two"), /^(?:taken|repeated|full)$/);
      },
      0.02,
    ),
  ];
}
