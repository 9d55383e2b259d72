// One process that updates files as one would with packages from npm today: proper-lockfile around read, change and
// write-file-atomic. node bench/peer-update.mjs JOB, the same job as spec/faults/updater.ts; prints what came out.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import lockfile from "proper-lockfile";
import writeFileAtomic from "write-file-atomic";

const job = JSON.parse(process.argv[2] ?? "{}");
const waits = [];
let compromised = 0;
let made = 0;

/** Patient and quick to look again: its own default gives up at once. */
const RETRIES = { forever: true, factor: 1.5, minTimeout: 2, maxTimeout: 50, randomize: true };

async function update(file) {
  let lost = false;
  const unlock = await lockfile.lock(file, {
    retries: RETRIES,
    stale: job.staleMs,
    onCompromised: () => {
      lost = true;
      compromised++;
    },
  });
  const text = readFileSync(file, "utf8");
  const count = Number(/^version: (\d+)$/m.exec(text)[1]) + 1;
  const next = text.replace(/^version: \d+$/m, `version: ${count}`);
  if (lost) return false;
  if (++made === job.stopAt) process.kill(process.pid, "SIGSTOP");
  await writeFileAtomic(file, next);
  // a lock that was taken over cannot be given back; what was written is written
  await unlock().catch(() => {});
  return true;
}

process.stdout.write("ready\n");
while (!existsSync(job.go)) await sleep(5);
const until = Number(readFileSync(job.go, "utf8"));
for (let round = 0; Date.now() < until; round++) {
  const began = performance.now();
  const done = await update(join(job.folder, `${job.names[round % job.names.length]}.md`));
  if (done) waits.push(Math.round((performance.now() - began) * 100) / 100);
}
process.stdout.write(JSON.stringify({ waits, compromised }));
