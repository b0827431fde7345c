import { TrimtabError } from '../base/error.js'
import { isRecord, type JsonRecord } from '../base/json.js'
import { isNotJson } from '../base/not-json.js'
import { base64Of } from '../base/text.js'
import { isMarkedSummary, markSummary } from '../history/summaries.js'
import { isMark, isMarkedResult } from './marks.js'
import { unreadable } from './stores/errors.js'

// Each save compares the session with its saved form and copies what is new. Both walk the host's objects but do not
// read its strings, so the cost depends on the number of fields, not on megabytes of text.

export type Json = null | boolean | number | string | Json[] | JsonObject

export type JsonObject = { [key: string]: Json }

/** Values that JSON does not have are stored as an object with one of these fields. */
const BYTES = '$bytes'
const DATE = '$date'
const LINK = '$url'
/** A host's object that has such a field itself. */
const OBJECT = '$object'
/** A summary message made by compaction. */
const SUMMARY = '$summary'
const TAGS = new Set([BYTES, DATE, LINK, OBJECT, SUMMARY])
const DEEPEST = 500

export interface PlainCopy {
  value: Json
  /** Whether any of it is marked as ephemeral. */
  marked: boolean
}

/**
 * Copies a value to plain JSON that shares no mutable object with it.
 *
 * @param name Name of the value in errors.
 * @param from Index of the list's first item in errors.
 * @throws {TrimtabError} `invalid_session` for a value that would not be the same after loading.
 */
export function toPlain(value: unknown, name: string, from = 0): PlainCopy {
  const copier = new Copier()
  if (Array.isArray(value)) {
    const items = Array.from(value, (item, i) => copier.copy(item, `${name}[${from + i}]`, 1))
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
    // Not `map`, which would leave out the holes of a sparse list.
    if (Array.isArray(value))
      return Array.from(value, (item, i) => this.copy(item, `${path}[${i}]`, depth + 1))
    const form = jsonForm(value)
    if (form !== value) return this.copy(form, path, depth + 1)
    const fields = this.#fields(value as JsonRecord, path, depth)
    if (isMarkedSummary(value)) return { [SUMMARY]: fields }
    return isTagged(value) && !made.has(value) ? { [OBJECT]: fields } : fields
  }

  #fields(value: JsonRecord, path: string, depth: number): JsonObject {
    if (isNotJson(value)) throw unsaveable(path, `it is a ${value.constructor.name}`)
    const copy: JsonObject = {}
    for (const key of Object.keys(value)) {
      const field = value[key]
      if (field === undefined) continue
      if (isMark(key, field)) this.marked = true
      set(copy, key, this.copy(field, `${path}.${key}`, depth + 1))
    }
    return copy
  }
}

/** Whether a value equals its saved copy: {@link toPlain} would return the same. */
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
    return isRecord<Json>(saved[OBJECT]) && sameFields(value as JsonRecord, saved[OBJECT])
  // A copy of a summary message counts as the summary.
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

/**
 * Copies plain JSON, with tagged objects converted back to the values that JSON does not have.
 *
 * @param id Session that it is part of, for errors.
 * @throws {TrimtabError} `unreadable_session` for a tagged object that stands for no value.
 */
export function revive(value: Json, id: string): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => revive(item, id))
  return isTagged(value) ? untag(value, id) : reviveFields(value, id)
}

/** Like {@link revive}, for an object that is not tagged, whatever its fields are named. */
export const reviveFields = (value: JsonObject, id: string): JsonRecord =>
  mapFields(value, (field) => revive(field, id))

/** Returns an object with the same fields, and the results of `change` as their values. */
export function mapFields<T>(value: JsonObject, change: (field: Json) => T): { [key: string]: T } {
  const copy: { [key: string]: T } = {}
  for (const key of Object.keys(value)) set(copy, key, change(value[key] as Json))
  return copy
}

function untag(value: JsonObject, id: string): unknown {
  const tag = Object.keys(value)[0] as string
  const content = value[tag]
  if (tag === OBJECT && isRecord<Json>(content)) return reviveFields(content, id)
  if (tag === SUMMARY && isRecord<Json>(content)) {
    const message = reviveFields(content, id)
    markSummary(message)
    return message
  }
  if (typeof content !== 'string') return reviveFields(value, id)
  try {
    return decoded(tag, content)
  } catch {
    throw unreadable(id, `${JSON.stringify({ [tag]: content.slice(0, 40) })} in it stands for no value`)
  }
}

/** Throws anything for a text that was not written by {@link jsonForm}. */
function decoded(tag: string, content: string): unknown {
  if (tag === BYTES) return Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
  if (tag !== DATE) return new URL(content)
  const date = new Date(content)
  if (Number.isNaN(date.getTime()) && content !== String(date)) throw new Error('no date')
  return date
}

function isTagged(value: object): boolean {
  const keys = Object.keys(value)
  return keys.length === 1 && TAGS.has(keys[0] as string)
}

/** Tagged objects made here for bytes, dates and links: a host's own object can look the same. */
const made = new WeakSet<object>()
/** Encoded bytes, cached; later changes of the array are not noticed. */
const writtenBytes = new WeakMap<Uint8Array, object>()

/** Returns the JSON form of an object; the object itself if it is plain. */
function jsonForm(value: object): unknown {
  if (value instanceof Uint8Array) {
    const known = writtenBytes.get(value) ?? tag(BYTES, base64Of(value))
    writtenBytes.set(value, known)
    return known
  }
  // An invalid date has no ISO text; its string is an invalid date again when it is read.
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

function set(object: object, key: string, value: unknown): void {
  // Defines it as an ordinary field; an assignment to `__proto__` would set the prototype.
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
