import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { swarm } from "./swarm.ts";

test(
  "T-R3 many processes at mixed work, killed and stopped at random: nothing lost, doubled, torn or left over",
  unlessItCannot(swarm),
  (t) => findsNothing(t, swarm),
);
