import { runDriverConformance } from "../../lib/drivers/conformance.ts";
import openSqljs from "../../lib/drivers/sqljs.ts";

runDriverConformance({
  name: "sqljs on sql.js",
  open: openSqljs,
  engine: "sql.js",
  fullText: false,
  persistent: true,
});
