import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { fullDisk } from "./full-disk.ts";

test(
  "P2 a full disk takes a change whole or refuses it, and reading goes on",
  unlessItCannot(fullDisk),
  (t) => findsNothing(t, fullDisk),
);
