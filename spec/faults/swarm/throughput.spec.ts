import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { throughput } from "./throughput.ts";

test(
  "T-R3 of updates that race, and of one that stops between reading and writing, none is lost",
  unlessItCannot(throughput),
  (t) => findsNothing(t, throughput),
);
