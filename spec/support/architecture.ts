import { dirname, join, normalize } from "node:path/posix";
import ts from "typescript";
import { FORBIDDEN_FOLDERS, MAY_IMPORT, PACKAGE_HOMES, SEAM_FOLDERS } from "./import-table.ts";
import { isFrozenLiteral, mutatedNames, programStatements } from "./module-state.ts";

/** One file of `lib/`: its path below `lib/` with forward slashes, and its text. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly says: string;
}

export interface Import {
  readonly from: string;
  /** A path below `lib/` where it is one of ours, else what stands in the quotes. */
  readonly target: string;
  readonly line: number;
  readonly typeOnly: boolean;
  /** `import("…")` inside a function: it runs when both modules are complete. */
  readonly lazy: boolean;
  readonly ours: boolean;
}

/** Programs of their own: a worker's file has statements that run. */
const WORKER = /-worker\.ts$/;

export function parse(source: Source): ts.SourceFile {
  return ts.createSourceFile(source.path, source.text, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TS);
}

function lineOf(file: ts.SourceFile, node: ts.Node): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) {
    if (node.isTypeOnly) return true;
    const clause = node.exportClause;
    return (
      clause !== undefined && ts.isNamedExports(clause) && clause.elements.every((one) => one.isTypeOnly)
    );
  }
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every((one) => one.isTypeOnly);
}

