import { type Policy, project } from 'trimtab'
import { samplePositions } from './chart-layout.js'
import type { Session } from './session.js'

/** Context size over the requests of a session, before and after a policy. */
export interface Series {
  /** Indices of requests. */
  readonly requests: readonly number[]
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** More points than this are not visible, and each costs a projection. */
const MAX_POINTS = 240

/** Work for about this long, then let the page answer the user. */
const SLICE_MS = 8

/** Measures the series in slices; `null` when `signal` stopped it. */
export async function measureSeries(
  session: Session,
  policy: Policy,
  signal: AbortSignal,
): Promise<Series | null> {
  const requests = samplePositions(session.requests.length, MAX_POINTS)
  const before: number[] = []
  const after: number[] = []
  let sliceEnd = performance.now() + SLICE_MS
  for (const request of requests) {
    const history = session.messages.slice(0, session.requests[request]?.messages)
    const { report } = project(history, policy, { format: session.format })
    before.push(report.tokensBefore)
    after.push(report.tokensAfter)
    if (performance.now() > sliceEnd) {
      await nextTask()
      if (signal.aborted) {
        return null
      }
      sliceEnd = performance.now() + SLICE_MS
    }
  }
  return { requests, before, after }
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve)
  })
}
