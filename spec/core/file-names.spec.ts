import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { type AsideSuffix, keepAside, nameBeforeAside } from "../../lib/core/keep-aside.ts";
import { isTempOf, tempPath } from "../../lib/core/temp-names.ts";
import { temporaryFolder } from "../support/home.ts";

test("design 5: a temporary file is known as that of its target, however long its name, and of no other", () => {
  const long = `${"x".repeat(60)}.json`;
  for (const name of ["index.sqlite", long]) {
    const temp = basename(tempPath(`/folder/${name}`));
    assert.equal(isTempOf(name, temp), true, temp);
    assert.equal(isTempOf(`${name.slice(0, 5)}.md`, temp), false);
    assert.equal(isTempOf(name, `${temp}0`), false);
  }
  assert.equal(isTempOf("index.sqlite", ".index.sqlite.3.json.tmp-1-0123456789ab"), false);
  assert.equal(isTempOf("index.sqlite", ".index.sqlite.tmp-1-0123456789ab"), true);
});

test("B53 whatever was kept aside is known by what it was called before, and nothing else is", () => {
  const folder = temporaryFolder();
  for (const suffix of [".bak", ".seed", ".damaged"] as const)
    for (let n = 1; n <= 3; n++) {
      writeFileSync(join(folder, "a.3.json"), "x");
      const kept = basename(keepAside(join(folder, "a.3.json"), suffix) ?? "");
      assert.equal(kept, n === 1 ? `a.3.json${suffix}` : `a.3.json${suffix}-${n}`);
      for (const asked of [".bak", ".seed", ".damaged"] as const)
        assert.equal(nameBeforeAside(kept, asked), asked === suffix ? "a.3.json" : undefined);
    }
  const rows: [string, AsideSuffix, string | undefined][] = [
    ["a.bak-0123456789ab", ".bak", "a"],
    ["a.bak.bak-2", ".bak", "a.bak"],
    ["a.bak-x", ".bak", undefined],
    ["a.bakery", ".bak", undefined],
    [".bak", ".bak", undefined],
    ["a", ".bak", undefined],
  ];
  for (const [name, suffix, before] of rows) assert.equal(nameBeforeAside(name, suffix), before, name);
});
