import { TrimtabError } from '../../base/error.js'
import { randomName } from '../../workspace/random-name.js'
import { conflict, storeFailed } from './errors.js'
import { decodeId, encodeId } from './id.js'
import {
  formatRecord,
  type Known,
  liveRecords,
  parseKnown,
  parseRecord,
  type StoredRecord,
} from './records.js'
import type { ReplaceOptions, SessionStore, Stored, StoredSession } from './store.js'

/** What is used of an `unstorage` `Storage`. */
export interface KeyValueStorage {
  getItem(key: string): Promise<unknown>
  getItems(keys: string[]): Promise<{ key: string; value: unknown }[]>
  setItem(key: string, value: string): Promise<void>
  getKeys(base: string): Promise<string[]>
  removeItem(key: string): Promise<void>
}

export interface UnstorageStoreOptions {
  /** From `createStorage({ driver })`; any driver that keeps what it is given. */
  storage: KeyValueStorage
  /** Put before every key. Default: `trimtab`. */
  base?: string
}

/** Keys of a session: `BASE:ID:WRITER:NUMBER` for each entry, and this one for the writers' names. */
const WRITERS = 'writers'
const BATCH = 1000
const ATTEMPTS = 5

/**
 * Sessions in anything that `unstorage` has a driver for, so that several machines share them.
 *
 * Such a storage cannot compare and set. So no key is ever written by two: each store that writes has a name of its
 * own, and puts each entry under a key of its own. What was stored is therefore never overwritten. Before it writes,
 * it looks for what the others it knows of have written next; a save that began after another had ended sees that one
 * and is a `conflict`. Two that overlap are both kept, in one order that every reader sees, and are told so
 * (docs/guides/sessions.md has all that is promised).
 */
export function unstorageStore(options: UnstorageStoreOptions): SessionStore {
  const { storage, base = 'trimtab' } = options ?? {}
  if (typeof storage?.getItems !== 'function') {
    throw new TrimtabError(
      'invalid_option',
      'unstorageStore needs storage, from createStorage() of unstorage',
      {
        argument: 'storage',
      },
    )
  }
  if (!/^[\w-]+(?::[\w-]+)*$/.test(base)) {
    const message = `base must be words with : between them, found ${JSON.stringify(base)}`
    throw new TrimtabError('invalid_option', message, { argument: 'base' })
  }
  const open = new Map<string, KeyedSession>()
  const session = (id: string) => {
    let found = open.get(id)
    if (found === undefined) {
      found = new KeyedSession(storage, `${base}:${encodeId(id)}`, id)
      open.set(id, found)
    }
    return found
  }
  const guard = async <T>(id: string, what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof TrimtabError ? error : storeFailed(id, what, error)
    }
  }
  return {
    read: (id) => guard(id, 'cannot be read', () => session(id).read()),
    append: (id, entry, version) =>
      guard(id, 'cannot be saved', () => session(id).append(entry, parseKnown(version))),
    replace: (id, entry, version, options) =>
      guard(id, 'cannot be saved', () =>
        version === undefined
          ? session(id).create(entry)
          : session(id).replace(entry, parseKnown(version), options),
      ),
    list: async () => {
      const keys = await guard('*', 'cannot be listed', () => storage.getKeys(base))
      const names = keys.map((key) => key.slice(base.length + 1).split(':')[0] as string)
      return [...new Set(names.map(decodeId))].filter((id) => id !== undefined).sort()
    },
    remove: async (id) => {
      await guard(id, 'cannot be removed', () => session(id).remove())
      open.delete(id)
    },
  }
}

/** One session's keys, and this store's name among its writers. */
class KeyedSession {
  readonly #storage: KeyValueStorage
  readonly #base: string
  readonly #id: string
  #me = randomName()
  #written = 0
  /** All writers that were ever seen here: the list of them may lose one for a while. */
  readonly #writers = new Set<string>()

  constructor(storage: KeyValueStorage, base: string, id: string) {
    this.#storage = storage
    this.#base = base
    this.#id = id
  }

