import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { errorSweep } from "./error-sweep.ts";

test(
  "T-R2 whatever call fails or writes short: no truncated file is acknowledged, each refusal is typed and changes nothing",
  unlessItCannot(errorSweep),
  (t) => findsNothing(t, errorSweep),
);
