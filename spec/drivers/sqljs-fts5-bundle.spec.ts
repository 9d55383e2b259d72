import { runDriverConformance } from "../../lib/drivers/conformance.ts";
import openSqljs from "../../lib/drivers/sqljs.ts";

runDriverConformance({
  name: "sqljs on fts5-sql-bundle",
  open: openSqljs,
  engine: "fts5-sql-bundle",
  fullText: true,
  persistent: true,
});
