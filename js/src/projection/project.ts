import { checkMessages, checkOptions, IDLE, NAMED, STEP, TEXT } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { Policy } from '../generated/types.js'
import { historyFor } from '../history/histories.js'
import { pauseIn } from '../history/message-times.js'
import { sentences } from '../history/sentences.js'
import { forModel, prefixOf } from '../policy/model-binding.js'
import { prepare } from '../policy/prepared-policy.js'
import { isOn } from '../policy/token-scale.js'
import { projectWith } from './projection.js'
import type { Projection, ProjectOptions } from './types.js'

const OPTIONS = { currentStep: STEP, state: null, idle: IDLE, prefix: TEXT, model: NAMED, format: FORMAT }

/**
 * Makes the view of a history to send to the model. It is a pure function of its arguments.
 *
 * The history is not changed. Unedited messages are the same objects. An edited message is made once and is the same
 * object again as long as its edits do not change.
 *
 * @param messages The history, in any supported format.
 * @param policy What to leave out; `{}` sends everything.
 * @throws {TrimtabError} `invalid_messages`, `invalid_message`, `unknown_format`, `mixed_formats`, `invalid_policy`,
 *   `invalid_option`, `unsupported_state`, `unreadable_message`.
 */
export function project<M extends object>(
  messages: readonly M[],
  policy: Policy = {},
  options: ProjectOptions = {},
): Projection<M> {
  messages = checkMessages(messages)
  options = checkOptions(options, OPTIONS, 'project')
  const { currentStep = -1, state, prefix, model } = options
  const session = historyFor(messages, options.format)
  const idle = options.idle ?? (currentStep === -1 ? pauseIn(messages) : 0)
  const prepared = prepare(forModel(policy, model))
  if (state !== undefined) session.restore(state)
  const before = state === undefined ? undefined : prefixOf(prepared.policy, prefix, model)
  const made = projectWith(session, messages, prepared, currentStep, idle, before)
  const { clearAtLeast, retire } = prepared.policy
  const isBlind = state === undefined && currentStep === -1 && made.report.steps > 0
  if (isBlind && (isOn(retire) || (isOn(clearAtLeast) && clearAtLeast !== 0)))
    made.report.notice = sentences().noState
  return made
}
