import type { ReadMode } from './thresholds.js'
import type { FileView } from './view.js'

/** An event while a file is read: `thinking` and `content` arrive in pieces as the curator produces them, `done` comes last. */
export type ReadEvent =
  | { kind: 'start'; path: string; totalLines: number; mode: ReadMode }
  | { kind: 'thinking'; text: string }
  | { kind: 'content'; text: string }
  /** Why it is shown as it is, for people who look for the reason. */
  | { kind: 'debug'; text: string }
  /** The end: `view` has the time it took and what is shown. */
  | { kind: 'done'; view: FileView }
