import { runDriverConformance } from "../../lib/drivers/conformance.ts";
import openMemory from "../../lib/drivers/memory.ts";

runDriverConformance({ name: "memory", open: openMemory, fullText: true, persistent: false });
