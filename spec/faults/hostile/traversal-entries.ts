import { posix, win32 } from "node:path";
import { CanonryError } from "../../../lib/core/errors.ts";
import { assertSkillName, isSkillName, slugOf } from "../../../lib/core/names.ts";
import type { Library } from "../../../lib/library.ts";
import type { Claim, ClaimStep } from "../../../lib/schema/claim.ts";
import { problemOfEntry } from "../../../lib/vault/backup/kinds.ts";
import { problemOfClaim } from "../../../lib/vault/claim-rules.ts";
import { problemOfPath } from "../../../lib/vault/path-rules.ts";
import { openInside } from "../../../lib/vault/paths.ts";
import type { Vault } from "../../../lib/vault/vault.ts";
import { CANARY, type Outside } from "../../vault/outside.ts";

/** What one place that takes a path or a name does with a string: a sentence where it let somebody out. */
export interface Entry {
  readonly name: string;
  readonly attempt: (text: string) => Promise<string | undefined> | string | undefined;
}

/** What a skill may be called, said once more: the rule itself is on trial. */
const PLAIN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const TOKEN = ".x.tmp-1-0123456789ab";
const SPACE = "universal/canon/";
const MANIFEST = "versions/universal/inner/1-01234567.json";

/** Whether a path stays below its root on either kind of system, before anything is opened. */
function staysBelow(path: string, folder = ""): boolean {
  return [posix, win32].every(({ resolve, relative, isAbsolute, sep }) => {
    const root = resolve(sep, "root", folder);
    const way = relative(root, resolve(sep, "root", path));
    return way !== "" && way.split(sep)[0] !== ".." && !isAbsolute(way);
  });
}

function claimWith(steps: readonly ClaimStep[], token = TOKEN): Claim {
  const shared = { id: "0123456789abcdef", seq: 1, fingerprint: "*", name: "inner", base: null, next: null };
  return { ...shared, token, at: "2026-01-01T00:00:00.000Z", steps: [...steps] };
}

/** Every step that a claim may have, with the string in the place of a path or as a part of one. */
function hostileClaims(text: string): Claim[] {
  const target = `${SPACE}inner.md`;
  const json = "{}";
  return [
    claimWith([], text),
    ...[text, `${SPACE}${text}`, `universal/${text}/inner.md`].flatMap((path) => [
      claimWith([{ do: "replace", temp: SPACE + TOKEN, target: path, keep: true }]),
      claimWith([{ do: "replace", temp: path, target, keep: true }]),
      claimWith([{ do: "replace", temp: `${posix.dirname(path)}/${TOKEN}`, target: path, keep: true }]),
      claimWith([{ do: "move", from: path, to: target }]),
      claimWith([{ do: "move", from: target, to: path }]),
    ]),
    ...[text, `versions/universal/inner/${text}`, `versions/universal/${text}/1-01234567.json`].map(
      (manifest) => claimWith([{ do: "version", manifest, json }]),
    ),
  ];
}

function pathsOf(claim: Claim): string[] {
  return claim.steps.flatMap((step) => {
    if (step.do === "replace") return [step.temp, step.target];
    if (step.do === "move") return [step.from, step.to];
    return step.do === "version" ? [step.manifest] : [];
  });
}

async function handsOut(work: () => Promise<{ body: string }>): Promise<string | undefined> {
  try {
    const { body } = await work();
    return body.includes(CANARY) ? "handed out what stands outside" : undefined;
  } catch (error) {
    return error instanceof CanonryError ? undefined : `threw ${String(error)}`;
  }
}

function refuses(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return error instanceof CanonryError ? undefined : `threw ${String(error)}`;
  }
  return "was not refused";
}

