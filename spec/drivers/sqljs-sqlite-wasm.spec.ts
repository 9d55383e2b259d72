import { runDriverConformance } from "../../lib/drivers/conformance.ts";
import openSqljs from "../../lib/drivers/sqljs.ts";

runDriverConformance({
  name: "sqljs on sqlite-wasm",
  open: openSqljs,
  engine: "sqlite-wasm",
  fullText: true,
  persistent: true,
});
