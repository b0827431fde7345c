import { called, check, NAMED, withMethods } from '../base/check.js'
import { InTurn } from '../workspace/in-turn.js'
import type { Content } from './entries.js'
import type { SessionStore } from './stores/store.js'

/** What this process last saw of a stored session, to compare the next save with. */
export interface Known extends Content {
  version: string
  /** Whether anything in the messages is marked as ephemeral. */
  marked: boolean
  /** UTF-16 units of all entries that are stored. */
  stored: number
  /** Of them, at most, fields that were appended: all but the last of each are replaced by a later one. */
  replaced: number
  /** What a save wanted to store that failed, and may have stored it. */
  attempted?: Content & { marked: boolean }
  /** Content that is ephemeral may be stored still: the next save erases it, whatever else there is to save. */
  mustErase?: boolean
}

/** Sessions of a store that are remembered; of any other, what is stored is read again before it is added to. */
const REMEMBERED = 100

/** What is known of a store's sessions, and whose turn it is at each. */
class StoreMemory {
  readonly turns = new InTurn()
  readonly #known = new Map<string, Known>()

  get(id: string): Known | undefined {
    return this.#known.get(id)
  }

  set(id: string, known: Known | undefined): void {
    this.#known.delete(id)
    if (known === undefined) return
    this.#known.set(id, known)
    const oldest = this.#known.keys().next()
    if (this.#known.size > REMEMBERED && !oldest.done) this.#known.delete(oldest.value)
  }
}

const memories = new WeakMap<SessionStore, StoreMemory>()

const STORE = withMethods<SessionStore>('a store: fileStore, memoryStore or another', 'read')

/** @throws {TrimtabError} `invalid_option` for an invalid store, or an id that is not a string. */
export function memoryOf(store: SessionStore, id: string): StoreMemory {
  check('store', store, STORE)
  check('id', id, called(NAMED, "a session's id, a string that is not empty"))
  let memory = memories.get(store)
  if (memory === undefined) {
    memory = new StoreMemory()
    memories.set(store, memory)
  }
  return memory
}
