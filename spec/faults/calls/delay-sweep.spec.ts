import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { delaySweep } from "./delay-sweep.ts";

test(
  "P3 held up between any two calls while another writes: one winner from one base, and nobody's text is gone",
  unlessItCannot(delaySweep),
  (t) => findsNothing(t, delaySweep),
);
