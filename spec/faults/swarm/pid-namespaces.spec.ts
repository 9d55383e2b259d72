import { test } from "node:test";
import { findsNothing, unlessItCannot } from "../short-form.ts";
import { pidNamespaces } from "./pid-namespaces.ts";

test(
  "P3 two containers with the same process numbers share a home and lose nothing",
  unlessItCannot(pidNamespaces),
  (t) => findsNothing(t, pidNamespaces),
);
