import { sha256 } from "../../core/hash.ts";
import { LIMITS } from "../../core/limits.ts";
import type { Version } from "../../schema/claim.ts";
import type { Finding } from "../../schema/finding.ts";
import type { Layout } from "../layout.ts";
import { readRegular } from "./read.ts";
import { note, problem } from "./scene.ts";

/** The kept versions of one skill. */
export interface Chain {
  readonly layout: Layout;
  readonly fingerprint: string;
  readonly name: string;
  readonly versions: readonly Version[];
  /** Whether every manifest could be read: without one, nothing can be said of the others. */
  readonly whole: boolean;
  /** Whether a change of the skill is still to be finished: then its file may be ahead of its versions. */
  readonly open: boolean;
}

/** What is wrong with the chain of a skill's versions, and whether its file is the newest of them. */
export function chainFindings(chain: Chain): Finding[] {
  if (!chain.whole) return [];
  const versions = [...chain.versions].sort((a, b) => a.version - b.version || (a.at < b.at ? -1 : 1));
  const sorted = { ...chain, versions };
  return [...linkFindings(sorted), ...fileFindings(sorted)];
}

/**
 * Each version leads from its parent to its own text, and a text may come back. So a text must be led to as often as
 * it is led from, but for the last one: where it is led from more often, two changes have won from one state.
 */
function linkFindings(chain: Chain): Finding[] {
  const found: Finding[] = [];
  for (const parent of new Set(chain.versions.map((version) => version.parent))) {
    const made = chain.versions.filter((version) => version.parent === parent);
    const [last] = made.slice(-1);
    if (last === undefined) continue;
    const times = parent === null ? 1 : timesReached(chain, parent);
    if (times === 0) found.push(hole(chain, last));
    else if (made.length > times) found.push(parent === null ? secondRoot(chain, last) : fork(chain, made));
  }
  return found;
}

function timesReached({ versions }: Chain, hash: string): number {
  return versions.filter((version) => version.bytesHash === hash).length;
}

function manifestOf({ layout, fingerprint, name }: Chain, { version, bytesHash }: Version): string {
  return layout.versionFile(fingerprint, name, version, bytesHash);
}

function hole(chain: Chain, version: Version): Finding {
  return problem(
    manifestOf(chain, version),
    "VERSION_PARENT_MISSING",
    `It was made from ${version.parent}, which is no version that is kept.`,
    "put the missing manifest back from a backup or another machine",
  );
}

function secondRoot(chain: Chain, version: Version): Finding {
  return note(
    manifestOf(chain, version),
    "VERSION_SECOND_ROOT",
    "A second version that was made from nothing: the skill was moved away and made anew, or two vaults were merged.",
    "nothing, if that is so",
  );
}

/** Of one number they won side by side; of two, somebody may have put an older text back by hand in between. */
function fork(chain: Chain, made: readonly Version[]): Finding {
  const [first, second] = made.slice(-2);
  const texts = made.map((one) => chain.layout.object(one.bytesHash)).join(" and ");
  const from = `from ${made[0]?.parent}`;
  const last = second ?? first;
  const file = last === undefined ? chain.name : manifestOf(chain, last);
  return first?.version === second?.version
    ? problem(
        file,
        "VERSION_FORK",
        `Two versions of one number were made ${from}: ${texts}. One of them does not hold what the other says.`,
        "compare the two, and put what is missing into the skill's file; after a merge of two vaults this is to be expected",
      )
    : note(
        file,
        "VERSION_FORK",
        `More than one version was made ${from}: ${texts}. An older text was put back by hand, or two vaults were merged.`,
        "compare the texts, if you did neither",
      );
}

function fileFindings(chain: Chain): Finding[] {
  if (chain.open) return [];
  const newest = newestOf(chain);
  const places = ["canon", "quarantine", "archive"] as const;
  const files = places.map((place) => `${chain.layout[place](chain.fingerprint)}/${chain.name}.md`);
  for (const file of files) {
    const bytes = bytesOf(file);
    if (bytes === null) return [];
    if (bytes !== undefined) return compare(chain, newest, file, bytes);
  }
  const object = chain.layout.object(newest.bytesHash);
  return [
    note(
      files[0] ?? chain.name,
      "SKILL_GONE",
      "Versions of it are kept, and it stands neither in canon nor in quarantine nor in the archive.",
      `nothing, if a person removed it; else copy ${object} here`,
    ),
  ];
}

/** The version that no other was made from; where several are, or none, the one of the highest number. */
function newestOf({ versions }: Chain): Version {
  const parents = new Set(versions.map((version) => version.parent));
  const newest = versions.findLast((version) => !parents.has(version.bytesHash)) ?? versions.at(-1);
  if (newest === undefined) throw new Error("a chain has at least one version");
  return newest;
}

/** Undefined where there is none; null where it cannot be read, which is found elsewhere. */
function bytesOf(file: string): Buffer | undefined | null {
  try {
    return readRegular(file, LIMITS.skillFileBytes);
  } catch {
    return null;
  }
}

function compare(chain: Chain, newest: Version, file: string, bytes: Buffer): Finding[] {
  const hash = sha256(bytes);
  if (hash === newest.bytesHash) return [];
  const older = chain.versions.find((version) => version.bytesHash === hash);
  if (older !== undefined)
    return [
      note(
        file,
        "VERSION_OLDER",
        `It is version ${older.version}; the newest that is kept is ${newest.version}, ${chain.layout.object(newest.bytesHash)}.`,
        "nothing, if you put it back on purpose",
      ),
    ];
  const object = chain.layout.object(newest.bytesHash);
  const text = bytesOf(object);
  const isCut =
    text !== undefined &&
    text !== null &&
    bytes.length < text.length &&
    text.subarray(0, bytes.length).equals(bytes);
  return isCut && bytes.at(-1) !== 10
    ? [
        problem(
          file,
          "FILE_CUT",
          `It is the first ${bytes.length} of the ${text.length} bytes of version ${newest.version}.`,
          `copy ${object} here`,
        ),
      ]
    : [
        note(
          file,
          "VERSION_NOT_KEPT",
          "It is no version that is kept: a person has edited it since.",
          "nothing; the next change by a program keeps it first",
        ),
      ];
}
