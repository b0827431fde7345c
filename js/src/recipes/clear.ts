import { check, OBJECT, readable } from '../base/check.js'
import { checkFormat } from '../base/format.js'
import type { ClearPolicy } from '../generated/types.js'
import { historyOf } from '../history/histories.js'
import type { FormatOptions } from '../history/types.js'
import { prepare } from '../policy/prepared-policy.js'

/** Options of {@link clearToolUses}. */
export interface ClearToolUsesOptions extends ClearPolicy, FormatOptions {}

/**
 * Replaces the oldest tool results with a placeholder once the context has reached `trigger` (100,000
 * estimated tokens), except the newest (`keep`, 3) and protected ones: failures, `excludeTools`, the newest
 * read of each edited file. With `clearAtLeast` only batches that save at least this much are cleared. A
 * cleared result stays cleared: call it with the whole history at every step.
 *
 * @throws {TrimtabError} As `project`.
 */
export function clearToolUses<M extends object>(
  messages: readonly M[],
  options: ClearToolUsesOptions = {},
): M[] {
  check('options', options, OBJECT)
  // The engine checks the settings of the pass, including unknown ones.
  const { format, ...clear } = readable('options', () => ({ ...options }))
  if (format !== undefined) checkFormat('format', format)
  return historyOf(messages, format).view(messages, prepare({ clear }), -1).messages
}
