// Sections of real files against parsers that nobody here wrote: the TypeScript compiler, Python's `ast`, universal-ctags, and the
// readers of JSON and TOML. Of what each finds at the top level, of members, and of test blocks: how much has a section, by name
// and place. `npm run corpus` fetches more files; `--folders a,b` looks into others.
//   npm run bench -- accuracy [--only go,ruby] [--folders /usr/share/x] [--files 150] [--verbose]
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import ts from 'typescript'
import { loadGrammar, outlineLanguages } from '../js/dist/outline/index.js'
import { filesOf } from './corpus.js'

const text = { type: 'string' }
const flag = { type: 'boolean', default: false }
const { values } = parseArgs({ options: { only: text, folders: text, files: text, verbose: flag } })
const FILES = Number(values.files ?? 150)
const folders = values.folders?.split(',')

/** @typedef {{ name: string, line: number, rank: 'top' | 'member' | 'test' }} Definition */

function output(command, input) {
  const { status, stdout } = spawnSync(command[0], command.slice(1), {
    encoding: 'utf8',
    input,
    maxBuffer: 1e9,
  })
  return status === 0 ? stdout : undefined
}

const TEST_WORDS = new Set(['describe', 'it', 'test', 'suite', 'context'])

/** The word of `describe(...)`, `it.only(...)`, `test.each(...)(...)`. */
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

function byCompiler({ path, content }) {
  const file = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true)
  if (file.parseDiagnostics.length > 0) return undefined
  const found = []
  const add = (name, rank) => {
    const line = file.getLineAndCharacterOfPosition(name.getStart()).line + 1
    found.push({ name: ts.isStringLiteralLike(name) ? name.text : name.getText(), line, rank })
  }
  const members = (node) => {
    for (const member of node.members) {
      const isMethod =
        ts.isMethodDeclaration(member) ||
        ts.isMethodSignature(member) ||
        ts.isGetAccessor(member) ||
        ts.isSetAccessor(member)
      if (isMethod && ts.isIdentifier(member.name)) add(member.name, 'member')
    }
  }
  const statement = (node) => {
    const isNamed =
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isEnumDeclaration(node) ||
      ts.isModuleDeclaration(node)
    if (isNamed && node.name !== undefined) add(node.name, 'top')
    if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) members(node)
  }
  const tests = (node) => {
    const name = testOf(node)
    if (name !== undefined) add(name, 'test')
    ts.forEachChild(node, tests)
  }
  file.statements.forEach(statement)
  tests(file)
  return found
}

const AST = `import ast, json, sys
found = []
functions = (ast.FunctionDef, ast.AsyncFunctionDef)
def add(node, rank):
    found.append({"line": node.lineno, "name": node.name, "rank": rank})
for node in ast.parse(sys.stdin.buffer.read()).body:
    if isinstance(node, functions):
        add(node, "test" if node.name.startswith("test_") else "top")
    elif isinstance(node, ast.ClassDef):
        add(node, "test" if node.name.startswith("Test") else "top")
        for member in node.body:
            if isinstance(member, functions + (ast.ClassDef,)):
                add(member, "test" if member.name.startswith("test_") else "member")
print(json.dumps(found))`
const byAst = ({ content }) => {
  const found = output(['python3', '-c', AST], content)
  return found === undefined ? undefined : JSON.parse(found)
}

const TOML = `import tomllib, json, sys
print(json.dumps(list(tomllib.loads(sys.stdin.buffer.read().decode()).keys())))`
const named = (names) => names.map((name) => ({ name, line: undefined, rank: 'top' }))
const byToml = ({ content }) => {
  const found = output(['python3', '-c', TOML], content)
  return found === undefined ? undefined : named(JSON.parse(found))
}
const byJson = ({ content }) => {
  try {
    const value = JSON.parse(content)
    return typeof value === 'object' && !Array.isArray(value)
      ? named(Object.keys(value).filter((key) => key.length <= 100))
      : undefined
  } catch {
    return undefined
  }
}

