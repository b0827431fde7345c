import { callback } from '../base/at-once.js'
import { checkMessages, checkOptions } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { EditReport, EphemeralMode } from '../generated/types.js'
import { historyFor, historyOf } from '../history/histories.js'
import type { FormatOptions } from '../history/types.js'
import { prepare } from '../policy/prepared-policy.js'

/** Options of {@link cleanupEphemeralMessages}. */
export interface CleanupOptions extends FormatOptions {
  /**
   * The replacement: a stub, so that call and result stay paired (the default), or nothing, with the call
   * removed too.
   */
  mode?: EphemeralMode | undefined
  /** Called with the removed content: message and block, tool, and tokens before and after. */
  onRemoved?: ((removed: readonly EditReport[]) => void) | undefined
}

/**
 * Removes the content of every result that is marked: `metadata.ephemeral` on its message, or in `ai-sdk-ui`
 * `toolMetadata.ephemeral` on its part. Call it after the final text of a turn, before saving, before compaction, and
 * when a session is loaded.
 *
 * @throws {TrimtabError} As `project`.
 */
export function cleanupEphemeralMessages<M extends object>(
  messages: readonly M[],
  options: CleanupOptions = {},
): M[] {
  messages = checkMessages(messages)
  options = checkOptions(
    options,
    { mode: null, onRemoved: callback('onRemoved'), format: FORMAT },
    'cleanupEphemeralMessages',
  )
  const { format, mode = 'stub', onRemoved } = options
  const policy = prepare({ ephemeral: { mode, when: 'now' } })
  const history = historyFor(messages, format)
  const view = history.view(messages, policy, -1)
  onRemoved?.(history.describe(messages, policy, { ...view, sticky: false }).edits)
  return view.messages
}

/**
 * Replaces each tool result that repeats an earlier one with a pointer to it, if the earlier one is shown in full and
 * its file was not written since.
 *
 * @throws {TrimtabError} As `project`.
 */
export function dedupeToolResults<M extends object>(
  messages: readonly M[],
  options: FormatOptions = {},
): M[] {
  options = checkOptions(options, { format: FORMAT }, 'dedupeToolResults')
  return historyOf(messages, options.format).view(messages, prepare({ dedupe: true }), -1).messages
}
