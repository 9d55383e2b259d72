import assert from "node:assert/strict";
import { test } from "node:test";
import { createContext } from "../../lib/core/context.ts";
import { DEFAULT_DRIVER, drivers, loadDriver } from "../../lib/drivers/registry.ts";

const options = { vaultId: "vault", context: createContext() };

test("S3.22 an empty driver name means sqljs", async () => {
  for (const name of [undefined, "", "sqljs"]) {
    const driver = await (await loadDriver(name))(options);
    assert.equal(driver.name, "sqljs");
    await driver.close();
  }
  assert.equal(DEFAULT_DRIVER, "sqljs");
});

test("S3.22 an unknown driver is CANONRY_UNKNOWN_DRIVER and names the registered ones", async () => {
  await assert.rejects(loadDriver("sqlsj"), (error: Error & { code?: string }) => {
    assert.equal(error.code, "CANONRY_UNKNOWN_DRIVER");
    assert.match(error.message, /sqljs, memory/);
    assert.match(error.message, /"sqlsj"/);
    return true;
  });
});

test("design 3: every line of the table loads a driver that goes by its name", async () => {
  assert.deepEqual(drivers.names, ["sqljs", "memory"]);
  for (const name of drivers.names) {
    const driver = await (await loadDriver(name))(options);
    assert.equal(driver.name, name);
    await driver.close();
  }
});
