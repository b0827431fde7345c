// The package's exports: every entry of package.json with its values and types, from the declarations.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { at } from '../project.mjs'

/** Entries for one function each are described by their index: `trimtab/outline/python` by `trimtab/outline`. */
const isPattern = (name) => name.includes('*')

/** @returns {{ name: string, types: string }[]} the entries with types, `trimtab` first */
function entries() {
  const { exports } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  return Object.entries(exports)
    .filter(([name, target]) => typeof target === 'object' && !isPattern(name))
    .map(([name, { types }]) => ({ name: name.replace(/^\./, 'trimtab'), types: at(types) }))
}

const textOf = (parts) => ts.displayPartsToString(parts).trim()

/** Resolves `const f: typeof g` to `g`, whose declaration an editor shows. */
function declaredAs(checker, symbol) {
  const declaration = symbol.declarations?.[0]
  const query =
    declaration !== undefined && ts.isVariableDeclaration(declaration) ? declaration.type : undefined
  if (query === undefined || !ts.isTypeQueryNode(query)) return symbol
  const target = checker.getSymbolAtLocation(query.exprName)
  return target === undefined ? symbol : resolved(checker, target)
}

function resolved(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

const KINDS = [
  [ts.SymbolFlags.Class, 'class'],
  [ts.SymbolFlags.Function, 'function'],
  [ts.SymbolFlags.Variable, 'constant'],
]
const kindOf = (symbol) => KINDS.find(([flag]) => symbol.flags & flag)?.[1] ?? 'type'

/** Text of a declaration in the `.d.ts`, without its comment and without keywords that are redundant here. */
function textOfDeclaration(declaration) {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  return node
    .getText()
    .replace(/^(export )?(declare )?/, '')
    .replace(/^ {4}(#private|private [^\n]*);\n\n?/gm, '')
}

/** `export type { C }` exports a class as a type only: it cannot be constructed. */
const isTypeOnly = (exported) =>
  (exported.declarations ?? []).some(
    (each) => ts.isExportSpecifier(each) && (each.isTypeOnly || each.parent.parent.isTypeOnly),
  )

function describe(checker, exported) {
  const symbol = resolved(checker, exported)
  const source = declaredAs(checker, symbol)
  const tags = symbol.getJsDocTags(checker).map(({ name, text }) => ({ name, text: textOf(text ?? []) }))
  return {
    name: exported.name,
    kind: isTypeOnly(exported) ? 'type' : kindOf(source),
    // The symbol's own comment: an editor that shows an import does not follow `typeof`.
    doc: textOf(symbol.getDocumentationComment(checker)),
    tags,
    declarations: (source.declarations ?? []).map(textOfDeclaration),
    symbol: source,
  }
}

/**
 * @param more compiler options beside `strict`
 * @returns the type checker, and for each entry its name and the symbols that it exports */
export function exportedSymbols(more = {}) {
  const found = entries()
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'],
    types: [],
    strict: true,
    ...more,
  }
  const program = ts.createProgram(
    found.map(({ types }) => types),
    options,
  )
  const checker = program.getTypeChecker()
  const modules = found.map(({ name, types }) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(types))
    return { name, symbols: checker.getExportsOfModule(module) }
  })
  return { checker, modules }
}

/** @returns one object per entry: its name, and its exports sorted by name */
export function surface() {
  const { checker, modules } = exportedSymbols()
  return modules.map(({ name, symbols }) => {
    const exported = symbols.map((symbol) => describe(checker, symbol))
    return { name, exports: exported.sort((a, b) => (a.name < b.name ? -1 : 1)) }
  })
}
