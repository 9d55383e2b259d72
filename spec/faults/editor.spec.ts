import { test } from "node:test";
import { editor } from "./editor.ts";
import { findsNothing, unlessItCannot } from "./short-form.ts";

test(
  "P3 what an editor saved while others changed the file is in the file or kept",
  unlessItCannot(editor),
  (t) => findsNothing(t, editor),
);
