// The methods of the objects that the package's functions return and its classes make, from the declarations.
import ts from 'typescript'
import { exportedSymbols } from './surface.mjs'

/** Only what the package declares: a `Map` or `Uint8Array` that it returns is the language's own. */
const isOurs = (symbol) =>
  (symbol.declarations ?? []).some((each) => each.getSourceFile().fileName.includes('/js/dist/'))

const isPrivate = (symbol) =>
  symbol.name.startsWith('__#') ||
  (symbol.declarations ?? []).some((each) => ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Private)

/** `name` of a function or class, with the entry where it stands in several of them. */
const nameIn = (entry, name) => (name === 'trimtab' ? `${entry}.${name}` : name)

class Finder {
  #checker
  #seen = new Set()
  #names = new Set()

  constructor(checker) {
    this.#checker = checker
  }

  get names() {
    return [...this.#names].sort()
  }

  /** Visits what a function returns or a class makes, and static methods. */
  results(type, name) {
    if (type.getConstructSignatures().length > 0)
      for (const property of type.getProperties()) this.#property(property, name)
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()])
      this.visit(signature.getReturnType(), name)
  }

  /** Visits the methods of a type, and the types of its properties. `path` names a type that has no name. */
  visit(given, path) {
    const type = this.#checker.getApparentType(this.#checker.getNonNullableType(given))
    if (this.#seen.has(type)) return
    this.#seen.add(type)
    if (type.isUnionOrIntersection()) for (const part of type.types) this.visit(part, path)
    for (const argument of this.#checker.getTypeArguments(type) ?? []) this.visit(argument, path)
    for (const argument of type.aliasTypeArguments ?? []) this.visit(argument, path)
    const symbol = type.aliasSymbol ?? type.getSymbol()
    if (symbol === undefined || type.isUnionOrIntersection() || !isOurs(symbol)) return
    const name = symbol.name.startsWith('__') ? path : symbol.name
    if (type.getCallSignatures().length > 0) this.#names.add(`${name}()`)
    this.results(type, `${name}()`)
    for (const property of type.getProperties()) this.#property(property, name)
  }

  #property(property, owner) {
    if (isPrivate(property) || !isOurs(property) || property.name === 'prototype') return
    const type = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(property))
    const name = `${owner}.${property.name.replace(/^__@(\w+)@\d+$/, '[$1]')}`
    if (type.getCallSignatures().length === 0) return this.visit(type, name)
    this.#names.add(name)
    this.results(type, name)
  }
}

/** @returns {string[]} `Context.project`, `Workspace.readFile` and so on, sorted */
export function methods() {
  const { checker, modules } = exportedSymbols()
  const finder = new Finder(checker)
  for (const { name: entry, symbols } of modules)
    for (const exported of symbols) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      if (symbol.flags & ts.SymbolFlags.Value)
        finder.results(checker.getTypeOfSymbol(symbol), nameIn(entry, exported.name))
    }
  return finder.names
}
