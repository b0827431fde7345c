import { Context, type Policy, type Projection, project, type State } from 'trimtab'
import { samplePositions } from './chart-layout.js'
import type { Session } from './session.js'

/** Number of requests between saved states. The states in between are computed again on demand. */
const STRIDE = 16

/** Maximum number of points in the chart; more are not visible. */
const MAX_POINTS = 240

/** Milliseconds of work before the page gets a chance to handle input. */
const SLICE = 8

/** Context size over the requests of a session, before and after a policy, in estimated tokens. */
export interface Series {
  /** Indices of requests. */
  readonly requests: readonly number[]
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/**
 * Replays a session under a policy, request by request, as an agent's `Context` would: each request starts
 * from the decisions of the one before.
 */
export class Replay {
  readonly #pauses: readonly number[]
  /** `#states[i]`: the decisions before request `i * STRIDE`. */
  readonly #states: (State | undefined)[] = []
  readonly #context: Context
  /** The context's newest projection. */
  #last: Projection<object> | undefined
  readonly #before: number[] = []
  readonly #after: number[] = []

  constructor(
    readonly session: Session,
    readonly policy: Policy,
  ) {
    this.#pauses = pauses(session)
    this.#context = new Context(policy, { format: session.format })
  }

  /** Number of requests replayed so far. */
  get reached(): number {
    return this.#after.length
  }

  get isComplete(): boolean {
    return this.reached === this.session.requests.length
  }

  /** Replays the next request. */
  advance(): void {
    const request = this.reached
    if (request % STRIDE === 0) {
      this.#states.push(this.#last?.state)
    }
    this.#last = this.#context.project(this.#history(request), { idle: this.#pauses[request] ?? 0 })
    this.#before.push(this.#last.report.tokensBefore)
    this.#after.push(this.#last.report.tokensAfter)
  }

  /** Returns the projection of a request that was reached. */
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

  /** Frees the context. `at` and `series` still work; `advance` does not. */
  [Symbol.dispose](): void {
    this.#context[Symbol.dispose]()
  }

  #project(request: number, state: State | undefined): Projection<object> {
    return project(this.#history(request), this.policy, {
      format: this.session.format,
      idle: this.#pauses[request] ?? 0,
      ...(state === undefined ? {} : { state }),
    })
  }

  #history(request: number): readonly object[] {
    return this.session.messages.slice(0, this.session.requests[request]?.messages)
  }
}

/** Seconds between each request and the one before; 0 if unknown. */
function pauses({ requests, transcript }: Session): number[] {
  const times = requests.map(({ messages }) => transcript.times?.[messages] ?? null)
  return times.map((now, request) => {
    const before = times[request - 1] ?? null
    return now === null || before === null ? 0 : Math.max(0, (now - before) / 1000)
  })
}

/**
 * Replays to the end in slices and calls `onReached` after each; resolves to `false` if `signal` stopped it.
 */
export async function runReplay(
  replay: Replay,
  signal: AbortSignal,
  onReached: () => void,
): Promise<boolean> {
  let sliceEnd = performance.now() + SLICE
  try {
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
  } finally {
    replay[Symbol.dispose]()
  }
  onReached()
  return true
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve)
  })
}