  async read(): Promise<StoredSession | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const records = await this.#all()
      if (records?.length === 0) return undefined
      const live = records && liveRecords(records)
      // A checkpoint may have been written, and what it replaces removed, while the keys were listed.
      if (live !== undefined) return { ...live, version: JSON.stringify(live.known), repairs: [] }
    }
    throw new TrimtabError(
      'store_failed',
      `session ${JSON.stringify(this.#id)} cannot be read: keys of it are missing`,
    )
  }

  async create(entry: string): Promise<Stored> {
    const keys = await this.#keys()
    if (keys.length > 0) throw conflict(this.#id)
    const covers = this.#written === 0 ? {} : { [this.#me]: this.#written }
    const known: Known = { stamp: 0, seen: {}, covers }
    return this.#write(entry, known, covers)
  }

  async append(entry: string, known: Known): Promise<Stored> {
    if (await this.#isBehind(known)) throw conflict(this.#id)
    return this.#write(entry, known)
  }

  async replace(entry: string, known: Known, { erase = false }: ReplaceOptions = {}): Promise<Stored> {
    if (await this.#isBehind(known)) throw conflict(this.#id)
    const stored = await this.#write(entry, known, known.seen)
    // What this one replaced may still be being read, and stays until the next, unless it must go.
    if (!stored.concurrent) await this.#clear(erase ? known.seen : known.covers)
    return stored
  }

  async remove(): Promise<void> {
    for (const key of await this.#keys()) await this.#storage.removeItem(key)
    await this.#storage.removeItem(this.#key(WRITERS))
  }

  /** Puts a record under a key that nobody else writes, and looks whether others did the same meanwhile. */
  async #write(entry: string, known: Known, covers?: Known['seen']): Promise<Stored> {
    const isFirst = this.#written === 0
    const number = Math.max(this.#written, known.seen[this.#me] ?? 0) + 1
    const writer = this.#me
    const stamp = known.stamp + 1
    try {
      await this.#register()
      await this.#storage.setItem(this.#key(`${writer}:${number}`), formatRecord({ stamp, covers, entry }))
    } catch (error) {
      // Whether it was stored is unknown. The key is not used again: what is there stays as it is.
      this.#me = randomName()
      this.#written = 0
      throw error
    }
    this.#written = number
    const next: Known = {
      stamp,
      seen: { ...known.seen, ...covers, [writer]: number },
      covers: covers ?? known.covers,
    }
    const concurrent = isFirst ? await this.#firstIsBehind(next) : await this.#isBehind(next)
    return { version: JSON.stringify(next), concurrent }
  }

  /** Whether another writer has stored what `known` does not have: for each, its next key is looked for. */
  async #isBehind(known: Known): Promise<boolean> {
    await this.#listedWriters()
    const writers = new Set([...this.#writers, ...Object.keys(known.seen)])
    writers.delete(this.#me)
    const keys = [...writers].map((writer) => this.#key(`${writer}:${(known.seen[writer] ?? 0) + 1}`))
    if (keys.length === 0) return false
    return (await this.#storage.getItems(keys)).some(({ value }) => value !== null && value !== undefined)
  }

  /**
   * The same, by all keys: two that write the list of writers for the first time, at once, may lose one of the names
   * there, but not both overlook the other's entry. Who finds a name missing puts it back.
   */
  async #firstIsBehind(known: Known): Promise<boolean> {
    const names = (await this.#keys()).map((key) => this.#nameOf(key))
    for (const [writer] of names) this.#writers.add(writer as string)
    await this.#register()
    return names.some(([writer, number]) => Number(number) > (known.seen[writer as string] ?? 0))
  }

  /** Puts all known writers, this one among them, on the list; looked at again with each write. */
  async #register(): Promise<void> {
    this.#writers.add(this.#me)
    const listed = await this.#listedWriters()
    if ([...this.#writers].every((writer) => listed.has(writer))) return
    await this.#storage.setItem(this.#key(WRITERS), ['trimtab', ...this.#writers].join(' '))
  }

  async #listedWriters(): Promise<Set<string>> {
    const value = await this.#storage.getItem(this.#key(WRITERS))
    const listed = new Set(typeof value === 'string' ? value.split(' ').slice(1) : [])
    for (const writer of listed) this.#writers.add(writer)
    return listed
  }

  /** Removes the entries that `covers` counts. */
  async #clear(covers: Known['seen']): Promise<void> {
    for (const key of await this.#keys()) {
      const [writer = '', number] = this.#nameOf(key)
      if (Number(number) <= (covers[writer] ?? 0)) await this.#storage.removeItem(key)
    }
  }

  async #all(): Promise<StoredRecord[] | undefined> {
    const keys = await this.#keys()
    const records: StoredRecord[] = []
    for (let i = 0; i < keys.length; i += BATCH) {
      const batch = keys.slice(i, i + BATCH)
      const values = new Map((await this.#storage.getItems(batch)).map(({ key, value }) => [key, value]))
      for (const key of batch) {
        const value = values.get(key)
        if (value === null || value === undefined) return undefined
        const [writer = '', number] = this.#nameOf(key)
        records.push(parseRecord(this.#id, writer, Number(number), value))
      }
    }
    return records
  }

  async #keys(): Promise<string[]> {
    const keys = await this.#storage.getKeys(this.#base)
    return keys.filter((key) => /^[0-9a-f]{16}:\d+$/.test(key.slice(this.#base.length + 1)))
  }

  #key(name: string): string {
    return `${this.#base}:${name}`
  }

  #nameOf(key: string): string[] {
    return key.slice(this.#base.length + 1).split(':')
  }
}
