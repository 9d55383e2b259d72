import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { killSweep } from "./kill-sweep.ts";

test(
  "T-R1 an operation killed at any of its system calls is done or not done: nothing lost, torn or left over (P2)",
  unlessItCannot(killSweep),
  (t) => findsNothing(t, killSweep),
);
