import { asText, TrimtabError, type TrimtabErrorCode } from './error.js'
import { isArray, isRecord, type JsonRecord } from './json.js'
import { nearest } from './nearest.js'

/** A kind of argument: its test, and its description in messages, after "must be". */
export interface Kind<T> {
  readonly words: string
  is(value: unknown): value is T
  /** Reads a value of the host once: what it returns is checked and used in its place. */
  read?(value: unknown): unknown
}

// With this annotation, here and below, bundlers leave out the kinds that are not used.
/* @__NO_SIDE_EFFECTS__ */
export function kind<T>(words: string, is: (value: unknown) => boolean): Kind<T> {
  return { words, is: is as (value: unknown) => value is T }
}

/** The largest whole number that the engine can hold. */
const MOST = 0xffffffff

export const TEXT = kind<string>('a string', (value) => typeof value === 'string')
export const NAMED = kind<string>(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
)
export const SWITCH = kind<boolean>('true or false', (value) => typeof value === 'boolean')
export const FUNCTION = kind<(...args: never[]) => unknown>(
  'a function',
  (value) => typeof value === 'function',
)
export const OBJECT = kind<object>('an object', (value) => typeof value === 'object' && value !== null)
/** A sparse array can have a length of four thousand million: iterating over it takes minutes. */
const MOST_ENTRIES = 10_000_000
export const LIST = listKind<unknown>('an array of at most 10,000,000 entries', isArray)
export const TEXTS = listKind<string>(
  'an array of strings',
  (value) => isArray(value) && value.every(TEXT.is),
)

/** Whether a list of the host, which was not read as {@link LIST}, can be gone through. */
export function isList(value: unknown): value is readonly unknown[] {
  return isArray(value) && value.length <= MOST_ENTRIES
}

/** A kind of list, read as an array of its entries: a proxy may give others the next time. */
/* @__NO_SIDE_EFFECTS__ */
function listKind<T>(words: string, is: (value: unknown) => boolean): Kind<readonly T[]> {
  return { ...kind<readonly T[]>(words, is), read: copyOf }
}

const MOST_DEPTH = 100

/**
 * Returns a copy of a host's data: of lists and plain objects, however deep, with each field read once. Anything else is
 * kept: functions, bytes, objects of a class.
 */
export function dataOf<T>(value: T, depth = 0): T {
  if (typeof value !== 'object' || value === null) return value
  if (depth > MOST_DEPTH) throw RangeError('it is nested too deep, or in itself')
  const list = copyOf(value)
  if (Array.isArray(list)) return list.map((entry) => dataOf(entry, depth + 1)) as T
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const fields = Object.keys(value).map((key) => [key, dataOf((value as JsonRecord)[key], depth + 1)])
  return Object.fromEntries(fields) as T
}

/** Data that is checked where it is used. */
export const DATA: Kind<unknown> = dataKind('data, and no function', (value) => !FUNCTION.is(value))

/** A kind of data, read once. */
/* @__NO_SIDE_EFFECTS__ */
export function dataKind<T>(words: string, is: (value: unknown) => boolean): Kind<T> {
  return { ...kind<T>(words, is), read: (value) => dataOf(value) }
}

/** Returns an array of the entries of a list, each read once; other values as they are. */
export function copyOf(list: unknown, from = 0): unknown {
  if (!isArray(list)) return list
  const { length } = list
  // A proxy may have any length, below 0 too.
  if (length < 0 || length > MOST_ENTRIES) throw RangeError(`a list of ${length} entries`)
  // V8 copies with `slice` in a tenth of the time, and fills holes here: methods of lists skip them. The `slice` of a
  // subclass calls its constructor.
  if (list.constructor === Array) return [...Array.prototype.slice.call(list, from, length)]
  return Array.from({ length: length - from }, (_, i) => list[from + i])
}

/** A finite number of tokens, seconds or units of money, at least 0. */
export const AMOUNT = kind<number>('a number from 0 on', isAmount)
/** An object that has all these methods. */
/* @__NO_SIDE_EFFECTS__ */
export function withMethods<T>(words: string, ...names: readonly (keyof T & string)[]): Kind<T> {
  return kind(words, (value) => {
    const methods = (value ?? {}) as Record<string, unknown>
    return names.every((name) => typeof methods[name] === 'function')
  })
}

export const SIGNAL = withMethods<AbortSignal>('an AbortSignal', 'throwIfAborted', 'addEventListener')
/** A step of a history, or an age in steps. */
export const STEP = kind<number>('a whole number of steps from 0 on', (value) =>
  isWhole(value, 0, 0x7fffffff),
)
/** Seconds since the last request; infinity is allowed. */
export const IDLE = kind<number>(
  'a number of seconds from 0 on',
  (value) => typeof value === 'number' && value >= 0,
)

