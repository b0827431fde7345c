import { type Policy, type Projection, project, type State } from 'trimtab'
import { samplePositions } from './chart-layout.js'
import type { Session } from './session.js'

/** What was decided is kept for every so many requests; for those between, it is decided again when they are looked at. */
const STRIDE = 16

/** More points than this are not visible. */
const MAX_POINTS = 240

/** Work for about this long, in milliseconds, then let the page answer the user. */
const SLICE = 8

/** Context size over the requests of a session, before and after a policy, in estimated tokens. */
export interface Series {
  /** Indices of requests. */
  readonly requests: readonly number[]
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/**
 * A session under a policy, request by request, as an agent's `Context` goes through it: what was decided for one request
 * holds for the next.
 */
export class Replay {
  readonly #pauses: readonly number[]
  /** `#states[i]`: what had been decided before request `i * STRIDE`. */
  readonly #states: (State | undefined)[] = []
  #state: State | undefined
  readonly #before: number[] = []
  readonly #after: number[] = []

  constructor(
    readonly session: Session,
    readonly policy: Policy,
  ) {
    this.#pauses = pauses(session)
  }

  /** How many requests were gone through, from the first one on. */
  get reached(): number {
    return this.#after.length
  }

  get isComplete(): boolean {
    return this.reached === this.session.requests.length
  }

  /** Goes through the next request. */
  advance(): void {
    if (this.reached % STRIDE === 0) {
      this.#states.push(this.#state)
    }
    const { report, state } = this.#project(this.reached, this.#state)
    this.#state = state
    this.#before.push(report.tokensBefore)
    this.#after.push(report.tokensAfter)
  }

  /** What was sent with a request that was reached. */
  at(request: number): Projection<object> {
    const known = Math.floor(request / STRIDE)
    let state = this.#states[known]
    for (let earlier = known * STRIDE; earlier < request; earlier++) {
      state = this.#project(earlier, state).state
    }
    return this.#project(request, state)
  }

  series(): Series {
    const requests = samplePositions(this.reached, MAX_POINTS)
    const pick = (values: readonly number[]) => requests.map((request) => values[request] ?? 0)
    return { requests, before: pick(this.#before), after: pick(this.#after) }
  }

  #project(request: number, state: State | undefined): Projection<object> {
    const { session, policy } = this
    const history = session.messages.slice(0, session.requests[request]?.messages)
    return project(history, policy, {
      format: session.format,
      idle: this.#pauses[request] ?? 0,
      ...(state === undefined ? {} : { state }),
    })
  }
}

/** Seconds between a request and the one before, by request; 0 where the session does not tell. */
function pauses({ requests, transcript }: Session): number[] {
  const times = requests.map(({ messages }) => transcript.times?.[messages] ?? null)
  return times.map((now, request) => {
    const before = times[request - 1] ?? null
    return now === null || before === null ? 0 : Math.max(0, (now - before) / 1000)
  })
}

/** Goes to the end in slices, and says after each that more was reached; `false` when `signal` stopped it. */
export async function runReplay(
  replay: Replay,
  signal: AbortSignal,
  onReached: () => void,
): Promise<boolean> {
  let sliceEnd = performance.now() + SLICE
  while (!replay.isComplete) {
    replay.advance()
    if (performance.now() > sliceEnd) {
      onReached()
      await nextTask()
      if (signal.aborted) {
        return false
      }
      sliceEnd = performance.now() + SLICE
    }
  }
  onReached()
  return true
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve)
  })
}
