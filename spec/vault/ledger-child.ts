/**
 * Appends events in a process of its own, until there are `count` of them or somebody kills it. After each one that was
 * acknowledged its id goes to a file that no other process writes, so that a killed one's are known too.
 */
import { appendFileSync, closeSync, openSync } from "node:fs";
import { createContext } from "../../lib/core/context.ts";
import { openVault } from "../../lib/vault/vault.ts";

const [home = "", acknowledged = "", count = "0", who = "", clock = ""] = process.argv.slice(2);
// a clock of the spec's choosing, which goes on from event to event
let now = Number(clock);
const context = createContext(clock === "" ? {} : { clock: () => (now += 1) });
const vault = openVault({ home, context });
const fd = openSync(acknowledged, "a");
for (let i = 0; i < Number(count); i++) {
  const event = vault.append({
    event: "hydrated",
    skill: `skill-${i % 7}`,
    fingerprint: "*",
    run_id: `run-${who}-${i}`,
    agent: who,
    wave: i,
  });
  if (event !== undefined) appendFileSync(fd, `${event.id}\n`);
}
closeSync(fd);
vault.close();
