import assert from "node:assert/strict";
import { test } from "node:test";
import { diskError } from "../../lib/core/errors.ts";

test("T-R2 a quota that is used up is called by its name, which Node 20 does not know", {
  skip: process.platform !== "linux" && "another number there",
}, () => {
  const cause = Object.assign(new Error("UNKNOWN: unknown error, write"), { code: "UNKNOWN", errno: -122 });
  const error = diskError("write", "/home/skill.md", cause);
  assert.equal(error.data.errno, "EDQUOT");
  assert.match(error.message, /^Could not write \/home\/skill\.md: EDQUOT\. /);
});
