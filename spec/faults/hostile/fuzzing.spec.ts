import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { fuzzing } from "./fuzzing.ts";

test(
  "T-R5 T-R6 any bytes, texts, names, queries and state files, and files cut anywhere: an answer, never an exception",
  unlessItCannot(fuzzing),
  (t) => findsNothing(t, fuzzing),
);
