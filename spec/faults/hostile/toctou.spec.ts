import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { toctou } from "./toctou.ts";

test(
  "T-S8 files and folders exchanged for links in a loop: nothing is read, kept or written outside",
  unlessItCannot(toctou),
  (t) => findsNothing(t, toctou),
);
