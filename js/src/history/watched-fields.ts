/** A field or list entry as a number: for a field the index of its name, for an entry `-1 - index`. */
export type WatchedField = number

/** The most frequent fields, in the order of the cases in {@link isUnchanged}. */
const FIELDS = [
  'content',
  'metadata',
  'length',
  'tool_calls',
  'function',
  'arguments',
  'text',
  'input',
  'output',
  'value',
  'parts',
  'state',
  'functionCall',
  'args',
  'functionResponse',
  'response',
  'status',
  'kwargs',
  'data',
  'thinking',
  'toolMetadata',
] as const

/** These fields, and others as they occur; the engine has about a hundred names. */
const names: string[] = [...FIELDS]
const numbers = new Map(names.map((name, number) => [name, number]))

export function numberOf(name: string): WatchedField {
  const known = numbers.get(name)
  if (known !== undefined) return known
  numbers.set(name, names.length)
  return names.push(name) - 1
}

/** The name of a field, or the index of an entry. */
export function keyOf(field: WatchedField): string | number {
  return field < 0 ? -1 - field : (names[field] as string)
}

type Holder = Record<string | number, unknown>

/**
 * Whether a field still has its value. Thousands of fields are checked at every step; access by a literal
 * name takes half the time of access by a variable.
 */
export function isUnchanged(field: WatchedField, holder: Holder, value: unknown): boolean {
  switch (field) {
    case 0:
      return Object.is(holder.content, value)
    case 1:
      return Object.is(holder.metadata, value)
    case 2:
      return Object.is(holder.length, value)
    case 3:
      return Object.is(holder.tool_calls, value)
    case 4:
      return Object.is(holder.function, value)
    case 5:
      return Object.is(holder.arguments, value)
    case 6:
      return Object.is(holder.text, value)
    case 7:
      return Object.is(holder.input, value)
    case 8:
      return Object.is(holder.output, value)
    case 9:
      return Object.is(holder.value, value)
    case 10:
      return Object.is(holder.parts, value)
    case 11:
      return Object.is(holder.state, value)
    case 12:
      return Object.is(holder.functionCall, value)
    case 13:
      return Object.is(holder.args, value)
    case 14:
      return Object.is(holder.functionResponse, value)
    case 15:
      return Object.is(holder.response, value)
    case 16:
      return Object.is(holder.status, value)
    case 17:
      return Object.is(holder.kwargs, value)
    case 18:
      return Object.is(holder.data, value)
    case 19:
      return Object.is(holder.thinking, value)
    case 20:
      return Object.is(holder.toolMetadata, value)
    default:
      return Object.is(holder[keyOf(field)], value)
  }
}
