import { checkIdle, checkIsArray, checkOptions, checkStep } from '../base/options.js'
import type { Policy } from '../generated/types.js'
import { historyFor } from '../history/histories.js'
import { prepare } from '../policy/prepared-policy.js'
import { projectWith } from './projection.js'
import type { Projection, ProjectOptions } from './types.js'

const OPTIONS = ['currentStep', 'state', 'idle', 'format']

/**
 * The view of a history that is to be sent to the model: a pure function of its arguments.
 *
 * The history is not changed. What is not edited is the same object; an edited message is made once and is the same
 * object again while its edits stand.
 *
 * @param messages The history, in any supported format.
 * @param policy What to do; `{}` sends everything.
 * @throws {TrimtabError} `invalid_messages`, `invalid_message`, `unknown_format`, `mixed_formats`, `invalid_policy`,
 *   `invalid_option`, `unsupported_state`, `unreadable_message`.
 */
export function project<M extends object>(
  messages: readonly M[],
  policy: Policy = {},
  options: ProjectOptions = {},
): Projection<M> {
  checkIsArray(messages)
  checkOptions(options, OPTIONS, 'project')
  const { state } = options
  const session = historyFor(messages, options.format)
  const prepared = prepare(policy)
  const step = checkStep(options.currentStep)
  const idle = checkIdle(options.idle)
  if (state !== undefined) session.restore(state)
  return projectWith(session, messages, prepared, step, state !== undefined, idle)
}
