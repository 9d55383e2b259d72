import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openVault } from "../../lib/vault/vault.ts";
import { writeTree } from "../support/home.ts";
import { openStage } from "./stage.ts";

test("B53 a settings file that is empty, torn or of another shape is an error that names it, and is never overwritten", () => {
  const { home } = openStage();
  for (const text of ["", "  \n", '{"driver":"sq', "[]", "null", '"text"', "7", "\0"]) {
    writeTree(home, { "settings.json": text });
    for (const create of [false, true])
      assert.throws(
        () => openVault({ home, create }),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, "CANONRY_SETTINGS");
          assert.ok(error.message.includes(join(home, "settings.json")));
          return true;
        },
      );
    assert.equal(readFileSync(join(home, "settings.json"), "utf8"), text);
  }
});

test("design 2: an unknown key of the settings is refused with the allowed ones and the nearest", () => {
  const { home } = openStage();
  writeTree(home, { "settings.json": '{"drivr":"sqljs"}' });
  assert.throws(
    () => openVault({ home }),
    (error: Error & { code?: string; data?: Record<string, unknown> }) => {
      assert.equal(error.code, "CANONRY_SETTINGS");
      assert.match(error.message, /unknown key "drivr"\. Did you mean driver\? Allowed: .*driver/);
      assert.equal(error.data?.["key"], "drivr");
      return true;
    },
  );
  writeTree(home, { "settings.json": '{"driver":7}' });
  assert.throws(() => openVault({ home }), /driver/);
});

test("design 2: settings are read with or without a byte order mark, and no file is no settings", () => {
  const { home, vault } = openStage();
  assert.deepEqual(vault.settings, {});
  writeTree(home, { "settings.json": '\uFEFF{"driver":"memory"}\n' });
  assert.deepEqual({ ...openVault({ home }).settings }, { driver: "memory" });
});

test("design 2: pins are a list of names without blanks around them, and anything else is refused", () => {
  const { home } = openStage();
  writeTree(home, { "settings.json": '{"pins":[" house-style ","b"]}' });
  assert.deepEqual(openVault({ home }).settings.pins, ["house-style", "b"]);
  for (const pins of ['"house-style"', '[" "]', "[7]"]) {
    writeTree(home, { "settings.json": `{"pins":${pins}}` });
    assert.throws(() => openVault({ home }), { code: "CANONRY_SETTINGS", message: /pins/ });
  }
});
