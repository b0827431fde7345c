import { STATE_VERSION } from './options.js'
import type { PreparedPolicy } from './prepared-policy.js'
import { LazyReport } from './report.js'
import type { Session } from './session.js'
import type { Projection } from './types.js'

/** The view of a history that a session follows, with its report. */
export function projectWith<M extends object>(
  session: Session,
  messages: readonly M[],
  policy: PreparedPolicy,
  step: number,
): Projection<M> {
  const { messages: view, ...head } = session.view(messages, policy, step)
  const report = new LazyReport(head, session.detectedFormat(), session, policy)
  return { messages: view, report, state: { version: STATE_VERSION } }
}
