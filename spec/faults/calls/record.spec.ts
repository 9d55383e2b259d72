import assert from "node:assert/strict";
import { test } from "node:test";
import { withFolder } from "../temporary.ts";
import { PATCH } from "./operations.ts";
import { recordAll } from "./record.ts";
import { cannotTrace } from "./strace.ts";

test(
  "P2 an operation that cannot be prepared, or fails undisturbed, is a finding of its own and hides no other",
  { skip: cannotTrace() ?? false },
  () =>
    withFolder(async (root) => {
      const prepare = () => {
        throw new Error("no room");
      };
      const act = () => ({ do: "mount", dir: "/nowhere/at/all" }) as const;
      const { recorded, failed } = await recordAll(
        [{ ...PATCH, name: "first", prepare }, { ...PATCH, name: "second", act }, PATCH],
        root,
      );
      assert.deepEqual(
        recorded.map(({ template, points }) => [template.operation.name, points.length > 10]),
        [["patch", true]],
      );
      assert.deepEqual(failed.map(({ fault, trials }) => [fault, trials]).sort(), [
        ["first, undisturbed", 1],
        ["second, undisturbed", 1],
      ]);
      const findings = failed.flatMap((row) => row.findings).sort();
      assert.equal(findings[0], "first, undisturbed: no room");
      assert.match(findings[1] ?? "", /^second, undisturbed: it came out as /);
    }),
);
