import { checkOptions, readable, refuse, refuseWith, TEXT } from '../../base/check.js'
import { randomName } from '../../workspace/random-name.js'
import { guardOf, WriteFailure, writeDetails } from '../../workspace/write-failure.js'
import { conflict, storeFailed } from './errors.js'
import { decodeId, encodeId } from './id.js'
import {
  formatRecord,
  type Known,
  type LiveRecords,
  liveRecords,
  parseKnown,
  parseRecord,
  type StoredRecord,
} from './records.js'
import type { ReplaceOptions, SessionStore, Stored, StoredSession } from './store.js'

/** Methods used of an `unstorage` `Storage`. */
export interface KeyValueStorage {
  getItem(key: string): Promise<unknown>
  getItems(keys: string[]): Promise<{ key: string; value: unknown }[]>
  setItem(key: string, value: string): Promise<void>
  getKeys(base: string): Promise<string[]>
  removeItem(key: string): Promise<void>
}

/** Options of {@link unstorageStore}. */
export interface UnstorageStoreOptions {
  /** Storage from `createStorage({ driver })`, with any driver that keeps what is stored. */
  storage: KeyValueStorage
  /** Prefix of all keys. Default: `trimtab`. */
  base?: string | undefined
}

/** Keys of a session: `BASE:ID:WRITER:NUMBER` for each entry, and this one for the list of writers. */
const WRITERS = 'writers'
const BATCH = 1000
/** Pauses before each read attempt if entries seem to be missing, in milliseconds: others may be writing. */
const PAUSES = [0, 5, 20, 60, 150]

/**
 * Stores sessions in any storage that `unstorage` has a driver for, so that several machines can share them.
 *
 * Such a storage has no compare-and-set. Therefore no entry is ever written by two writers: each writing store has its
 * own name and puts each entry under its own key, so stored data is never overwritten. Only the list of names is shared.
 * Before a write, it checks for the next key of each other writer it knows; a save that began after another one had
 * ended sees that entry and is a `conflict`. Two overlapping saves are both kept, in one order that all readers see, and
 * at least one of them is told (docs/guides/sessions.md lists all guarantees, and their exceptions).
 */
