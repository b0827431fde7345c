import { type TrimtabError, unreadable } from '../base/error.js'
import type { Reader } from '../engine/reader.js'
import { KIND_ABSENT, KIND_LIST, KIND_OBJECT, KIND_SCALAR, KIND_TEXT } from '../generated/protocol.js'
import { InPlaceChanges } from './in-place-changes.js'
import { isStub } from './stubs.js'

const encoder = new TextEncoder()

/**
 * Entries. No real message has more blocks or calls; a sparse array can have a length of four thousand
 * million.
 */
const LONGEST_LIST = 1 << 18
/** Entries of a list in a call's arguments or a result's data, which are millions of bytes of JSON. */
const LONGEST_DATA = 1 << 20

/**
 * Reads the host's values for the engine (`src/wasm/host.rs`). Nothing here throws: an exception of a getter
 * or proxy is stored in `failure`, and its field counts as absent.
 */
export class ValueReader {
  /**
   * Never used, and never collected. When the last host of a process is collected, V8 drops the hidden
   * classes of hosts and all optimised code for reading with them, which makes the next history twice as slow
   * to read.
   */
  static readonly idle = new ValueReader({ keys: [], words: new Map(), scratch: () => new Uint8Array() })

  readonly watch = new InPlaceChanges()
  failure: unknown = undefined
  /** The message that could not be read. */
  failedAt = 0
  #at = 0
  readonly #reader: Reader
  #text = ''
  #position = 0

  constructor(reader: Reader) {
    this.#reader = reader
  }

  message(messages: readonly unknown[], index: number): unknown {
    const message = messages[index]
    this.#at = index
    this.watch.begin(index, message as object)
    return message
  }

  peek(messages: readonly unknown[], index: number): unknown {
    this.#at = index
    return messages[index]
  }

  forget(length: number): void {
    this.watch.forget(length)
  }

  field(holder: unknown, key: number, watch: boolean): unknown {
    if (typeof holder !== 'object' || holder === null) return undefined
    const name = this.#reader.keys[key] as string
    try {
      const value = (holder as Record<string, unknown>)[name]
      if (watch) this.watch.field(holder, name, value)
      return value
    } catch (error) {
      return this.#fail(error)
    }
  }

  /** Returns whether an object has a field of those from number `first` to `last`. */
  hasAny(holder: unknown, first: number, last: number): boolean {
    if (typeof holder !== 'object' || holder === null) return false
    const { keys } = this.#reader
    try {
      for (let key = first; key <= last; key++) {
        const value = (holder as Record<string, unknown>)[keys[key] as string]
        if (value !== undefined && value !== null) return true
      }
    } catch (error) {
      this.#fail(error)
    }
    return false
  }

  item(list: unknown, index: number, watch: boolean): unknown {
    try {
      if (!Array.isArray(list)) return undefined
      const value: unknown = list[index]
      if (watch) this.watch.item(list, index, value)
      return value
    } catch (error) {
      return this.#fail(error)
    }
  }

  len(list: unknown, watch: boolean): number {
    try {
      if (!Array.isArray(list)) return 0
      if (list.length < 0 || list.length > LONGEST_LIST) throw RangeError(`a list of ${list.length} entries`)
      if (watch) this.watch.length(list)
      return list.length
    } catch (error) {
      this.#fail(error)
      return 0
    }
  }

  fieldCount(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 0
    try {
      return Array.isArray(value) ? 0 : Object.keys(value).length
    } catch (error) {
      this.#fail(error)
      return 0
    }
  }

  /** Returns the result of a method; `undefined` if it throws or is not a function. */
  returned(holder: unknown, key: number): unknown {
    const method = this.field(holder, key, false)
    if (typeof method !== 'function') return undefined
    try {
      return method.call(holder) as unknown
    } catch (error) {
      return this.#fail(error)
    }
  }

  kind(value: unknown): number {
    if (value === undefined || value === null) return KIND_ABSENT
    if (typeof value === 'string') return KIND_TEXT
    if (typeof value !== 'object') return KIND_SCALAR
    try {
      return Array.isArray(value) ? KIND_LIST : KIND_OBJECT
    } catch (error) {
      this.#fail(error)
      return KIND_ABSENT
    }
  }

  word(value: unknown): number {
    return typeof value === 'string' ? (this.#reader.words.get(value) ?? -1) : -1
  }

  isBlank(value: unknown): boolean {
    return typeof value === 'string' && value.trim() === ''
  }

  isStub(value: unknown): boolean {
    return isStub(value)
  }

  openText(value: unknown): number {
    return this.#open(typeof value === 'string' ? value : '')
  }

  /** Opens the JSON of a value; empty if it has none (a cycle, a bigint, nesting beyond the stack). */
  openJson(value: unknown): number {
    try {
      this.#checkLists(value)
      return this.#open(JSON.stringify(value) ?? '')
    } catch {
      return this.#open('')
    }
  }

  /**
   * Checks the lists in a value, however deep, before its JSON is made: that has every hole of a sparse one. An object
   * with a JSON of its own may hold anything else.
   */
  #checkLists(value: unknown): void {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
    if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return
    if (Array.isArray(value) && value.length > LONGEST_DATA)
      throw this.#fail(RangeError(`a list of ${value.length} entries`))
    for (const entry of Object.values(value)) this.#checkLists(entry)
  }

  #open(text: string): number {
    this.#text = text
    this.#position = 0
    return text.length
  }

  /** Writes the next piece of the opened text. Returns its bytes, as a negative number if more follow. */
  fill(): number {
    const scratch = this.#reader.scratch()
    const { read, written } = encoder.encodeInto(this.#next(scratch.length), scratch)
    this.#position += read
    if (this.#position < this.#text.length) return -written
    this.#text = ''
    return written
  }

  /**
   * Returns what may fit into `bytes`. Not all of the rest: a browser copies the text that `encodeInto` is given, so
   * the time for a text would grow with its square. Never ends with half of a surrogate pair.
   */
  #next(bytes: number): string {
    const end = this.#position + bytes
    if (end >= this.#text.length) return this.#position === 0 ? this.#text : this.#text.slice(this.#position)
    const last = this.#text.charCodeAt(end - 1)
    return this.#text.slice(this.#position, last >= 0xd800 && last < 0xdc00 ? end - 1 : end)
  }

  #fail(error: unknown): undefined {
    if (this.failure === undefined) {
      this.failure = error ?? new Error('a getter threw nothing')
      this.failedAt = this.#at
    }
    return undefined
  }

  /**
   * The error for what a getter or proxy of the host threw, with the message's index; `undefined` if none
   * threw.
   */
  unreadable(): TrimtabError | undefined {
    if (this.failure === undefined) return undefined
    return unreadable(this.failedAt, this.failure)
  }
}
