// Definitions of TypeScript and JavaScript, by the TypeScript compiler.
import ts from 'typescript'

const TEST_WORDS = new Set(['describe', 'it', 'test', 'suite', 'context'])

/** Returns the name in `describe(...)`, `it.only(...)`, `test.each(...)(...)`. */
function calledWord(node) {
  let at = node.expression
  while (ts.isCallExpression(at) || ts.isPropertyAccessExpression(at) || ts.isTaggedTemplateExpression(at))
    at = ts.isTaggedTemplateExpression(at) ? at.tag : at.expression
  return ts.isIdentifier(at) ? at.text : ''
}

function testOf(node) {
  if (!ts.isCallExpression(node) || !TEST_WORDS.has(calledWord(node))) return undefined
  const [first, ...rest] = node.arguments
  const hasBody = rest.some((argument) => ts.isArrowFunction(argument) || ts.isFunctionExpression(argument))
  return first !== undefined && ts.isStringLiteralLike(first) && hasBody ? first : undefined
}

const isMethod = (node) =>
  ts.isMethodDeclaration(node) ||
  ts.isMethodSignature(node) ||
  ts.isGetAccessor(node) ||
  ts.isSetAccessor(node) ||
  // A member that holds a function is a method in effect.
  (ts.isPropertyDeclaration(node) && node.initializer !== undefined && ts.isArrowFunction(node.initializer))

const isNamed = (node) =>
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isEnumDeclaration(node) ||
  ts.isModuleDeclaration(node)

const holdsFunction = ({ name, initializer }) =>
  ts.isIdentifier(name) &&
  initializer !== undefined &&
  (ts.isArrowFunction(initializer) ||
    ts.isFunctionExpression(initializer) ||
    ts.isClassExpression(initializer))

export function byCompiler({ path, content }) {
  const file = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true)
  if (file.parseDiagnostics.length > 0) return undefined
  const found = []
  const add = (name, rank) => {
    const line = file.getLineAndCharacterOfPosition(name.getStart()).line + 1
    // The name as written in the file, with its escapes.
    const text = name.getText()
    found.push({ name: ts.isStringLiteralLike(name) ? text.slice(1, -1) : text, line, rank })
  }
  const statement = (node) => {
    if (isNamed(node) && node.name !== undefined) add(node.name, 'top')
    if (ts.isVariableStatement(node))
      for (const declared of node.declarationList.declarations)
        if (holdsFunction(declared)) add(declared.name, 'top')
    if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node))
      for (const member of node.members)
        if (isMethod(member) && ts.isIdentifier(member.name)) add(member.name, 'member')
    if (ts.isModuleDeclaration(node) && node.body !== undefined && ts.isModuleBlock(node.body))
      node.body.statements.forEach(statement)
  }
  file.statements.forEach(statement)
  // An explicit stack instead of recursion: a long chain of operators is nested as deeply as it is long.
  const open = [file]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const name = testOf(node)
    if (name !== undefined) add(name, 'test')
    ts.forEachChild(node, (child) => void open.push(child))
  }
  return found
}
