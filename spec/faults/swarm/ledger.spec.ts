import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { ledger } from "./ledger.ts";

test(
  "C10 a killed writer of the ledger loses at most the line that it had not acknowledged, and tears none of the others'",
  unlessItCannot(ledger),
  (t) => findsNothing(t, ledger),
);
