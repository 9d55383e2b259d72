import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { indexDamage } from "./index-damage.ts";

test(
  "T-R4 an index that is spoilt in any way is kept aside or does no harm, and answers like a fresh one",
  unlessItCannot(indexDamage),
  (t) => findsNothing(t, indexDamage),
);
