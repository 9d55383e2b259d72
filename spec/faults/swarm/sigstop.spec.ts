import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { sigstop } from "./sigstop.ts";

test(
  "P3 a process that was stopped in the middle of a change wakes to a conflict, or to its work done",
  unlessItCannot(sigstop),
  (t) => findsNothing(t, sigstop),
);
