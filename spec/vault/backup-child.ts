/**
 * Changes and moves skills until a file says stop, as agents and a librarian would: each name is patched, quarantined
 * and brought back, over and over; each patch has a text of its own that says whose it is.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isCanonryError } from "../../lib/core/errors.ts";
import { sha256 } from "../../lib/core/hash.ts";
import type { Change } from "../../lib/vault/change.ts";
import { openVault } from "../../lib/vault/vault.ts";

const [home = "", stop = "", who = "", ...names] = process.argv.slice(2);
const vault = openVault({ home });
const at = (folder: string, name: string) => `universal/${folder}/${name}.md`;

for (let round = 1; !existsSync(stop); round++)
  for (const name of names)
    try {
      const change = changeOf(name, round);
      if (change !== undefined) vault.commit(change);
      vault.append({ event: "hydrated", skill: name, fingerprint: "*", agent: who });
    } catch (error) {
      // another process was first, or has moved the file on
      if (!isCanonryError(error, "CANONRY_CONFLICT", "CANONRY_FILE_NOT_FOUND")) throw error;
    }
vault.close();

function changeOf(name: string, round: number): Change | undefined {
  const folder = ["canon", "quarantine"].find((one) => existsSync(join(home, at(one, name))));
  if (folder === undefined) return undefined;
  const text = readText(at(folder, name));
  if (text === undefined) return undefined;
  const version = Number(/version (\d+)/.exec(text)?.[1] ?? 0) + 1;
  const known = { fingerprint: "*", name, target: at(folder, name), by: who, runId: "r", verdict: null };
  const change = { ...known, base: sha256(text), version };
  if (round % 2 === 0)
    return { ...change, kind: "move", to: at(folder === "canon" ? "quarantine" : "canon", name) };
  return { ...change, kind: "put", content: `# ${name} version ${version} by ${who}\n` };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(join(home, path), "utf8");
  } catch {
    return undefined;
  }
}
