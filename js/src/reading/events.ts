import type { ReadMode } from './thresholds.js'
import type { FileView } from './view.js'

/**
 * An event while a file is read: `thinking` and `content` arrive in pieces as the curator produces them, `done` comes
 * last.
 */
export type ReadEvent =
  | { kind: 'start'; path: string; totalLines: number; mode: ReadMode }
  | { kind: 'thinking'; text: string }
  | { kind: 'content'; text: string }
  /** Why the file is shown this way, for debugging. */
  | { kind: 'debug'; text: string }
  /** The last event: `view` has the result and the time taken. */
  | { kind: 'done'; view: FileView }