/** A whole number from `least` to `most`. */
/* @__NO_SIDE_EFFECTS__ */
export function countFrom(least: number, most = MOST): Kind<number> {
  return kind(`a whole number from ${least} ${most === MOST ? 'on' : `to ${most}`}`, (value) =>
    isWhole(value, least, most),
  )
}

export const COUNT = countFrom(0)

/** A number from `least` to `most`, both inclusive. */
/* @__NO_SIDE_EFFECTS__ */
export function numberFrom(least: number, most: number): Kind<number> {
  return kind(
    `a number from ${least} to ${most}`,
    (value) => Number.isFinite(value) && (value as number) >= least && (value as number) <= most,
  )
}

/** One of the names. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<T extends string>(names: readonly T[]): Kind<T> {
  return kind(`one of ${names.join(', ')}`, (value) => names.includes(value as T))
}

/** The same test with another description. */
export function called<T>(wanted: Kind<T>, words: string): Kind<T> {
  return { ...wanted, words }
}

export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

export function isWhole(value: unknown, least = 0, most = MOST): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most
}

/** UTF-16 units of a value that a message shows. */
const MOST_SHOWN = 100

/**
 * Formats a value for a message. Strings are quoted, so that they differ from numbers; an object without a
 * text, or one that throws, is allowed.
 */
export function shown(value: unknown): string {
  const text = asJson(value) ?? asText(value)
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`
}

/**
 * Entries. Of a longer list only the length is shown: writing out a sparse list takes as long as a full one.
 */
const MOST_LISTED = 1000

const listed = (_: string, value: unknown): unknown =>
  Array.isArray(value) && value.length > MOST_LISTED ? `a list of ${value.length} entries` : value

/** The JSON of strings, arrays and plain objects. `undefined` for other values: their own text says more. */
function asJson(value: unknown): string | undefined {
  try {
    const isPlain = Object.getPrototypeOf(Object(value)) === Object.prototype
    return isPlain || typeof value === 'string' || Array.isArray(value)
      ? JSON.stringify(value, listed)
      : undefined
  } catch {
    // A circular reference, a `BigInt`, or a getter or proxy that throws.
    return undefined
  }
}

/** Throws an error that says what the argument must be and what was found. */
export function refuse(
  argument: string,
  allowed: string,
  found: unknown,
  code: TrimtabErrorCode = 'invalid_option',
  where = '',
): never {
  const place = where === '' ? argument : `${where}: ${argument}`
  throw new TrimtabError(code, `${place} must be ${allowed}, found ${shown(found)}`, { argument })
}

/** Throws an error for an argument, with a message of the caller. */
export function refuseWith(
  argument: string,
  message: string,
  code: TrimtabErrorCode = 'invalid_option',
): never {
  throw new TrimtabError(code, message, { argument })
}

/** Returns the argument if it is of the wanted kind; throws otherwise. */
export function check<T>(argument: string, value: unknown, wanted: Kind<T>, code?: TrimtabErrorCode): T {
  const read = readAs(wanted, value)
  return read ? read[0] : refuse(argument, wanted.words, value, code)
}

/** The value as read, in a list, if it is of a kind. A value whose getters or proxy throw is not. */
function readAs<T>({ is, read }: Kind<T>, value: unknown): [T] | undefined {
  try {
    const known = read ? read(value) : value
    return is(known) ? [known] : undefined
  } catch {
    return undefined
  }
}

/** Like {@link check}; `undefined` is allowed. */
export function checkOptional<T>(argument: string, value: unknown, wanted: Kind<T>): T | undefined {
  return value === undefined ? undefined : check(argument, value, wanted)
}

/** Returns the argument if it is a string; throws otherwise. */
export function checkText(argument: string, value: unknown): string {
  return check(argument, value, TEXT)
}

/**
 * Like {@link checkText}, for a text that is written to a file. Rejects lone surrogates: they cannot be
 * encoded, and an encoder would silently replace them with U+FFFD.
 */
export function checkFileText(argument: string, value: unknown): string {
  const text = checkText(argument, value)
  const at = text.search(/\p{Surrogate}/u)
  if (at === -1) return text
  const advice = 'a file cannot hold it; use toWellFormed() or send the whole character'
  return refuseWith(
    argument,
    `${argument} has half of a surrogate pair at position ${at}: ${advice}`,
    'ill_formed_text',
  )
}

/**
 * Returns the argument if it is a whole number from `least` on that the engine can hold; throws otherwise.
 */
export function checkCount(argument: string, value: unknown, least = 0): number {
  return check(argument, value, countFrom(least))
}

/** Returns the JSON of an argument; throws if it has none, as with a circular reference or a `BigInt`. */
export function checkJson(argument: string, value: unknown): string {
  try {
    return JSON.stringify(value) ?? refuse(argument, 'a string or plain JSON', value)
  } catch (cause) {
    if (cause instanceof TrimtabError) throw cause
    const message = `${argument} must be a string or plain JSON: ${asText(cause)}`
    throw new TrimtabError('invalid_option', message, { argument, cause })
  }
}

/**
 * Reads data of the host and turns whatever is thrown into a `TrimtabError`: getters and proxies may throw,
 * and circular references and `BigInt` have no JSON. `read` must not call the host's functions, so that an
 * error is always one of the data.
 */
export function readable<T>(argument: string, read: () => T, code: TrimtabErrorCode = 'invalid_option'): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof TrimtabError) throw cause
    throw new TrimtabError(code, `${argument} cannot be read: ${asText(cause)}`, { argument, cause })
  }
}

/**
 * Returns an array of the messages, each read once; throws if it is no array whose entries can be read. Whoever calls it
 * reads the host's list no more: a proxy may throw, or give others, the next time. The messages are validated where they
 * are parsed.
 *
 * @param from The first message to return.
 */
export function checkMessages<M extends object>(messages: readonly M[], from = 0): M[] {
  if (!isArray(messages))
    refuse('messages', `an array of message objects${hintFor(messages)}`, messages, 'invalid_messages')
  return readable('messages', () => copyOf(messages, from), 'invalid_messages') as M[]
}

/** A hint for common mistakes: a LangGraph state, a request body, the text of a session file. */
function hintFor(messages: unknown): string {
  if (typeof messages === 'string')
    return ", which readTranscript of trimtab/transcripts makes of a session file's text"
  const field = ['messages', 'input', 'contents'].find((name) => isArray(fieldOf(messages, name)))
  return field === undefined ? '' : `: pass its \`${field}\``
}

