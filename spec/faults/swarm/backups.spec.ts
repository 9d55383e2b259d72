import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { backups } from "./backups.ts";

test(
  "P2 a killed backup leaves the old archive or a whole new one, a killed restore is done again with the same result",
  unlessItCannot(backups),
  (t) => findsNothing(t, backups),
);
