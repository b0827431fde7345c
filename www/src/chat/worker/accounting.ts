import type { Policy, Projection } from 'trimtab'
import { type ReadSession, recordedRequests } from '../agent/recorded-requests.js'
import type { SentRequest } from '../agent/requests.js'
import { nextTask } from '../next-task.js'
import type { Told } from './protocol.js'

/** Time that the worker computes before it handles messages, in milliseconds. */
const SLICE = 100
/** Interval between two reports, in milliseconds: the page redraws everything for each. */
const TOLD = 600

/** The current run; setting another one ends it. */
let wanted = 0

/** Cancels the computation. */
export function rest(): void {
  wanted = 0
}

/** Computes the requests of a session under a policy, and reports them in portions. */
export async function account(
  session: ReadSession,
  { run, policy }: { run: number; policy: Policy },
  tell: (told: Told) => void,
): Promise<void> {
  wanted = run
  const requests = recordedRequests(session, policy)
  let made: SentRequest[] = []
  let view: Projection<object> | undefined
  const handOver = () => {
    tell({ kind: 'requests', run, requests: made, ...(view === undefined ? {} : { state: view.state }) })
    made = []
  }
  let [end, due] = [performance.now() + SLICE, performance.now()]
  for (let next = requests.next(); ; next = requests.next()) {
    if (next.done) {
      handOver()
      tell({ kind: 'accounted', run })
      return
    }
    made.push(next.value.request)
    view = next.value.view
    if (performance.now() < end) continue
    if (performance.now() > due) {
      handOver()
      due = performance.now() + TOLD
    }
    await nextTask()
    if (wanted !== run) {
      requests.return(undefined)
      return
    }
    end = performance.now() + SLICE
  }
}
