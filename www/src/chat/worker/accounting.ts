import type { Policy, Projection } from 'trimtab'
import { type ReadSession, recordedRequests } from '../agent/recorded-requests.js'
import type { SentRequest } from '../agent/requests.js'
import { nextTask } from '../next-task.js'
import type { Told } from './protocol.js'

/** How long the worker is busy before it hears what else is wanted, in milliseconds. */
const SLICE = 100
/** How often it tells what it has: each time the page draws all of it anew. */
const TOLD = 600

/** The run that is wanted: another one ends it. */
let wanted = 0

/** Ends what is being worked out. */
export function rest(): void {
  wanted = 0
}

/** Works out the requests of a session under a policy, in portions. */
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
