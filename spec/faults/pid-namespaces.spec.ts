import { test } from "node:test";
import { pidNamespaces } from "./pid-namespaces.ts";
import { findsNothing, unlessItCannot } from "./short-form.ts";

test(
  "P3 two containers with the same process numbers share a home and lose nothing",
  unlessItCannot(pidNamespaces),
  (t) => findsNothing(t, pidNamespaces),
);
