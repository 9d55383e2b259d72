/** Design section 3 as data: which folder of `lib/` may import which. A name with a slash is one file of a folder. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  schema: ["core"],
  redact: ["core"],
  markdown: ["core", "schema"],
  vault: ["core", "schema", "markdown"],
  drivers: ["core", "schema"],
  indexing: ["core", "schema", "vault", "drivers/driver"],
  retrieval: ["core", "schema", "vault", "indexing", "drivers/driver"],
  models: ["core", "schema"],
  hosts: ["core", "schema", "markdown", "redact", "vault"],
  exchange: ["core", "schema", "markdown", "redact", "vault", "hosts"],
  gate: ["core", "schema", "markdown", "redact"],
  evidence: ["core", "schema", "vault"],
  librarian: ["core", "schema", "markdown", "redact", "vault", "indexing"],
  store: ["core", "schema", "markdown", "vault", "indexing", "retrieval"],
  library: [
    "core",
    "schema",
    "redact",
    "markdown",
    "vault",
    "drivers",
    "indexing",
    "retrieval",
    "models",
    "hosts",
    "exchange",
    "gate",
    "evidence",
    "librarian",
    "store",
  ],
  cli: ["core", "schema", "library"],
  mcp: ["core", "schema", "library"],
  web: ["core", "schema", "library"],
  index: ["library", "core", "schema", "drivers/driver", "markdown/format"],
};

/** Foreign packages, each with the one folder that may import it. What is not here may be imported nowhere. */
export const PACKAGE_HOMES: readonly { readonly package: RegExp; readonly folder: string }[] = [
  { package: /^valibot$/, folder: "schema" },
  {
    package: /^(?:unified|remark(?:-[a-z]+)*|mdast(?:-[a-z]+)*|micromark(?:-[a-z]+)*|js-yaml)$/,
    folder: "markdown",
  },
  { package: /^(?:@sqlite\.org\/sqlite-wasm|sql\.js|fts5-sql-bundle)$/, folder: "drivers" },
  { package: /^commander$/, folder: "cli" },
  { package: /^modern-tar$/, folder: "vault" },
];

/** The seams: a contract, a registry, and one file an implementation, which alone has a default export. */
export const SEAM_FOLDERS: readonly string[] = ["drivers", "markdown"];

export const FORBIDDEN_FOLDERS: readonly string[] = [
  "utils",
  "util",
  "helpers",
  "helper",
  "common",
  "shared",
  "misc",
];

export const FILE_LINES = 250;
export const FUNCTION_LINES = 60;
