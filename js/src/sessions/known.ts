import { called, check, NAMED, withMethods } from '../base/check.js'
import { dropOldest } from '../base/lists.js'
import { InTurn } from '../workspace/in-turn.js'
import type { Content } from './entries.js'
import type { Json } from './plain.js'
import { guarded, type UsedStore } from './stores/guarded.js'
import type { MissingParts, SessionStore } from './stores/store.js'

/** A stored session as this process last saw it, for comparison with the next save. */
export interface Known extends Content {
  version: string
  /** Whether any message content is marked as ephemeral. */
  marked: boolean
  /** UTF-16 units of all stored entries. */
  stored: number
  /** UTF-16 units of appended fields: an upper bound, since the last value of each field is still in use. */
  replaced: number
  /** Entries that the storage had lost already. */
  missing?: MissingParts
  /** Whether this process stored or synced it. What it only read may be lost in a power failure: see `store.sync`. */
  isDurable?: boolean
  /** Whether ephemeral content may still be stored: the next save erases it, even if nothing else changed. */
  mustErase?: boolean
  /** Whether the storage may have what is no part of the session: a save with ephemeral content erases it. */
  hasRemains?: boolean
}

/** Content of a save that failed, and that may have been stored. */
export interface Attempt extends Content {
  marked: boolean
  /** What its messages are based on from then on. Missing if what was stored before was never loaded. */
  basis: Basis | undefined
}

/** A session of a store, as this process remembers it. */
export interface Remembered {
  /** What is stored; `undefined` for nothing. */
  known: Known | undefined
  attempted?: Attempt
}

/** Number of sessions remembered per store; any other is read from the store before it is appended to. */
const REMEMBERED = 100

/** What was stored of a session when messages of the host were loaded or saved. */
export interface Basis {
  readonly id: string
  version: string
  readonly messages: readonly Json[]
}

type Stored = Pick<Known, 'version' | 'messages'>

/** A store, the state of its sessions, and the queue for each. */
class StoreMemory {
  /** The store, with errors that are `TrimtabError`s. */
  readonly store: UsedStore
  readonly turns = new InTurn()
  readonly #sessions = new Map<string, Remembered>()
  readonly #bases = new WeakMap<object, Basis>()

  constructor(store: SessionStore) {
    this.store = guarded(store)
  }

  get(id: string): Remembered | undefined {
    return this.#sessions.get(id)
  }

  set(id: string, known: Known | undefined, attempted?: Attempt): void {
    this.#sessions.delete(id)
    if (known === undefined && attempted === undefined) return
    this.#sessions.set(id, { known, ...(attempted && { attempted }) })
    dropOldest(this.#sessions, REMEMBERED)
  }

  /** Records that the host has these messages, and that they are based on what is stored. */
  mark(id: string, messages: readonly object[], { version, messages: stored }: Stored): Basis {
    const basis = { id, version, messages: stored }
    for (const message of messages) this.#bases.set(message, basis)
    return basis
  }

  /**
   * What a history is based on, judged by its message objects: only this version if any of them is of it, and nothing
   * if none of them is known. Several writers may share a store object, and what one of them has changed looks to the
   * others like a change of their own.
   */
  basesOf(id: string, messages: readonly object[], version: string | undefined): readonly Basis[] {
    const bases = new Set<Basis>()
    for (const message of messages) {
      const basis = this.#bases.get(message)
      if (basis?.id !== id) continue
      if (basis.version === version) return [basis]
      bases.add(basis)
    }
    return [...bases]
  }
}

const memories = new WeakMap<SessionStore, StoreMemory>()

const WORDS = 'a store: fileStore, memoryStore or another'
const READ = withMethods<SessionStore>(WORDS, 'read')
const WRITTEN = withMethods<SessionStore>(
  `${WORDS} with read(), append() and replace()`,
  'read',
  'append',
  'replace',
)

/**
 * @param isWritten Whether the store is written to, not only read.
 * @throws {TrimtabError} `invalid_option` for an invalid store, or an id that is not a string.
 */
export function memoryOf(store: SessionStore, id: string, isWritten: boolean): StoreMemory {
  check('store', store, isWritten ? WRITTEN : READ)
  check('id', id, called(NAMED, "a session's id, a string that is not empty"))
  let memory = memories.get(store)
  if (memory === undefined) {
    memory = new StoreMemory(store)
    memories.set(store, memory)
  }
  return memory
}
