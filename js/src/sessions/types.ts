import type { Format } from '../generated/types.js'
import type { MissingParts, StoreRepair } from './stores/store.js'

/** A session as it is saved. Fields that this version does not know are kept. */
export interface SavedSession<M extends object = object> {
  /** The form of this object. Set by {@link saveSession}; a newer one is refused. */
  version?: 1
  format?: Format
  /** All messages, as the provider has them. */
  history: readonly M[]
  /** What `project` returned, for the next projection. */
  state?: unknown
  /** `context.toJSON()`, for `Context.fromJSON`: the policy, its state and what was learned. */
  context?: unknown
  /** `workspace.reads.toJSON()`. */
  reads?: Record<string, string>
  /** What an index of the session needs to be made again. */
  index?: unknown
  /** What the provider counted. */
  usage?: unknown
  [field: string]: unknown
}

/** What {@link saveSession} did. */
export interface SaveResult {
  /** New messages alone, everything (the history was not only added to), or nothing (all was saved already). */
  written: 'append' | 'checkpoint' | 'nothing'
  /** Another writer saved at the same time. Both are kept; the next save is a `conflict` until the session is loaded. */
  concurrent: boolean
  /** What could not be done beside saving: leaving out what newer entries replaced. The session is saved. */
  warning?: string
}

/** A session as `loadSession` found it. */
export interface LoadedSession<M extends object = object> {
  session: SavedSession<M>
  /** Entries that a crash left half written; they are left out. */
  repairs: StoreRepair[]
  /** Entries that were saved and that the storage has lost. The session has the others. */
  missing?: MissingParts
  /** How many entries were saved by one who did not know the entry before: turns of writers at the same time. */
  merged: number
  /** Sessions that were rewritten at the same time as this one, and could not be put together with it. */
  unmerged: SavedSession<M>[]
}
