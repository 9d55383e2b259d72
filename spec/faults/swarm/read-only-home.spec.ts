import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { readOnlyHome } from "./read-only-home.ts";

test(
  "P2 a home that may only be read is read, with the index in memory, and writers are told",
  unlessItCannot(readOnlyHome),
  (t) => findsNothing(t, readOnlyHome),
);