/** Of ctags' kinds, which are definitions at the top level, and which members. */
const CTAGS = {
  bash: { of: 'Sh', top: ['function'], member: [] },
  c: { of: 'C', top: ['function', 'prototype', 'struct', 'union', 'enum', 'typedef', 'macro'], member: [] },
  cpp: {
    of: 'C++',
    top: ['function', 'prototype', 'class', 'struct', 'union', 'enum', 'typedef', 'macro'],
    member: ['function', 'prototype'],
  },
  csharp: {
    of: 'C#',
    top: ['class', 'interface', 'struct', 'enum', 'namespace'],
    member: ['method', 'property'],
  },
  go: { of: 'Go', top: ['func', 'struct', 'interface', 'type'], member: ['methodSpec'] },
  java: { of: 'Java', top: ['class', 'interface', 'enum', 'annotation'], member: ['method'] },
  markdown: { of: 'Markdown', top: ['chapter', 'section'], member: ['subsection'] },
  ruby: { of: 'Ruby', top: ['class', 'module', 'method'], member: ['method', 'singletonMethod'] },
  rust: {
    of: 'Rust',
    top: ['function', 'struct', 'enum', 'interface', 'typedef', 'macro', 'module'],
    member: ['method'],
  },
}

const byCtags = (language) => {
  const { of, top, member } = CTAGS[language]
  const command = [
    'ctags',
    '--output-format=json',
    '--fields=+neKSsZ',
    '--kinds-all=*',
    `--language-force=${of}`,
    '-o',
    '-',
  ]
  return ({ path }) => {
    const lines = output([...command, path])
    if (lines === undefined) return undefined
    return (
      lines
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .filter(({ name, _type }) => _type === 'tag' && !/^__anon|^anonymous/.test(name))
        // A macro without parameters is a constant or the guard of a header: a line among others.
        .filter(({ kind, signature }) => kind !== 'macro' || of === 'Rust' || signature !== undefined)
        .flatMap(({ name, line, kind, scope, scopeKind }) => {
          const isIn =
            scope !== undefined && !['namespace', 'package', 'module', 'implementation'].includes(scopeKind)
          const isTop = !isIn && top.includes(kind)
          const isFunction = ['function', 'func', 'method', 'macro', 'local'].includes(scopeKind)
          if (isTop) return [{ name, line, rank: 'top' }]
          return member.includes(kind) && scope !== undefined && !isFunction
            ? [{ name, line, rank: 'member' }]
            : []
        })
    )
  }
}

const ORACLES = {
  typescript: byCompiler,
  tsx: byCompiler,
  javascript: byCompiler,
  python: byAst,
  json: byJson,
  toml: byToml,
  ...Object.fromEntries(Object.keys(CTAGS).map((language) => [language, byCtags(language)])),
}

const plain = (name) =>
  name
    .replace(/^[*&~]+/, '')
    .replace(/\s+/g, ' ')
    .trim()
/** A section of this name whose lines hold the definition. Names of headings are written in many ways: there the line says it. */
function isThere(sections, { name, line }, language) {
  if (language === 'markdown') return sections.some(({ startLine }) => startLine === line)
  const wanted = plain(name)
  return sections.some(({ name: own, startLine, endLine }) => {
    const isNamed = plain(own) === wanted || own.split(/[^\w$-]+/).includes(wanted)
    return isNamed && (line === undefined || (startLine - 2 <= line && line <= endLine))
  })
}

const share = (found, all) => (all === 0 ? '-' : `${((100 * found) / all).toFixed(1)} %`)

const languages = (values.only?.split(',') ?? outlineLanguages).filter((language) => language in ORACLES)
let all = 0
console.log('language    files      top            members        tests          over half')
for (const language of languages) {
  const grammar = await loadGrammar(language === 'markdown' ? 'text' : language)
  const counts = { top: [0, 0], member: [0, 0], test: [0, 0] }
  let files = 0
  let large = 0
  for (const file of filesOf(language, { most: FILES, folders })) {
    const definitions = ORACLES[language](file)
    if (definitions === undefined) continue
    files++
    const outline = grammar.outline(file.content, {}, language)
    if (Buffer.byteLength(outline.text) > Buffer.byteLength(file.content) / 2) large++
    for (const definition of definitions) {
      const count = counts[definition.rank]
      const isFound = isThere(outline.sections, definition, language)
      count[0] += Number(isFound)
      count[1]++
      if (!isFound && values.verbose)
        console.log(`  ${definition.rank} ${definition.name} ${file.path}:${definition.line}`)
    }
  }
  all += files
  const column = ([found, wanted]) => `${share(found, wanted).padStart(7)} of ${String(wanted).padEnd(5)}`
  console.log(
    language.padEnd(11),
    String(files).padStart(5),
    column(counts.top),
    column(counts.member),
    column(counts.test),
    String(large).padStart(5),
  )
}
console.log(`${all} files`)
