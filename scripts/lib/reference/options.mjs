// The options of everything that the package exports: the members of what functions, methods and constructors take.
import ts from 'typescript'
import { exportedSymbols } from './surface.mjs'

const isOwn = (declaration) => /\/js\/dist\//.test(declaration?.getSourceFile().fileName ?? '')

/** Whether `undefined` can be given: the type of a member that may only be left out has another `undefined`. */
const allows = (checker, type) =>
  (type.isUnion() ? type.types : [type]).some(
    (part) => part === checker.getUndefinedType() || part.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown),
  )

/** The parts of a type that an argument may be: members of a union, entries of a list. */
function* partsOf(checker, type) {
  if (type.isUnionOrIntersection()) for (const part of type.types) yield* partsOf(checker, part)
  else if (checker.isArrayType(type) || checker.isTupleType(type))
    for (const part of checker.getTypeArguments(type)) yield* partsOf(checker, part)
  else if (type.flags & ts.TypeFlags.TypeParameter)
    yield* partsOf(checker, checker.getBaseConstraintOfType(type) ?? checker.getUndefinedType())
  else if (type.flags & ts.TypeFlags.Object) yield type
}

const isData = (type) =>
  type.getCallSignatures().length === 0 && !((type.symbol?.flags ?? 0) & ts.SymbolFlags.Class)

/** All members of an argument's type, and of theirs, with their path. */
function* membersOf(checker, argument, path = [], seen = new Set()) {
  for (const type of partsOf(checker, argument)) {
    if (seen.has(type) || !isData(type)) continue
    seen.add(type)
    for (const member of type.getProperties()) {
      const declaration = member.valueDeclaration ?? member.declarations?.[0]
      if (!isOwn(declaration) || !ts.isPropertySignature(declaration)) continue
      const own = checker.getTypeOfSymbol(member)
      const at = [...path, member.name]
      if (member.flags & ts.SymbolFlags.Optional)
        yield { path: at, file: declaration.getSourceFile().fileName, own }
      yield* membersOf(checker, own, at, seen)
    }
    const values = type.getStringIndexType()
    if (values !== undefined) yield* membersOf(checker, values, [...path, '*'], seen)
  }
}

/** The calls of an exported value by name: a function, or methods and the constructor of a class or an interface. */
function callsOf(checker, symbol) {
  const type = checker.getTypeOfSymbol(symbol)
  const isNamed = symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)
  const instance = isNamed ? checker.getDeclaredTypeOfSymbol(symbol).getProperties() : []
  const named = [
    ...instance,
    ...(symbol.flags & ts.SymbolFlags.Class ? checker.getPropertiesOfType(type) : []),
  ]
  return [
    ...type.getCallSignatures().map((call) => [symbol.name, call]),
    ...type.getConstructSignatures().map((call) => [`${symbol.name}.constructor`, call]),
    ...named.flatMap((method) =>
      checker
        .getTypeOfSymbol(method)
        .getCallSignatures()
        .map((call) => [`${symbol.name}.${method.name}`, call]),
    ),
  ]
}

/**
 * @returns {{ entry: string, call: string, parameter: string, path: string[], file: string, mayBeUndefined: boolean }[]}
 *   the members that may be left out, of all arguments of all entries
 */
export function optionalArguments() {
  const { checker, modules } = exportedSymbols({ exactOptionalPropertyTypes: true })
  return modules.flatMap(({ name: entry, symbols }) =>
    symbols
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      .flatMap((symbol) => callsOf(checker, symbol))
      .flatMap(([call, signature]) =>
        signature.getParameters().flatMap((parameter) =>
          [...membersOf(checker, checker.getTypeOfSymbol(parameter))].map(({ path, file, own }) => ({
            entry,
            call,
            parameter: parameter.name,
            path,
            file: file.replace(/.*\/js\/dist\//, ''),
            mayBeUndefined: allows(checker, own),
          })),
        ),
      ),
  )
}
