/**
 * Where sessions are kept. A store holds, for each session, a list of entries: JSON texts that it does not look into.
 * The first is a checkpoint, which holds a whole session; the others each add to it (docs/guides/sessions.md).
 *
 * A version identifies all that was stored when it was returned. Who appends says which version was seen; where others
 * have stored something since, the store throws `conflict` and stores nothing. So nobody writes over what was not seen.
 */
export interface SessionStore {
  /** @throws {TrimtabError} `store_failed`, `unreadable_session`. */
  read(id: string): Promise<StoredSession | undefined>
  /** Adds an entry. @throws {TrimtabError} `conflict`, where nothing is stored; `store_failed`, where `isWritten` says whether it is. */
  append(id: string, entry: string, version: string): Promise<Stored>
  /**
   * Puts a checkpoint in the place of all that the version stands for. Without a version it makes a new session.
   *
   * @throws {TrimtabError} `conflict`, also where there is a session and no version was given; `store_failed`.
   */
  replace(id: string, entry: string, version?: string, options?: ReplaceOptions): Promise<Stored>
  /** The ids of all sessions, sorted. */
  list(): Promise<string[]>
  /** Removes a session; nothing happens where there is none. */
  remove(id: string): Promise<void>
}

/** Options of {@link SessionStore.replace}. */
export interface ReplaceOptions {
  /** What was replaced is to be gone at once: content that was marked as ephemeral is in it. Else when it suits the store. */
  erase?: boolean
}

/** A session as its entries. */
export interface StoredSession {
  /** A checkpoint, and the entries to add to it in this order. */
  entries: string[]
  version: string
  /** What was found damaged, and left out. */
  repairs: StoreRepair[]
  /** Checkpoints that were stored at the same time as the one that counts. */
  unmerged: string[]
  /** What was stored once and is there no more. Without its checkpoint, `entries` are only those that were appended. */
  missing?: MissingParts
}

/** What a storage forgot: one that keeps nothing on a disk and was started again, say. */
export interface MissingParts {
  /** Whether the checkpoint is missing, and with it what the session began with. */
  checkpoint: boolean
  /** Which entries of which writer, numbered from 1. */
  entries: { writer: string; from: number; to: number }[]
  /** How many more at least, which were the last of their writers: it is not known of which. 0 where there are none. */
  others: number
}

/** Something that a crash left behind: an entry that was never stored whole, of which no writer was told that it was. */
export interface StoreRepair {
  /** The line of the file, from 1. */
  line: number
  bytes: number
}

/** What a store says of an entry that it stored. */
export interface Stored {
  /** To append the next entry to. */
  version: string
  /** Others stored something at the same time. Both are kept; the next write is a `conflict` until the session is read. */
  concurrent: boolean
}
