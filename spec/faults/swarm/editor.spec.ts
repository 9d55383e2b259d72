import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { editor } from "./editor.ts";

test(
  "P3 what an editor saved while others changed the file is in the file or kept",
  unlessItCannot(editor),
  (t) => findsNothing(t, editor),
);
