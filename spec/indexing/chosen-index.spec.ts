import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { chooseIndex } from "../../lib/indexing/chosen-index.ts";
import { openLibrary, verifyHome } from "../../lib/library.ts";
import { viewVault } from "../../lib/vault/view-vault.ts";
import { temporaryFolder, writeTree } from "../support/home.ts";

function homeOf(settings: Readonly<Record<string, string>>): string {
  const home = join(temporaryFolder(), "home");
  writeTree(home, { "LIBRARIAN.md": "", "settings.json": JSON.stringify(settings) });
  return home;
}

test("S3.23 what the caller names of the index comes before the settings, and those before the default", () => {
  const none = { driver: undefined, dsn: undefined, engine: undefined };
  const settings = { driver: "memory", dsn: "/elsewhere/x.db", engine: "sql.js" };
  const rows = [
    [none, {}, ["sqljs", "HOME/index.sqlite", undefined, false]],
    [{ ...none, driver: "memory" }, {}, ["memory", "HOME/index.memory", undefined, true]],
    [none, settings, ["memory", "/elsewhere/x.db", "sql.js", false]],
    [{ ...none, driver: "", dsn: "" }, settings, ["memory", "/elsewhere/x.db", "sql.js", false]],
    [{ ...none, driver: "sqljs" }, settings, ["sqljs", "/elsewhere/x.db", "sql.js", true]],
    [{ ...none, dsn: "file:///a/b%20c.db" }, settings, ["memory", "/a/b c.db", "sql.js", false]],
    [{ ...none, dsn: "file:/a/b.db" }, settings, ["memory", "/a/b.db", "sql.js", false]],
    [{ ...none, dsn: ":memory:", engine: "other" }, settings, ["memory", ":memory:", "other", false]],
  ] as const;
  for (const [given, stands, wanted] of rows) {
    const vault = viewVault(homeOf(stands), createContext());
    const { driver, dsn, engine, isDriverGiven } = chooseIndex(given, vault, "sqljs");
    assert.deepEqual([driver, dsn.replace(vault.home, "HOME"), engine, isDriverGiven], wanted);
  }
});

test("S3.23 a driver that is not known is a fault of whoever has named it: of the settings, or of the caller", async () => {
  const home = homeOf({ driver: "memry" });
  await assert.rejects(openLibrary({ home }), {
    code: "CANONRY_UNKNOWN_DRIVER",
    message: /It stands in \S+settings\.json\.$/,
  });
  await assert.rejects(
    openLibrary({ home, driver: "sqlj" }),
    (error: Error) => !error.message.includes("It stands in"),
  );
  const { findings } = await verifyHome({ home });
  assert.deepEqual(
    findings.map((one) => one.code),
    ["SETTINGS_REFUSED"],
  );
  await assert.rejects(verifyHome({ home, driver: "sqlj" }), { code: "CANONRY_UNKNOWN_DRIVER" });
});
