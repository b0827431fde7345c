import { checkOptions, NAMED } from '../../base/check.js'
import { TrimtabError } from '../../base/error.js'
import { randomName } from '../../workspace/random-name.js'
import { conflict, storeFailed } from './errors.js'
import type { SessionStore } from './store.js'

/** Time that the browser has to open the database, and to answer a request of a transaction, in milliseconds. */
const [OPENS, ANSWERS] = [5000, 20_000]

/** Record of a session, stored separately from its entries. */
interface Head {
  version: string
  count: number
}

/** Options of {@link indexedDbStore}. */
export interface IndexedDbStoreOptions {
  /** Name of the database. Default: `trimtab-sessions`. */
  name?: string | undefined
}

/**
 * Stores sessions in the browser's IndexedDB. One transaction compares the version and writes, so only one of two tabs
 * can succeed. If the browser does not open the database within 5 seconds, or does not answer a request within 20, a
 * call fails with `store_failed`; the next one waits again.
 */
export function indexedDbStore(options: IndexedDbStoreOptions = {}): SessionStore {
  options = checkOptions(options, { name: NAMED }, 'indexedDbStore')
  let opened: Promise<IDBDatabase> | undefined
  const forget = () => {
    opened = undefined
  }
  const database = () => {
    opened ??= open(options.name ?? 'trimtab-sessions', forget).catch((error) => {
      forget()
      throw error
    })
    return opened
  }
  const begin = async (mode: IDBTransactionMode) =>
    (await inTime(database(), OPENS, 'open the database')).transaction(['heads', 'entries'], mode, {
      durability: 'strict',
    })
  /** Begins a transaction. If the browser has closed the database and not said so yet, it is opened again. */
  const beginOpen = (mode: IDBTransactionMode) =>
    begin(mode).catch((error) => {
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error
      forget()
      return begin(mode)
    })
  /** Runs one transaction until it is complete and on disk. */
  async function transact<T>(
    id: string,
    mode: IDBTransactionMode,
    work: (heads: IDBObjectStore, entries: IDBObjectStore) => Promise<T>,
  ): Promise<T> {
    let transaction: IDBTransaction | undefined
    try {
      transaction = await beginOpen(mode)
      const done = finished(transaction)
      // If the transaction fails, the work fails too, and the work's error is reported.
      done.catch(() => undefined)
      const result = await work(transaction.objectStore('heads'), transaction.objectStore('entries'))
      await answered(done)
      return result
    } catch (error) {
      const isUndone = transaction === undefined || wasAborted(transaction)
      if (error instanceof TrimtabError) throw error
      const details = { cause: error, ...(isUndone && mode === 'readwrite' && { isWritten: false }) }
      throw storeFailed(id, 'cannot be stored or read in IndexedDB', error, details)
    }
  }
  const headOf = (heads: IDBObjectStore, id: string) => answer(heads.get(id) as IDBRequest<Head | undefined>)
  const put = async (
    heads: IDBObjectStore,
    entries: IDBObjectStore,
    id: string,
    entry: string,
    at: number,
  ) => {
    const version = randomName()
    await answer(entries.put(entry, [id, at]))
    await answer(heads.put({ version, count: at + 1 } satisfies Head, id))
    return { version, concurrent: false }
  }

  return {
    read: (id) =>
      transact(id, 'readonly', async (heads, entries) => {
        const head = await headOf(heads, id)
        if (head === undefined) return undefined
        const texts = (await answer(entries.getAll(all(id)))) as string[]
        return { entries: texts, version: head.version, repairs: [], unmerged: [] }
      }),
    append: (id, entry, version) =>
      transact(id, 'readwrite', async (heads, entries) => {
        const head = await headOf(heads, id)
        if (head === undefined || head.version !== version) throw conflict(id)
        return put(heads, entries, id, entry, head.count)
      }),
    replace: (id, entry, version) =>
      transact(id, 'readwrite', async (heads, entries) => {
        const head = await headOf(heads, id)
        if (head?.version !== version) throw conflict(id)
        await answer(entries.delete(all(id)))
        return put(heads, entries, id, entry, 0)
      }),
    list: () =>
      transact('', 'readonly', async (heads) => ((await answer(heads.getAllKeys())) as string[]).sort()),
    remove: (id) =>
      transact(id, 'readwrite', async (heads, entries) => {
        await answer(entries.delete(all(id)))
        await answer(heads.delete(id))
      }),
  }
}

const all = (id: string) => IDBKeyRange.bound([id, 0], [id, Number.MAX_SAFE_INTEGER])

/**
 * Rejects if the browser does not do something in time: another page may be deleting the database, or the browser's
 * storage does not answer.
 */
async function inTime<T>(work: Promise<T>, limit: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`the browser did not ${what} within ${limit / 1000} seconds`)
    timer = setTimeout(reject, limit, error)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const answered = <T>(work: Promise<T>) => inTime(work, ANSWERS, 'answer a request of the database')

/** @param onClose Called if the database is closed: the user clears the data of the site, or a page deletes it. */
async function open(name: string, onClose: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore('heads')
    request.result.createObjectStore('entries')
  }
  const database = await settled(request)
  database.onclose = onClose
  database.onversionchange = () => {
    // Left open, it would block the page that deletes it.
    database.close()
    onClose()
  }
  return database
}

const answer = <T>(request: IDBRequest<T>) => answered(settled(request))

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
  })
}

/** Aborts a transaction, unless it is finished already. Returns whether it is known to have changed nothing. */
function wasAborted(transaction: IDBTransaction): boolean {
  if (transaction.error !== null) return true
  try {
    transaction.abort()
    return true
  } catch {
    return false
  }
}
