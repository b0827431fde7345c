import { checkMessages, checkOptions } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { EphemeralMode } from '../generated/types.js'
import { historyFor } from '../history/histories.js'
import type { FormatOptions } from '../history/types.js'
import { prepare } from '../policy/prepared-policy.js'

/** Options of {@link cleanupEphemeralMessages}. */
export interface CleanupOptions extends FormatOptions {
  /** What is left: a stub, so that call and result stay paired (the default), or nothing of either. */
  mode?: EphemeralMode
}

/**
 * Takes the content out of every result that is marked `metadata.ephemeral`. To be called after the final text of a
 * turn and before saving, and again before compaction and when a session is loaded.
 *
 * @throws {TrimtabError} As `project`.
 */
export function cleanupEphemeralMessages<M extends object>(
  messages: readonly M[],
  options: CleanupOptions = {},
): M[] {
  checkMessages(messages)
  checkOptions(options, { mode: null, format: FORMAT }, 'cleanupEphemeralMessages')
  const { format, mode = 'stub' } = options
  const policy = prepare({ ephemeral: { mode, when: 'now' } })
  return historyFor(messages, format).view(messages, policy, -1).messages
}

/**
 * Replaces each tool result that repeats an earlier one, still shown in full and with no write to its file since, by
 * a pointer to that one.
 *
 * @throws {TrimtabError} As `project`.
 */
export function dedupeToolResults<M extends object>(
  messages: readonly M[],
  options: FormatOptions = {},
): M[] {
  checkMessages(messages)
  checkOptions(options, { format: FORMAT }, 'dedupeToolResults')
  return historyFor(messages, options.format).view(messages, prepare({ dedupe: true }), -1).messages
}
