/**
 * Storage for sessions. For each session, a store holds a list of entries: JSON texts that it does not parse. The first
 * is a checkpoint with a whole session; each of the others adds to it (docs/guides/sessions.md).
 *
 * A version identifies everything stored at the time it was returned. A writer passes the version it has seen; if
 * another writer stored something since, the store throws `conflict` and stores nothing. Unseen data is therefore never
 * overwritten.
 */
export interface SessionStore {
  /** @throws {TrimtabError} `store_failed`, `unreadable_session`. */
  read(id: string): Promise<StoredSession | undefined>
  /**
   * Appends an entry. @throws {TrimtabError} `conflict` if nothing was stored; `store_failed`, whose `isWritten` says
   * whether it was stored.
   */
  append(id: string, entry: string, version: string): Promise<Stored>
  /**
   * Replaces everything the version covers with a checkpoint. Without a version, creates a session.
   *
   * @throws {TrimtabError} `conflict`, also if the session exists and no version was passed; `store_failed`.
   */
  replace(id: string, entry: string, version?: string, options?: ReplaceOptions): Promise<Stored>
  /**
   * Makes what is stored of a session survive a power failure: a writer that was killed may have stored it and not
   * synced it. Not needed if a store never returns unsynced data. Does nothing if the session does not exist.
   *
   * @throws {TrimtabError} `store_failed` with `isWritten: true`: everything is stored, but may be lost.
   */
  sync?(id: string): Promise<void>
  /** Ids of all sessions, sorted. */
  list(): Promise<string[]>
  /** Removes a session; does nothing if it does not exist. */
  remove(id: string): Promise<void>
}

/** Options of {@link SessionStore.replace}. */
export interface ReplaceOptions {
  /**
   * Whether the replaced data must be erased now, because it has content marked as ephemeral. Otherwise the store
   * chooses when.
   */
  erase?: boolean
}

/** A session as its entries. */
export interface StoredSession {
  /** A checkpoint, and the entries to apply to it in this order. */
  entries: string[]
  version: string
  /** Damaged data that was left out. */
  repairs: StoreRepair[]
  /** Checkpoints stored at the same time as the valid one. */
  unmerged: string[]
  /**
   * Entries that were stored and no longer exist. If the checkpoint is missing, `entries` has appended entries only.
   */
  missing?: MissingParts
  /**
   * Whether the storage still has what is no part of the session: entries that were replaced, that came second to
   * another writer's, or that were not stored completely. `replace` with `erase` removes it.
   */
  hasRemains?: boolean
}

/** Entries that the storage lost, for example because it is in memory and was restarted. */
export interface MissingParts {
  /** Whether the checkpoint is missing, and with it the start of the session. */
  checkpoint: boolean
  /** Ranges of missing entries per writer, numbered from 1. */
  entries: { writer: string; from: number; to: number }[]
  /**
   * Minimum number of further missing entries, the last of their writers; which writers is unknown. 0 if there are
   * none.
   */
  others: number
}

/**
 * An entry that was left out. In a crash, it was not stored completely, and its writer was not told that it was. If a
 * disk or another program changed it since, it was saved; so were entries that follow it, whose place is no longer
 * known.
 */
export interface StoreRepair {
  /** Line of the file, from 1. */
  line: number
  bytes: number
}

/** Result of storing an entry. */
export interface Stored {
  /** Version to pass with the next entry. */
  version: string
  /**
   * Whether another writer stored something at the same time. Both are kept; the next write is a `conflict` until the
   * session is read.
   */
  concurrent: boolean
  /** Whether the storage still has what the entry replaced. */
  hasRemains?: boolean
}
