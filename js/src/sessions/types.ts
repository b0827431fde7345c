import type { Format } from '../generated/types.js'
import type { MissingParts, StoreRepair } from './stores/store.js'

/** Saved form of a session. Fields unknown to this version are kept. */
export interface SavedSession<M extends object = object> {
  /** Version of this form. Set by {@link saveSession}; a newer version is rejected. */
  version?: 1 | undefined
  format?: Format | undefined
  /** All messages, in the provider's format. */
  history: readonly M[]
  /** State returned by `project`, for the next projection. */
  state?: unknown
  /** `context.toJSON()`, for `Context.fromJSON`: the policy, its state and the calibration. */
  context?: unknown
  /** `workspace.reads.toJSON()`. */
  reads?: Record<string, string> | undefined
  /** Data needed to rebuild an index of the session. */
  index?: unknown
  /** Token counts reported by the provider. */
  usage?: unknown
  [field: string]: unknown
}

/** Result of {@link saveSession}. */
export interface SaveResult {
  /**
   * What was written: new messages only, everything (the history was changed, not only appended to), or nothing (the
   * storage has all of it already, perhaps with what other writers added).
   */
  written: 'append' | 'checkpoint' | 'nothing'
  /**
   * Whether another writer saved at the same time. Both are kept; the next save is a `conflict` until the session is
   * loaded.
   */
  concurrent: boolean
  /** What failed beside saving: removing data that newer entries replaced. The session is saved. */
  warning?: string
}

/** Result of `loadSession`. */
export interface LoadedSession<M extends object = object> {
  session: SavedSession<M>
  /** Entries that a crash left incomplete, or that were damaged since; they are left out. */
  repairs: StoreRepair[]
  /** Entries that were saved and that the storage lost. The session has the others. */
  missing?: MissingParts
  /** Number of entries saved without knowledge of the entry before: by writers at the same time. */
  merged: number
  /** Sessions that were rewritten at the same time as this one, and could not be merged with it. */
  unmerged: SavedSession<M>[]
}
