#!/usr/bin/env node
// Indexes folders of skills without any set-up: node bin/reindex.mjs [DIR…]
import { start } from "./start.mjs";

await start("cli/reindex-main", "reindexMain");