/** Rules alone: nothing is opened, so that every string can be tried in every place. */
export function ruleEntries(vault: Vault): Entry[] {
  const rule = (name: string, problemOf: (text: string) => string | undefined): Entry => ({
    name,
    attempt: (text) =>
      problemOf(text) === undefined && !staysBelow(text)
        ? "let through a path that leaves the root"
        : undefined,
  });
  return [
    rule("path rule", (text) => problemOfPath(text)),
    rule("backup entry", problemOfEntry),
    {
      name: "skill name",
      attempt(text) {
        const slug = slugOf(text);
        if (slug !== undefined && !PLAIN.test(slug)) return `made ${JSON.stringify(slug)} of it`;
        if (isSkillName(text) && !PLAIN.test(text)) return "was taken for a name";
        return isSkillName(text) ? undefined : refuses(() => assertSkillName(text));
      },
    },
    {
      name: "claim step",
      attempt(text) {
        for (const claim of hostileClaims(text)) {
          if (problemOfClaim(vault.layout, claim) !== undefined) continue;
          const escaped = pathsOf(claim).find((path) => path !== MANIFEST && !staysIn(path));
          if (escaped !== undefined) return `let through ${JSON.stringify(escaped)}`;
          if (claim.steps.length === 0) return "let through a token that is no temporary file";
        }
        return undefined;
      },
    },
  ];
}

function staysIn(path: string): boolean {
  return ["universal", "versions/universal/inner"].some((folder) => staysBelow(path, folder));
}

/** The real thing over a real tree. */
export function diskEntries(stage: Outside, vault: Vault): Entry[] {
  const opens = (links: "refuse" | "follow") => (text: string) => {
    for (const root of [`${stage.home}/universal/canon/inner`, `${stage.skills}/inner-two`])
      for (const path of [text, `references/${text}`])
        try {
          const { bytes } = openInside(root, path, { maxBytes: 1_000, links });
          if (bytes.includes(CANARY)) return `opened ${JSON.stringify(path)}`;
        } catch (error) {
          if (!(error instanceof CanonryError)) return `threw ${String(error)}`;
        }
    return undefined;
  };
  const content = "---\nname: inner\n---\n";
  const change = {
    name: "inner",
    fingerprint: "*",
    by: "x",
    runId: "",
    version: 1,
    verdict: null,
    base: null,
  };
  return [
    { name: "reference, links refused", attempt: opens("refuse") },
    { name: "reference, links followed", attempt: opens("follow") },
    {
      name: "commit",
      attempt(text) {
        const paths = [text, `../${text}`, `universal/../${text}`, `0123456789ab/${text}`];
        for (const target of paths) {
          if (isOwn(target)) continue;
          const put = refuses(() => vault.commit({ ...change, kind: "put", target, content }));
          const to = { ...change, kind: "move", target: `${SPACE}inner.md`, base: "0".repeat(64) } as const;
          const move = refuses(() => vault.commit({ ...to, to: target }));
          const moves = [{ from: `${SPACE}inner.md`, to: target }];
          const side = refuses(() => vault.commit({ ...to, to: `universal/archive/inner.md`, moves }));
          if (put !== undefined || move !== undefined || side !== undefined)
            return `${JSON.stringify(target)}: ${put ?? move ?? side}`;
        }
        return undefined;
      },
    },
  ];
}

/** A path of the space itself is no escape, however it is called. */
function isOwn(target: string): boolean {
  return target.startsWith("universal/") && problemOfPath(target) === undefined;
}

/** What agents and hosts call. */
export function libraryEntries(library: Library): Entry[] {
  return [
    { name: "read by name", attempt: (text) => handsOut(() => library.read(text, { record: false })) },
    {
      name: "read by qualified name",
      attempt: async (text) =>
        (await handsOut(() => library.read(`inner@${text}`, { record: false }))) ??
        (await handsOut(() => library.read(`${text}@universal`, { record: false }))),
    },
    {
      name: "read --file",
      attempt: async (text) =>
        (await handsOut(() => library.read("inner", { file: text, record: false }))) ??
        (await handsOut(() => library.read("inner-two", { file: text, record: false }))),
    },
  ];
}
