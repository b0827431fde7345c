import { check, checkMessages, OBJECT, readable } from '../base/check.js'
import { checkFormat } from '../base/format.js'
import type { ClearPolicy } from '../generated/types.js'
import { historyFor } from '../history/histories.js'
import type { FormatOptions } from '../history/types.js'
import { prepare } from '../policy/prepared-policy.js'

/** Options of {@link clearToolUses}. */
export interface ClearToolUsesOptions extends ClearPolicy, FormatOptions {}

/**
 * Replaces the oldest tool results by a placeholder once the context has reached `trigger` (100,000 estimated tokens),
 * all but the newest (`keep`, 3) and what is protected: failures, `excludeTools`, the newest read of each edited file.
 * With `clearAtLeast` only batches that save this much are cleared. What was cleared stays cleared: call it with the
 * whole history at every step.
 *
 * @throws {TrimtabError} As `project`.
 */
export function clearToolUses<M extends object>(
  messages: readonly M[],
  options: ClearToolUsesOptions = {},
): M[] {
  checkMessages(messages)
  check('options', options, OBJECT)
  // The settings of the pass are the engine's to check, unknown ones too.
  const { format, ...clear } = readable('options', () => ({ ...options }))
  if (format !== undefined) checkFormat('format', format)
  return historyFor(messages, format).view(messages, prepare({ clear }), -1).messages
}