export function unstorageStore(options: UnstorageStoreOptions): SessionStore {
  options = checkOptions(options ?? {}, { storage: null, base: TEXT }, 'unstorageStore')
  const { storage, base = 'trimtab' } = options
  if (typeof readable('storage', () => storage?.getItems) !== 'function') {
    refuseWith('storage', 'unstorageStore needs storage, from createStorage() of unstorage')
  }
  if (!/^[\w-]+(?::[\w-]+)*$/.test(base)) {
    refuse('base', 'words with : between them', base)
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
  const guard = guardOf(storeFailed)
  return {
    read: (id) => guard(id, 'cannot be read', () => session(id).read()),
    append: (id, entry, version) =>
      guard(id, 'cannot be saved', () => session(id).append(entry, parseKnown(version)), writeDetails),
    replace: (id, entry, version, options) =>
      guard(
        id,
        'cannot be saved',
        () =>
          version === undefined
            ? session(id).create(entry)
            : session(id).replace(entry, parseKnown(version), options),
        writeDetails,
      ),
    list: async () => {
      const keys = await guard('*', 'cannot be listed', () => keysOf(storage, base))
      const names = keys.map((key) => key.slice(base.length + 1).split(':')[0] as string)
      return [...new Set(names.map(decodeId))].filter((id) => id !== undefined).sort()
    },
    remove: async (id) => {
      await guard(id, 'cannot be removed', () => session(id).remove())
      open.delete(id)
    },
  }
}

/** Keys that a storage lists: those of others may be anything. */
async function keysOf(storage: KeyValueStorage, base: string): Promise<string[]> {
  const keys: unknown = await storage.getKeys(base)
  if (!Array.isArray(keys)) throw new Error('the storage did not answer with a list of keys')
  return keys.filter((key) => typeof key === 'string')
}

/** Keys of one session, and this store's name among its writers. */
class KeyedSession {
  readonly #storage: KeyValueStorage
  readonly #base: string
  readonly #id: string
  #me = randomName()
  #written = 0
  /** All writers ever seen here: the stored list may lose one for a while. */
  readonly #writers = new Set<string>()

  constructor(storage: KeyValueStorage, base: string, id: string) {
    this.#storage = storage
    this.#base = base
    this.#id = id
  }

  /**
   * Reads the session. While keys are listed and read, others may store entries or remove replaced ones: it then reads
   * again. Entries still missing after that are lost.
   */
  async read(): Promise<StoredSession | undefined> {
    let found: LiveRecords | undefined
    for (const pause of PAUSES) {
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      const listed = await this.#keys()
      if (listed.length === 0) return undefined
      const records = await this.#all(listed)
      found = records.length === 0 ? undefined : liveRecords(records)
      if (found !== undefined && isWhole(found)) break
    }
    // The session was removed during the read.
    if (found === undefined) return undefined
    const { entries, unmerged, hasRemains, known, missing } = found
    const session = { entries, unmerged, hasRemains, version: JSON.stringify(known), repairs: [] }
    return isWhole(found) ? session : { ...session, missing }
  }

  async create(entry: string): Promise<Stored> {
    const keys = await this.#keys()
    if (keys.length > 0) throw conflict(this.#id)
    const covers = this.#written === 0 ? {} : { [this.#me]: this.#written }
    const known: Known = { stamp: 0, seen: {}, covers, last: '' }
    return this.#write(entry, known, covers)
  }

  async append(entry: string, known: Known): Promise<Stored> {
    if (await this.#isBehind(known, true)) throw conflict(this.#id)
    return this.#write(entry, known)
  }

  async replace(entry: string, known: Known, { erase = false }: ReplaceOptions = {}): Promise<Stored> {
    if (await this.#isBehind(known, true)) throw conflict(this.#id)
    const stored = await this.#write(entry, known, known.seen)
    // Others may still be reading what this checkpoint replaced. It stays until the next one, unless it must be erased.
    if (erase || !stored.concurrent)
      await after(this.#clear(erase ? known.seen : known.covers), 'what it replaces may still be stored')
    return { ...stored, hasRemains: !erase }
  }

  async remove(): Promise<void> {
    for (const key of await this.#keys()) await this.#storage.removeItem(key)
    await this.#storage.removeItem(this.#key(WRITERS))
  }

  /** Stores a record under a key that no other writer uses, and checks whether others stored one at the same time. */
  async #write(entry: string, known: Known, covers?: Known['seen']): Promise<Stored> {
    // Entries of this store are not in the session: they were lost, or removed with the session, and another writer
    // made it again. The next number would look as if they were missing.
    if (this.#written > (covers?.[this.#me] ?? known.seen[this.#me] ?? 0)) this.#rename()
    const isFirst = this.#written === 0
    const number = Math.max(this.#written, known.seen[this.#me] ?? 0) + 1
    const writer = this.#me
    const stamp = known.stamp + 1
    await this.#register()
    try {
      await this.#storage.setItem(this.#key(`${writer}:${number}`), formatRecord({ stamp, covers, entry }))
    } catch (error) {
      // The key is not used again, so whatever was stored there stays unchanged.
      this.#rename()
      throw new WriteFailure(error, { isWritten: undefined, note: 'whether it was saved is not known' })
    }
    this.#written = number
    const next: Known = {
      stamp,
      seen: { ...known.seen, ...covers, [writer]: number },
      covers: covers ?? known.covers,
      last: `${writer}:${number}`,
      checkpoint: covers === undefined ? known.checkpoint : `${writer}:${number}`,
    }
    const concurrent = await after(
      isFirst ? this.#firstIsBehind(next) : this.#isBehind(next, false),
      'whether others saved at the same time is not known',
    )
    return { version: JSON.stringify(next), concurrent }
  }

  /** Continues under a new name, with entries from number 1. */
  #rename(): void {
    this.#me = randomName()
    this.#written = 0
  }

  /**
   * Whether another writer has stored an entry that `known` does not have: checks the next key of each writer.
   *
   * @param andKnown Also checks whether the checkpoint or the last entry in `known` is gone: replaced, removed with the
   *   session, or lost. A storage that limits the age of its keys, or their number, drops the oldest first.
   */
  async #isBehind(known: Known, andKnown: boolean): Promise<boolean> {
    await this.#listedWriters()
    const writers = new Set([...this.#writers, ...Object.keys(known.seen)])
    writers.delete(this.#me)
    const next = [...writers].map((writer) => this.#key(`${writer}:${(known.seen[writer] ?? 0) + 1}`))
    const names = andKnown ? new Set([known.last, known.checkpoint ?? known.last]) : []
    const seen = [...names].map((name) => this.#key(name))
    if (next.length + seen.length === 0) return false
    const found = new Set((await this.#read([...next, ...seen])).map(([key]) => key))
    if (next.some((key) => found.has(key)) || seen.some((key) => !found.has(key))) return true
    // A listed writer without any entry is in its first save: the list that it stored may lack one that was added
    // meanwhile, and that has ended its save.
    const isAnyFirst = [...writers].some((writer) => known.seen[writer] === undefined)
    return isAnyFirst && this.#isAnyAfter(known)
  }

  /** Like `#isBehind`, but checks all keys, also of writers that the stored list lacks. */
  async #isAnyAfter(known: Known): Promise<boolean> {
    const names = (await this.#keys()).map((key) => this.#nameOf(key))
    for (const [writer] of names) this.#writers.add(writer as string)
    return names.some(([writer, number]) => Number(number) > (known.seen[writer as string] ?? 0))
  }

  /**
   * Whether another writer has stored an entry that `known` does not have, after a first save. Two stores that write the
   * list of writers for the first time at once may lose one of the names in it, but at least one of them sees the
   * other's entry. A store that finds a name missing adds it again.
   */
  async #firstIsBehind(known: Known): Promise<boolean> {
    const isBehind = await this.#isAnyAfter(known)
    await this.#register()
    return isBehind
  }

  /** Adds all known writers, including this one, to the stored list; checked again with each write. */
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

  /** Removes the entries counted in `covers`. */
  async #clear(covers: Known['seen']): Promise<void> {
    for (const key of await this.#keys()) {
      const [writer = '', number] = this.#nameOf(key)
      if (Number(number) <= (covers[writer] ?? 0)) await this.#storage.removeItem(key)
    }
  }

  /** Reads all entries: those listed, and those that follow or are missing between them. */
  async #all(listed: readonly string[]): Promise<StoredRecord[]> {
    const records = new Map<string, StoredRecord>()
    const asked = new Set<string>()
    let keys = listed
    while (keys.length > 0) {
      for (const [key, value] of await this.#read(keys)) {
        const [writer = '', number] = this.#nameOf(key)
        records.set(key, parseRecord(this.#id, writer, Number(number), value))
      }
      for (const key of keys) asked.add(key)
      keys = this.#around([...records.values()]).filter((key) => !asked.has(key))
    }
    return [...records.values()]
  }

  /** Keys of entries that a listing may have missed while others were writing. */
  #around(records: readonly StoredRecord[]): string[] {
    const { known, missing } = liveRecords(records)
    const next = Object.entries(known.seen).map(([writer, number]) => `${writer}:${number + 1}`)
    const between = missing.entries.flatMap(({ writer, from, to }) =>
      Array.from({ length: Math.min(to - from + 1, BATCH) }, (_, i) => `${writer}:${from + i}`),
    )
    return [...next, ...between].map((name) => this.#key(name))
  }

  /** Returns the existing keys with their values. */
  async #read(keys: readonly string[]): Promise<[key: string, value: unknown][]> {
    const found: [string, unknown][] = []
    for (let i = 0; i < keys.length; i += BATCH)
      for (const { key, value } of await this.#storage.getItems(keys.slice(i, i + BATCH)))
        if (value !== null && value !== undefined) found.push([key, value])
    return found
  }

  async #keys(): Promise<string[]> {
    const keys = await keysOf(this.#storage, this.#base)
    return keys.filter((key) => /^[0-9a-f]{16}:\d+$/.test(key.slice(this.#base.length + 1)))
  }

  #key(name: string): string {
    return `${this.#base}:${name}`
  }

  #nameOf(key: string): string[] {
    return key.slice(this.#base.length + 1).split(':')
  }
}

const isWhole = ({ missing }: LiveRecords) =>
  !missing.checkpoint && missing.entries.length === 0 && missing.others === 0

/** Runs work that follows a stored entry: its errors say that the entry was written. */
async function after<T>(work: Promise<T>, note: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new WriteFailure(error, { isWritten: true, note })
  }
}
