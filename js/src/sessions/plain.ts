import { TrimtabError } from '../base/error.js'
import { isRecord, type JsonRecord } from '../base/json.js'
import { isMarkedSummary, markSummary } from '../history/summaries.js'
import { isMarkedResult } from './migrate.js'

// A session is compared with what was saved of it at every save, and what is new in it is copied: both walk the host's
// objects but not its texts, so that a session of megabytes costs as much as the number of its fields.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Values that JSON does not have are kept as an object with one of these fields. */
const BYTES = '$bytes'
const DATE = '$date'
const LINK = '$url'
/** An object of the host's that has just such a field itself. */
const OBJECT = '$object'
/** A message that stands for others: what a compaction made. */
const SUMMARY = '$summary'
const TAGS = new Set([BYTES, DATE, LINK, OBJECT, SUMMARY])
const DEEPEST = 500

export interface PlainCopy {
  value: Json
  /** Whether anything in it is marked as ephemeral. */
  marked: boolean
}

/**
 * A value as plain JSON that shares nothing with it that can change.
 *
 * @param name What to call it in an error.
 * @param from What to call the first of a list.
 * @throws {TrimtabError} `invalid_session` for what would not be the same after loading.
 */
export function toPlain(value: unknown, name: string, from = 0): PlainCopy {
  const copier = new Copier()
  if (Array.isArray(value)) {
    const items = value.map((item, i) => copier.copy(item, `${name}[${from + i}]`, 1))
    return { value: items, marked: copier.marked }
  }
  return { value: copier.copy(value, name, 0), marked: copier.marked }
}

class Copier {
  marked = false

  copy(value: unknown, path: string, depth: number): Json {
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'string') {
      this.marked ||= isMarkedResult(value)
      return value
    }
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (typeof value !== 'object') throw unsaveable(path, describe(value))
    if (depth > DEEPEST) throw unsaveable(path, 'it is nested too deeply, or holds itself')
    if (Array.isArray(value)) return value.map((item, i) => this.copy(item, `${path}[${i}]`, depth + 1))
    const form = jsonForm(value)
    if (form !== value) return this.copy(form, path, depth + 1)
    const fields = this.#fields(value as JsonRecord, path, depth)
    if (isMarkedSummary(value)) return { [SUMMARY]: fields }
    return isTagged(value) && !made.has(value) ? { [OBJECT]: fields } : fields
  }

  #fields(value: JsonRecord, path: string, depth: number): { [key: string]: Json } {
    if (ArrayBuffer.isView(value) || NOT_JSON.some((type) => value instanceof type))
      throw unsaveable(path, `it is a ${value.constructor.name}`)
    const copy: { [key: string]: Json } = {}
    for (const key of Object.keys(value)) {
      const field = value[key]
      if (field === undefined) continue
      if (isMark(key, field)) this.marked = true
      set(copy, key, this.copy(field, `${path}.${key}`, depth + 1))
    }
    return copy
  }
}

const NOT_JSON = [Map, Set, WeakMap, WeakSet, Promise, RegExp, ArrayBuffer, Error]

const isMark = (key: string, value: unknown) =>
  value === true && (key === 'ephemeral' || key === '_ephemeral' || key === 'ephemeralMarker')

/** Whether anything in plain JSON is marked as ephemeral. */
export function isMarked(value: Json): boolean {
  if (typeof value === 'string') return isMarkedResult(value)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(isMarked)
  return Object.keys(value).some((key) => isMark(key, value[key]) || isMarked(value[key] as Json))
}

/** Whether a value is still what was copied: {@link toPlain} of it would give the same. */
export function isSame(value: unknown, saved: Json | undefined): boolean {
  if (value === saved) return true
  if (typeof value !== 'object' || typeof saved !== 'object' || value === null || saved === null) return false
  if (Array.isArray(value) || Array.isArray(saved)) {
    if (!Array.isArray(value) || !Array.isArray(saved) || value.length !== saved.length) return false
    return value.every((item, i) => isSame(item, saved[i]))
  }
  const form = jsonForm(value)
  if (form !== value) return isSame(form, saved)
  if (isTagged(value) && !made.has(value))
    return OBJECT in saved && sameFields(value as JsonRecord, saved[OBJECT] as JsonRecord)
  // A copy of a summary's object is the summary.
  if (isTagged(saved) && isRecord<Json>(saved[SUMMARY]))
    return sameFields(value as JsonRecord, saved[SUMMARY])
  return !isMarkedSummary(value) && sameFields(value as JsonRecord, saved)
}

function sameFields(value: JsonRecord, saved: JsonRecord): boolean {
  let found = 0
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue
    if (!Object.hasOwn(saved, key) || !isSame(value[key], saved[key] as Json)) return false
    found++
  }
  return found === Object.keys(saved).length
}

/** A copy of plain JSON with the values that JSON does not have. */
export function revive(value: Json): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(revive)
  if (isTagged(value)) return untag(value)
  return reviveFields(value)
}

function reviveFields(value: { [key: string]: Json }): JsonRecord {
  const copy: JsonRecord = {}
  for (const key of Object.keys(value)) set(copy, key, revive(value[key] as Json))
  return copy
}

function untag(value: { [key: string]: Json }): unknown {
  const tag = Object.keys(value)[0] as string
  const content = value[tag]
  if (tag === OBJECT && isRecord<Json>(content)) return reviveFields(content)
  if (tag === SUMMARY && isRecord<Json>(content)) {
    const message = reviveFields(content)
    markSummary(message)
    return message
  }
  if (typeof content !== 'string') return reviveFields(value)
  if (tag === BYTES) return Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
  return tag === DATE ? new Date(content) : new URL(content)
}

function isTagged(value: object): boolean {
  const keys = Object.keys(value)
  return keys.length === 1 && TAGS.has(keys[0] as string)
}

/** The tagged objects that stand for bytes, dates and links: those of the host's look the same. */
const made = new WeakSet<object>()
/** Bytes are written once; those that are changed in place are not noticed. */
const writtenBytes = new WeakMap<Uint8Array, object>()

/** What stands for an object in JSON; itself, when it is plain. */
function jsonForm(value: object): unknown {
  if (value instanceof Uint8Array) {
    const known = writtenBytes.get(value) ?? tag(BYTES, base64(value))
    writtenBytes.set(value, known)
    return known
  }
  // A date that is none has no such text, and is read back from its own.
  if (value instanceof Date)
    return tag(DATE, Number.isNaN(value.getTime()) ? String(value) : value.toISOString())
  if (value instanceof URL) return tag(LINK, value.href)
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? toJSON.call(value) : value
}

function tag(name: string, content: string): object {
  const tagged = { [name]: content }
  made.add(tagged)
  return tagged
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(binary)
}

function set(object: object, key: string, value: unknown): void {
  // As a field like any other, which an assignment to `__proto__` would not make.
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else (object as JsonRecord)[key] = value
}

function describe(value: unknown): string {
  if (typeof value === 'number') return `it is ${value}, which JSON does not have`
  return `it is ${value === undefined ? 'undefined in a list' : `a ${typeof value}`}`
}

function unsaveable(path: string, reason: string): TrimtabError {
  const message = `${path} cannot be saved: ${reason}. A session holds what JSON has, bytes (Uint8Array), dates and URLs`
  return new TrimtabError('invalid_session', message, { argument: path })
}
