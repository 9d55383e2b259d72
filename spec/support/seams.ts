import { hasDefaultExport, importsOf, parse, type Source } from "./architecture.ts";

/** A seam: where its implementations stand, who lists them, who proves them and where people read of them. */
export interface Seam {
  readonly folder: string;
  /** Below `lib/`. */
  readonly registry: string;
  readonly conformance: string;
  /** The document with one table row an implementation. */
  readonly docs: string;
}

export const SEAMS: readonly Seam[] = [
  {
    folder: "drivers",
    registry: "drivers/registry.ts",
    conformance: "drivers/conformance.ts",
    docs: "docs/write-a-driver.md",
  },
  {
    folder: "markdown",
    registry: "markdown/registry.ts",
    conformance: "markdown/conformance.ts",
    docs: "docs/formats.md",
  },
];

/** The implementations of a seam: the files right in its folder that have a default export. */
export function implementationsOf(seam: Seam, lib: readonly Source[]): string[] {
  return lib
    .filter(({ path }) => path.startsWith(`${seam.folder}/`) && path.split("/").length === 2)
    .filter((source) => parse(source).statements.some(hasDefaultExport))
    .map(({ path }) => path);
}

function nameOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.ts$/, "");
}

/** What is missing: one line of the registry, a spec that runs the conformance suite (one an engine), one row of the document. */
export function checkSeam(
  seam: Seam,
  lib: readonly Source[],
  specs: readonly Source[],
  docs: string,
): string[] {
  const registry = lib.find(({ path }) => path === seam.registry);
  if (registry === undefined) return [`lib/${seam.registry} is missing`];
  const registered = importsOf(registry)
    .filter((one) => one.ours && !one.typeOnly)
    .map((one) => one.target);
  const implementations = implementationsOf(seam, lib);
  const proving = specs.filter((spec) =>
    importsOf(spec).some((one) => one.target === `../lib/${seam.conformance}`),
  );
  const problems = implementations.flatMap((path) => {
    const lines = registered.filter((target) => target === path).length;
    const proofs = proving.filter((spec) =>
      importsOf(spec).some((one) => one.target === `../lib/${path}`),
    ).length;
    const rows = docs
      .split("\n")
      .filter((line) => line.replace(/ +\|/g, " |").startsWith(`| \`${nameOf(path)}\` |`)).length;
    return [
      lines === 1 ? "" : `lib/${path} has ${lines} lines in the registry`,
      proofs > 0 ? "" : `lib/${path} has no spec that runs the conformance suite on it`,
      rows === 1 ? "" : `lib/${path} has ${rows} rows in ${seam.docs}`,
    ].filter((problem) => problem !== "");
  });
  const stray = registered.filter(
    (path) => path.startsWith(`${seam.folder}/`) && !implementations.includes(path),
  );
  return [
    ...problems,
    ...stray.map((path) => `${seam.registry} lists lib/${path}, which has no default export`),
  ];
}