/** Static, lazy and re-exporting imports of a file, and `import("…")` types. */
export function importsOf(source: Source): Import[] {
  const file = parse(source);
  const found: Import[] = [];
  const add = (node: ts.Node, specifier: ts.Node | undefined, typeOnly: boolean): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    const ours = specifier.text.startsWith(".");
    const target = ours ? normalize(join(dirname(source.path), specifier.text)) : specifier.text;
    found.push({
      from: source.path,
      target,
      line: lineOf(file, node),
      typeOnly,
      lazy: ts.isCallExpression(node),
      ours,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
      add(node, node.moduleSpecifier, isTypeOnly(node));
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node, node.arguments[0], false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node, node.argument.literal, true);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `drivers/sqljs.ts` → drivers; `library.ts` → library. */
export function layerOf(path: string): string {
  const [first = ""] = path.split("/");
  return first.replace(/\.ts$/, "");
}

/** A contract is a file without code: types only. Records and core are contracts by what they are for. */
function isContract(source: Source): boolean {
  return parse(source).statements.every(
    (one) =>
      ts.isInterfaceDeclaration(one) ||
      ts.isTypeAliasDeclaration(one) ||
      ((ts.isImportDeclaration(one) || ts.isExportDeclaration(one)) && isTypeOnly(one)),
  );
}

function packageOf(specifier: string): string {
  const [first = "", second = ""] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

/** Imports of ours against the table; a type-only import is free where its target is a contract. */
export function checkLayers(sources: readonly Source[]): Problem[] {
  const contracts = new Set(sources.filter(isContract).map((one) => one.path));
  const problems: Problem[] = [];
  for (const one of sources.flatMap(importsOf).filter((found) => found.ours)) {
    const [from, to] = [layerOf(one.from), layerOf(one.target)];
    const allowed = MAY_IMPORT[from];
    const report = (says: string): number =>
      problems.push({ path: one.from, line: one.line, rule: "layer", says });
    if (allowed === undefined) report(`the folder ${from} is not in the table of layers`);
    else if (one.target.startsWith("..")) report(`${one.target} is outside lib`);
    else if (from !== to && !allowed.includes(to) && !allowed.includes(one.target.replace(/\.ts$/, ""))) {
      const free = one.typeOnly && (contracts.has(one.target) || to === "schema" || to === "core");
      if (!free) report(`${from} may not import ${one.target}`);
    }
  }
  return problems;
}

/** Lazy imports of a name that is made at run time: nobody can check those, so only drivers may load engines like that. */
export function checkOpaque(source: Source): Problem[] {
  const file = parse(source);
  const problems: Problem[] = [];
  const visit = (node: ts.Node): void => {
    const lazy = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const named = lazy && node.arguments[0] !== undefined && ts.isStringLiteralLike(node.arguments[0]);
    if (lazy && !named && layerOf(source.path) !== "drivers") {
      problems.push({
        path: source.path,
        line: lineOf(file, node),
        rule: "opaque-import",
        says: "name the module",
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return problems;
}

/** Foreign packages outside their one folder, packages that are in no row, and Node's modules without `node:`. */
export function checkPackages(sources: readonly Source[]): Problem[] {
  const problems: Problem[] = [];
  for (const one of sources.flatMap(importsOf).filter((found) => !found.ours)) {
    if (one.target.startsWith("node:")) continue;
    const home = PACKAGE_HOMES.find((row) => row.package.test(packageOf(one.target)));
    if (home?.folder === layerOf(one.from)) continue;
    const says =
      home === undefined
        ? `${one.target} has no row in the table of packages`
        : `${one.target} belongs to ${home.folder}`;
    problems.push({ path: one.from, line: one.line, rule: "package", says });
  }
  return problems;
}

/**
 * Rings of imports of code; each ring once, from its first file by name. A lazy import inside one folder closes none:
 * a table may load its entries, and an entry (`help`) may read the table.
 */
export function checkCycles(sources: readonly Source[]): Problem[] {
  const counts = (one: Import): boolean =>
    one.ours && !one.typeOnly && !(one.lazy && layerOf(one.from) === layerOf(one.target));
  const graph = new Map(
    sources.map((one) => [
      one.path,
      importsOf(one)
        .filter(counts)
        .map((found) => found.target),
    ]),
  );
  const problems: Problem[] = [];
  const finished = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      problems.push({ path, line: 1, rule: "cycle", says: [...trail.slice(at), path].join(" → ") });
      return;
    }
    if (finished.has(path)) return;
    for (const next of graph.get(path) ?? []) walk(next, [...trail, path]);
    finished.add(path);
  };
  for (const path of [...graph.keys()].sort()) walk(path, []);
  return problems;
}

/** Length of the file and of its functions, in lines as they stand. */
export function checkSizes(source: Source, fileLines: number, functionLines: number): Problem[] {
  const file = parse(source);
  const problems: Problem[] = [];
  const lines = source.text.replace(/\n$/, "").split("\n").length;
  if (lines > fileLines)
    problems.push({
      path: source.path,
      line: 1,
      rule: "file-size",
      says: `${lines} lines, at most ${fileLines}`,
    });
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const length = file.getLineAndCharacterOfPosition(node.getEnd()).line + 2 - lineOf(file, node);
      if (length > functionLines) {
        problems.push({
          path: source.path,
          line: lineOf(file, node),
          rule: "function-size",
          says: `${length} lines, at most ${functionLines}`,
        });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return problems;
}

/** Folders without a subject, `export *`, barrels, default exports outside the implementations of a seam. */
export function checkShape(source: Source): Problem[] {
  const file = parse(source);
  const problems: Problem[] = [];
  const report = (node: ts.Node, rule: string, says: string): number =>
    problems.push({ path: source.path, line: lineOf(file, node), rule, says });
  const bad = source.path.split("/").find((part) => FORBIDDEN_FOLDERS.includes(part.replace(/\.ts$/, "")));
  if (bad !== undefined) report(file, "folder", `${bad} says nothing of what is in it`);
  const code = file.statements.filter((one) => !ts.isImportDeclaration(one));
  const passesOn =
    code.length > 0 && code.every((one) => ts.isExportDeclaration(one) && one.moduleSpecifier !== undefined);
  if (source.path !== "index.ts" && (passesOn || source.path.endsWith("/index.ts"))) {
    report(file, "barrel", "only lib/index.ts may be a list of re-exports");
  }
  for (const one of file.statements) {
    if (
      ts.isExportDeclaration(one) &&
      (one.exportClause === undefined || ts.isNamespaceExport(one.exportClause))
    ) {
      report(one, "export-star", "name what is exported");
    }
    if (hasDefaultExport(one) && !isSeamFile(source.path))
      report(one, "default-export", "only an implementation of a seam has one");
  }
  return problems;
}

export function hasDefaultExport(statement: ts.Statement): boolean {
  if (ts.isExportAssignment(statement)) return true;
  if (
    ts.isExportDeclaration(statement) &&
    statement.exportClause !== undefined &&
    ts.isNamedExports(statement.exportClause)
  ) {
    return statement.exportClause.elements.some((one) => one.name.text === "default");
  }
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some((one) => one.kind === ts.SyntaxKind.DefaultKeyword) ?? false;
}

function isSeamFile(path: string): boolean {
  return SEAM_FOLDERS.includes(layerOf(path)) && !/\/(?:registry|conformance)\.ts$/.test(path);
}

/** State of a module that changes, and statements that run at import. */
export function checkState(source: Source): Problem[] {
  const file = parse(source);
  const mutated = mutatedNames(file);
  const problems: Problem[] = [];
  const report = (node: ts.Node, rule: string, says: string): number =>
    problems.push({ path: source.path, line: lineOf(file, node), rule, says });
  for (const one of file.statements.filter(ts.isVariableStatement)) {
    if ((one.declarationList.flags & ts.NodeFlags.Const) === 0)
      report(one, "module-state", "a module has constants only");
    const exported =
      one.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false;
    for (const declared of one.declarationList.declarations) {
      if (ts.isIdentifier(declared.name) && mutated.has(declared.name.text))
        report(declared, "module-state", `${declared.name.text} is changed after import`);
      if (exported && !isFrozenLiteral(declared))
        report(
          declared,
          "module-state",
          "an exported list or map is frozen, `as const` or read-only by type",
        );
    }
  }
  if (!WORKER.test(source.path))
    for (const one of programStatements(file))
      report(one, "side-effect", "a module does nothing when it is imported");
  return problems;
}
