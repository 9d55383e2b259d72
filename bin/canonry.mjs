#!/usr/bin/env node
import { start } from "./start.mjs";

await start("cli/main", "main");
