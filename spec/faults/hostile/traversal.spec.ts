import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { traversal } from "./traversal.ts";

test(
  "T-S8 no string leads out of a folder, wherever a name or a path is taken",
  unlessItCannot(traversal),
  (t) => findsNothing(t, traversal),
);
