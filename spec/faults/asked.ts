import type { Form, Section } from "./section.ts";

/** What a run of the harness was asked for. */
export type Asked =
  | { readonly form: Form; readonly names: readonly string[] }
  | { readonly help: string }
  | { readonly problem: string };

/** What the arguments of a run ask for: sections by name, none for all; the long form where none is named. */
export function asked(args: readonly string[], sections: readonly Section[]): Asked {
  if (args.includes("--help") || args.includes("-h")) return { help: helpOf(sections) };
  const known = sections.map((section) => section.name);
  const odd = args.filter((arg) => arg.startsWith("-") && !/^--(?:form|section)=/.test(arg));
  if (odd.length > 0)
    return {
      problem: `Unknown option ${odd.join(", ")}. Allowed: --form=short|long, --section=NAME, --help.`,
    };
  const forms = args.filter((arg) => arg.startsWith("--form=")).map((arg) => arg.slice(7));
  const form = forms.at(-1) ?? "long";
  if (form !== "short" && form !== "long")
    return { problem: `Unknown form ${JSON.stringify(form)}. Allowed: short, long.` };
  const names = args.flatMap((arg) =>
    arg.startsWith("--section=") ? arg.slice(10).split(",") : arg.startsWith("--") ? [] : [arg],
  );
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return {
      problem: `No section ${unknown.map((name) => JSON.stringify(name)).join(", ")}. There are: ${known.join(", ")}.`,
    };
  return { form, names };
}

function helpOf(sections: readonly Section[]): string {
  const width = Math.max(...sections.map(({ name }) => name.length));
  const lines = sections.map((section) => {
    const why = section.cannotRun();
    return `  ${section.name.padEnd(width)}${why === undefined ? "" : `  cannot run here: ${why}`}`.trimEnd();
  });
  return `npm run faults [-- --form=short|long] [--section=NAME[,NAME]] [NAME …]

Kills, delays and damages real processes over homes in temporary folders, and prints one table and every finding.

  --form=short    what CI runs: a few minutes in all
  --form=long     the default: more than an hour in all
  --section=NAME  these sections alone, by the names below; a name with a space in quotes
  --help          this page

Sections, in the order of the table:
${lines.join("\n")}

All of them run on Linux as root, with strace, mount, unshare and prlimit; \`npm run bench:setup\` fetches what throughput
is compared with. A section whose tools are missing says so and is skipped.

It ends with 0 where nothing was found, 1 where something was, 2 on an argument that it does not know.`;
}
