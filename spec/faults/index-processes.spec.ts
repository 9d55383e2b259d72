import { test } from "node:test";
import { indexProcesses } from "./index-processes.ts";
import { findsNothing, unlessItCannot } from "./short-form.ts";

test(
  "T-R3 P2 processes that write, search and flush over one index, killed and stopped: no old answer, no torn image",
  unlessItCannot(indexProcesses),
  (t) => findsNothing(t, indexProcesses),
);
