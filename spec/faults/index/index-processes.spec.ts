import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { indexProcesses } from "./index-processes.ts";

test(
  "T-R3 P2 processes that write, search and flush over one index, killed and stopped: no old answer, no torn image",
  unlessItCannot(indexProcesses),
  (t) => findsNothing(t, indexProcesses),
);
