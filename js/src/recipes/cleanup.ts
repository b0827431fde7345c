import { checkMessages, checkOptions, FUNCTION } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { EditReport, EphemeralMode } from '../generated/types.js'
import { historyFor } from '../history/histories.js'
import type { FormatOptions } from '../history/types.js'
import { prepare } from '../policy/prepared-policy.js'

/** Options of {@link cleanupEphemeralMessages}. */
export interface CleanupOptions extends FormatOptions {
  /** What is left: a stub, so that call and result stay paired (the default), or nothing of either. */
  mode?: EphemeralMode
  /** Is told what was taken out: which block of which message, of which tool, and the tokens before and after. */
  onRemoved?: (removed: readonly EditReport[]) => void
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
  checkOptions(options, { mode: null, onRemoved: FUNCTION, format: FORMAT }, 'cleanupEphemeralMessages')
  const { format, mode = 'stub', onRemoved } = options
  const policy = prepare({ ephemeral: { mode, when: 'now' } })
  const history = historyFor(messages, format)
  const view = history.view(messages, policy, -1)
  onRemoved?.(history.describe(messages, policy, { ...view, sticky: false }).edits)
  return view.messages
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
