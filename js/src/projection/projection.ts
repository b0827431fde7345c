import type { History } from '../history/history.js'
import type { State } from '../history/types.js'
import type { PreparedPolicy } from '../policy/prepared-policy.js'
import { LazyReport } from './report.js'
import type { Projection } from './types.js'

/** A view whose state is computed on access. */
export class MadeProjection<M extends object> implements Projection<M> {
  readonly messages: M[]
  readonly report: LazyReport

  constructor(messages: M[], report: LazyReport) {
    this.messages = messages
    this.report = report
  }

  get state(): State {
    return this.report.state()
  }
}

/** Makes the view of a session's history, with its report. */
export function projectWith<M extends object>(
  session: History,
  messages: readonly M[],
  policy: PreparedPolicy,
  step: number,
  idle: number,
  prefix?: number,
): MadeProjection<M> {
  const view = session.view(messages, policy, step, idle, prefix)
  return new MadeProjection(view.messages, new LazyReport(view, session, policy, prefix !== undefined))
}
