import { dataOf, shown, TEXTS } from '../base/check.js'
import { asRecord } from '../base/json.js'
import type { ToolParameters } from '../history/recall.js'

/** JSON Schema of one argument: the subset used by these tools. */
interface ArgumentSchema {
  type: 'string' | 'integer' | 'boolean' | 'array'
  description: string
  items?: { type: 'string' }
  minimum?: number
  /** Allowed values. */
  enum?: readonly string[]
}

/** Arguments of a tool, by name. */
export type Properties = Record<string, ArgumentSchema>

export interface ParametersSchema<
  P extends Properties = Properties,
  R extends keyof P & string = keyof P & string,
> extends ToolParameters {
  properties: P
  required: R[]
  additionalProperties: false
}

export function parametersOf<const P extends Properties, R extends keyof P & string = never>(
  properties: P,
  required: R[],
): ParametersSchema<P, R> {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** The arguments that a schema describes: those of `R` are there, others may be. */
export type ArgumentsOf<P extends Properties, R extends keyof P> = {
  [K in R]: ValueOf<P[K]>
} & { [K in Exclude<keyof P, R>]?: ValueOf<P[K]> }

type ValueOf<A> = A extends { enum: readonly (infer V)[] }
  ? V
  : A extends { type: infer T extends keyof Values }
    ? Values[T]
    : never

interface Values {
  string: string
  integer: number
  boolean: boolean
  array: string[]
}

/** Other names for these arguments, used in the documents and by models that know other tools. */
const OTHER_NAMES: Record<string, readonly string[]> = {
  path: ['file_path'],
  file_paths: ['path', 'file_path', 'paths'],
  old_string: ['old_str'],
  new_string: ['new_str'],
  header: ['section_header'],
  content: ['new_content'],
}

/** Validated arguments, or what is wrong with those given. */
export type Checked = { args: Record<string, unknown> } | { problem: string }

/**
 * Checks a call's arguments against the tool's schema. Tolerates unambiguous deviations: a number or a boolean as text,
 * a whole number in place of a text, one text in place of a list, `null` for an absent value, another name for the same
 * argument, and additional arguments.
 *
 * @param mayMiss Required arguments whose absence the tool reports itself.
 */
export function checkArguments(
  name: string,
  schema: ParametersSchema,
  given: unknown,
  mayMiss: readonly string[] = [],
): Checked {
  const values = objectOf(dataOf(given))
  if (values === undefined)
    return { problem: `the arguments of ${name} must be a JSON object. ${usage(name, schema)}` }
  const args: Record<string, unknown> = {}
  for (const [key, property] of Object.entries(schema.properties)) {
    const value = namedIn(values, key, schema.properties)
    if (value === undefined || value === null) {
      if (schema.required.includes(key) && !mayMiss.includes(key))
        return { problem: `${name} needs ${key}. ${usage(name, schema)}` }
      continue
    }
    const read = readAs(value, property)
    if (read === undefined) return { problem: `${key} must be ${wanted(property)}, found ${shown(value)}` }
    args[key] = read
  }
  return { args }
}

function namedIn(values: Record<string, unknown>, key: string, properties: Properties): unknown {
  const others = (OTHER_NAMES[key] ?? []).filter((name) => !Object.hasOwn(properties, name))
  const given = [key, ...others].find((name) => Object.hasOwn(values, name))
  return given === undefined ? undefined : values[given]
}

function objectOf(given: unknown): Record<string, unknown> | undefined {
  if (typeof given !== 'string') return asRecord(given ?? {})
  try {
    return given.trim() === '' ? {} : asRecord(JSON.parse(given))
  } catch {
    return undefined
  }
}

function readAs(value: unknown, { type, minimum, enum: names }: ArgumentSchema): unknown {
  switch (type) {
    case 'string': {
      const text = Number.isSafeInteger(value) ? String(value) : value
      return typeof text === 'string' && (names?.includes(text) ?? true) ? text : undefined
    }
    case 'boolean':
      if (value === 'true' || value === 'false') return value === 'true'
      return typeof value === 'boolean' ? value : undefined
    case 'integer': {
      const number = typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value
      return Number.isSafeInteger(number) && (number as number) >= (minimum ?? -Infinity) ? number : undefined
    }
    case 'array': {
      const list = typeof value === 'string' ? [value] : value
      return TEXTS.is(list) ? list : undefined
    }
  }
}

function wanted({ type, minimum, enum: names }: ArgumentSchema): string {
  if (names !== undefined) return `one of ${names.join(', ')}`
  if (type === 'array') return 'a list of texts'
  if (type === 'integer')
    return minimum === undefined ? 'a whole number' : `a whole number from ${minimum} on`
  return type === 'string' ? 'a text' : 'true or false'
}

function usage(name: string, { properties, required }: ParametersSchema): string {
  const names = Object.keys(properties).map((key) => (required.includes(key) ? key : `${key}?`))
  return `Usage: ${name}(${names.join(', ')})`
}