function fieldOf(value: unknown, name: string): unknown {
  try {
    return (value as JsonRecord | null | undefined)?.[name]
  } catch {
    // A getter or proxy of the host threw: the value is rejected in any case.
    return undefined
  }
}

/**
 * The options of a function by name, with the allowed kind of each; `null` for options that are checked where
 * they are used.
 */
export type Shape = Readonly<Record<string, Kind<unknown> | null>>

/**
 * Returns a copy of the options. Each option is read once, because a getter may return another value the next
 * time. Throws if the options are not an object, have an unknown field, or a value of another kind. Options
 * that are `undefined` are left out.
 *
 * @param where The name of the function, for messages.
 */
export function checkOptions<O>(
  options: O,
  shape: Shape,
  where: string,
  code: TrimtabErrorCode = 'invalid_option',
): O {
  if (!isRecord(options)) refuse('options', wordsOf(shape), options, code, where)
  const read: JsonRecord = {}
  for (const [key, value] of fieldsOf(options, shape, where)) {
    const wanted = Object.hasOwn(shape, key) ? shape[key] : undefined
    if (wanted === undefined) refuseKey(key, Object.keys(shape), where, code)
    if (value === undefined) continue
    const known = wanted ? readAs(wanted, value) : [value]
    if (!known) refuse(key, (wanted as Kind<unknown>).words, value, code, where)
    read[key] = known[0]
  }
  return read as O
}

const wordsOf = (shape: Shape): string => `an object with ${Object.keys(shape).join(', ')}`

/**
 * The fields of the options, including inherited ones that the shape names. A getter or proxy of the host may
 * throw.
 */
function fieldsOf(options: JsonRecord, shape: Shape, where: string): Map<string, unknown> {
  try {
    const fields = new Map<string, unknown>()
    for (const key of Object.keys(options)) fields.set(key, undefined)
    for (const key of Object.keys(shape)) fields.set(key, options[key])
    return fields
  } catch (cause) {
    const message = `${where}: options cannot be read: ${asText(cause)}`
    throw new TrimtabError('invalid_option', message, { argument: 'options', cause })
  }
}

function refuseKey(key: string, known: readonly string[], where: string, code: TrimtabErrorCode): never {
  const meant = nearest(key, known)
  const advice = meant === undefined ? `known are ${known.join(', ')}` : `did you mean \`${meant}\`?`
  throw new TrimtabError(code, `${where}: unknown field \`${key}\`; ${advice}`, { argument: key })
}
