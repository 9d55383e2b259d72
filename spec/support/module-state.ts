import ts from "typescript";

const MUTATORS = new Set([
  "set",
  "add",
  "delete",
  "clear",
  "push",
  "pop",
  "shift",
  "unshift",
  "splice",
  "sort",
  "reverse",
  "fill",
  "copyWithin",
]);
const ASSIGNMENT_FIRST = ts.SyntaxKind.FirstAssignment;
const ASSIGNMENT_LAST = ts.SyntaxKind.LastAssignment;

function constantsOf(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  for (const statement of file.statements.filter(ts.isVariableStatement)) {
    for (const { name } of statement.declarationList.declarations)
      if (ts.isIdentifier(name)) names.add(name.text);
  }
  return names;
}

/** `a.b[c].d` → a, where the expression begins with a plain name. */
function rootName(node: ts.Expression): string | undefined {
  let at = node;
  while (ts.isPropertyAccessExpression(at) || ts.isElementAccessExpression(at)) at = at.expression;
  return ts.isIdentifier(at) ? at.text : undefined;
}

/** Names that some inner scope declares anew: nothing can be said of them without a type checker. */
function redeclared(file: ts.SourceFile, names: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const declares = ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isBindingElement(node);
    const inner = declares && !(ts.isVariableDeclaration(node) && node.parent.parent.parent === file);
    if (inner && ts.isIdentifier(node.name) && names.has(node.name.text)) found.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The target of a call or assignment that changes what a name stands for. */
function changed(node: ts.Node): string | undefined {
  if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    MUTATORS.has(node.expression.name.text)
  ) {
    return ts.isIdentifier(node.expression.expression) ? node.expression.expression.text : undefined;
  }
  if (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ASSIGNMENT_FIRST &&
    node.operatorToken.kind <= ASSIGNMENT_LAST
  ) {
    return rootName(node.left);
  }
  if (ts.isDeleteExpression(node)) return rootName(node.expression);
  if ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && isStep(node.operator))
    return rootName(node.operand);
  return undefined;
}

function isStep(operator: ts.SyntaxKind): boolean {
  return operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;
}

/** Constants of the module whose content is changed somewhere in its file. */
export function mutatedNames(file: ts.SourceFile): Set<string> {
  const names = constantsOf(file);
  const unclear = redeclared(file, names);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const name = changed(node);
    if (name !== undefined && names.has(name) && !unclear.has(name)) found.add(name);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** False for an exported array, object, Map or Set that any importer could change. */
export function isFrozenLiteral(declared: ts.VariableDeclaration): boolean {
  if (
    declared.type !== undefined &&
    /^(?:readonly\b|Readonly|ReadonlyMap|ReadonlySet|ReadonlyArray)/.test(declared.type.getText())
  )
    return true;
  let value = declared.initializer;
  while (value !== undefined && (ts.isSatisfiesExpression(value) || ts.isParenthesizedExpression(value)))
    value = value.expression;
  if (value === undefined) return true;
  if (ts.isAsExpression(value)) return /^(?:const|readonly\b|Readonly)/.test(value.type.getText());
  if (ts.isNewExpression(value))
    return !/^(?:Map|Set|WeakMap|WeakSet|Array)$/.test(value.expression.getText());
  return !ts.isArrayLiteralExpression(value) && !ts.isObjectLiteralExpression(value);
}

/** Statements that do something: all but imports, exports and declarations. */
export function programStatements(file: ts.SourceFile): ts.Statement[] {
  return file.statements.filter(
    (one) =>
      !ts.isImportDeclaration(one) &&
      !ts.isExportDeclaration(one) &&
      !ts.isExportAssignment(one) &&
      !ts.isInterfaceDeclaration(one) &&
      !ts.isTypeAliasDeclaration(one) &&
      !ts.isFunctionDeclaration(one) &&
      !ts.isClassDeclaration(one) &&
      !ts.isVariableStatement(one),
  );
}
