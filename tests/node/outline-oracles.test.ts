// Outlines compared with the languages' own tools: the TypeScript compiler, Python's `ast`, and `JSON.parse`.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Outline, type OutlineLanguage, outline } from 'trimtab/outline'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { realFiles } from './real-files.js'

/** A definition at the top level: the line of its name, from 1. */
interface Definition {
  line: number
  name: string
}

/** Definitions that a tool finds in a file; `undefined` if it cannot parse the file. */
type Oracle = (path: string, content: string) => Definition[] | undefined

const byCompiler: Oracle = (path, content) => {
  const file = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true)
  // Missing in the compiler's types, but the only access to them without a program.
  const { parseDiagnostics } = file as unknown as { parseDiagnostics: unknown[] }
  if (parseDiagnostics.length > 0) return undefined
  return file.statements.flatMap((statement) => {
    const name = nameOf(statement)
    if (name === undefined) return []
    return [{ line: file.getLineAndCharacterOfPosition(name.getStart()).line + 1, name: name.getText() }]
  })
}

/** The name of a definition; of variables only exported ones, which the file offers. */
function nameOf(statement: ts.Statement): ts.Node | undefined {
  if (ts.isVariableStatement(statement)) {
    const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
    return isExported ? statement.declarationList.declarations[0]?.name : undefined
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    ts.isModuleDeclaration(statement)
  return isNamed ? statement.name : undefined
}

const AST = `import ast, json, sys
kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
body = ast.parse(sys.stdin.buffer.read()).body
print(json.dumps([{"line": n.lineno, "name": n.name} for n in body if isinstance(n, kinds)]))`

const byAst: Oracle = (_, content) => {
  const { status, stdout } = spawnSync('python3', ['-c', AST], { input: content, encoding: 'utf8' })
  return status === 0 ? (JSON.parse(stdout) as Definition[]) : undefined
}

/** Whether an outline shows the line of a definition. */
const isShown = ({ shown }: Outline, { line }: Definition) =>
  shown.some(({ start, end }) => start <= line && line <= end)

const hasPython = spawnSync('python3', ['--version']).status === 0
const oracles: [OutlineLanguage, string[], Oracle][] = [
  ['typescript', ['.ts', '.mts', '.cts'], byCompiler],
  ['javascript', ['.js', '.mjs', '.cjs'], byCompiler],
  ...(hasPython ? [['python', ['.py'], byAst] as [OutlineLanguage, string[], Oracle]] : []),
]

test.each(oracles)(
  'outline shows every %s definition that a tool of the language finds',
  async (language, ends, oracle) => {
    let found = 0
    for (const path of realFiles(ends)) {
      const content = readFileSync(path, 'utf8')
      const definitions = oracle(path, content) ?? []
      const outlined = await outline(path, content, { language })
      const missing = definitions.filter((definition) => !isShown(outlined, definition))
      if (outlined.complete) expect(missing, path).toEqual([])
      // Half of a file is shown if it has little else than definitions.
      else expect(outlined.text.length, path).toBeGreaterThan(0.4 * content.length)
      found += definitions.length
    }
    if (language !== 'python') expect(found).toBeGreaterThan(50)
  },
)

test('outline of JSON shows every key that JSON.parse finds', async () => {
  let found = 0
  // Most other JSON files on a machine may be lists.
  for (const path of ['package.json', 'biome.json', 'knip.json', ...realFiles(['.json'])]) {
    const content = readFileSync(path, 'utf8')
    const keys = keysOf(content)
    const { sections } = await outline(path, content)
    const own = new Set(sections.filter(({ depth }) => depth === 0).map(({ name }) => name))
    expect(
      keys.filter((key) => !own.has(key)),
      path,
    ).toEqual([])
    found += keys.length
  }
  expect(found).toBeGreaterThan(20)
})

/** Keys at the top level that are plain names. */
function keysOf(content: string): string[] {
  try {
    const value: unknown = JSON.parse(content)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? Object.keys(value).filter((key) => /^[\w$ -]{1,100}$/.test(key)) : []
  } catch {
    return []
  }
}
