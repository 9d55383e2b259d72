import { sep } from "node:path";
import { listingOf } from "../../hosts/listing.ts";
import { HOSTS, type Host, VALIDATORS } from "../../hosts/table.ts";
import type { Shelf, ShelvedSkill } from "./demo.ts";
import type { DemoReader, DemoReport } from "./report.ts";

/** The hosts whose folders these are, or those that the demo shows; behind them who else would say no. */
export function readersOf(shelves: readonly Shelf[], source: DemoReport["source"]): DemoReader[] {
  const owners = new Set(
    shelves.flatMap(({ folder }) => (source === "demo" ? folder.readers : folder.owners)),
  );
  const hosts = HOSTS.filter(({ id }) => owners.has(id)).map((host) => {
    const read = shelves.filter(({ folder }) => folder.readers.includes(host.id));
    const skills = once(
      read.flatMap(({ folder, skills }) => skills.filter((one) => sees(host, folder.dir, one))),
    );
    return {
      ...reading(host.id, host.title, skills),
      present: true,
      listing: listingOf(host, skills) ?? null,
    };
  });
  const all = once(shelves.flatMap(({ skills }) => skills));
  const others = VALIDATORS.map(({ id, title }) => ({
    ...reading(id, title, all),
    present: false,
    listing: null,
  }));
  return [...hosts, ...others];
}

/** Each real file once. */
function once(skills: readonly ShelvedSkill[]): ShelvedSkill[] {
  return [...new Map(skills.map((one) => [one.real, one])).values()];
}

/** Some hosts look only so many folders down. */
function sees({ depth }: Host, dir: string, { file }: ShelvedSkill): boolean {
  return depth === undefined || file.slice(dir.length + 1).split(sep).length - 1 <= depth;
}

function reading(id: string, title: string, files: readonly ShelvedSkill[]) {
  const reasons = new Map<string, number>();
  let refused = 0;
  for (const { problems } of files) {
    const codes = new Set(problems.filter(({ hosts }) => hosts.includes(id)).map(({ code }) => code));
    if (codes.size > 0) refused++;
    for (const code of codes) reasons.set(code, (reasons.get(code) ?? 0) + 1);
  }
  const counted = [...reasons].map(([code, count]) => ({ code, skills: count }));
  counted.sort((a, b) => b.skills - a.skills || (a.code < b.code ? -1 : 1));
  const read = files.filter((one) => one.skill !== undefined).length;
  return { host: id, title, skills: read, refused, reasons: counted };
}
