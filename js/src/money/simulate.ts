import { callback } from '../base/at-once.js'
import {
  called,
  check,
  checkMessages,
  checkOptions,
  dataOf,
  FUNCTION,
  isAmount,
  kind,
  LIST,
  NAMED,
  readable,
  refuseWith,
  SIGNAL,
  SWITCH,
  TEXT,
} from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { isRecord } from '../base/json.js'
import { pricesOf } from '../prices/model-prices.js'
import { checkPrices, PRICES } from '../prices/prices.js'
import { estimateByBytes } from '../tokens/byte-estimate.js'
import { boundsOf, regretOf } from './bound.js'
import { relativeTo } from './cost.js'
import type { Evidence } from './evidence.js'
import { type Billing, type Replayed, replay } from './replay.js'
import { type Recorded, record } from './session.js'
import type { Bounds, Policies, SimulatedPolicy, SimulateOptions, Simulation } from './types.js'
import { showAll, viewerOf } from './viewer.js'

const TIME = kind<number>('milliseconds since 1970, or null', Number.isFinite)
const OPTIONS = {
  prices: null,
  model: NAMED,
  ttl: kind('a number of seconds from 0 on, or null', (value) => value === null || isAmount(value)),
  window: kind(
    'a number of tokens over 0, or null',
    (value) => value === null || (isAmount(value) && value > 0),
  ),
  counter: called(FUNCTION, 'a function from messages to their tokens: messageCounter() makes one'),
  system: TEXT,
  times: called(LIST, 'an array of milliseconds, one for each message'),
  format: FORMAT,
  bounds: SWITCH,
  onProgress: callback('onProgress'),
  onPolicy: callback('onPolicy'),
  onLost: callback('onLost'),
  signal: SIGNAL,
}

/**
 * Simulates policies on a session: replays it request by request, and reports for each policy how much was
 * sent, what it cost with the provider's prompt cache, and how much of what later steps relied on was still
 * in view.
 *
 * The session is replayed as recorded. That the model might have acted differently with less in view shows as
 * evidence that was not kept.
 *
 * @param messages A whole session, in any supported format.
 * @param policies By name: a policy, or a function that makes the view.
 * @throws {TrimtabError} `invalid_messages` for a session without answers of the model, `invalid_option`,
 *   `invalid_policy`, and as `project`. If the signal is aborted, its reason is thrown.
 */
export function simulate(
  messages: readonly object[],
  policies: Policies,
  options: SimulateOptions = {},
): Simulation {
  messages = checkMessages(messages)
  const named = checkPolicies(policies)
  options = checkOptions(options, OPTIONS, 'simulate')
  options.times?.forEach((time, at) => {
    if (time != null) check(`times[${at}]`, time, TIME)
  })
  const billed = checkBilling(options)
  const recorded = record(messages, options.format, options.counter)
  if (recorded.requests.length === 0) withoutRequests(messages.length)
  const pauses = pausesOf(recorded, options.times)
  // Measured as the engine measures messages, so that sizes are comparable.
  const systemTokens = estimateByBytes(options.system ?? '')
  const billing: Billing = { ...billed, pauses, systemTokens }
  const progress = new ReplayProgress(recorded.requests.length, named.length + 1, options)
  const base = replay(recorded, showAll, billing, progress.next)
  const bounds = options.bounds === false ? null : boundsOf(recorded, billing, base.cost)
  const tried = named.map(([name, policy]): SimulatedPolicy => {
    const { view, free } = viewerOf(name, policy, recorded.format)
    try {
      const replayed = replay(
        recorded,
        view,
        billing,
        progress.next,
        tellLost(name, recorded.places, options.onLost),
      )
      const made = outcome(name, replayed, base, bounds)
      options.onPolicy?.(made)
      return made
    } finally {
      free()
    }
  })
  recorded.sizes.free()
  options.onProgress?.(1)
  return {
    format: recorded.format,
    messages: messages.length,
    requests: recorded.requests.length,
    prices: billing.prices,
    cacheSeconds: billing.cacheSeconds,
    hasTimes: pauses.some((pause) => pause !== null),
    answerTokens: answerTokens(recorded),
    baseCost: base.cost,
    bounds,
    policies: tried,
  }
}

function tellLost(policy: string, places: readonly number[], onLost: SimulateOptions['onLost']) {
  if (onLost === undefined) return undefined
  const placeOf = (at: number | undefined) => places[at as number] as number
  return ({ kind, message, text, holders, count }: Evidence, request: number): void => {
    const heldBy = placeOf(holders[count - 1])
    onLost({ policy, kind, request, message: placeOf(message), heldBy, text })
  }
}

/** Reports the progress of the replays, and stops them when the signal is aborted. */
class ReplayProgress {
  readonly #total: number
  readonly #options: Pick<SimulateOptions, 'onProgress' | 'signal'>
  #done = 0

  constructor(requests: number, replays: number, options: Pick<SimulateOptions, 'onProgress' | 'signal'>) {
    this.#total = requests * replays
    this.#options = options
  }

  readonly next = (): void => {
    const { onProgress, signal } = this.#options
    if (this.#done % PROGRESS_EVERY === 0) onProgress?.(this.#done / this.#total)
    signal?.throwIfAborted()
    this.#done++
  }
}

/** Requests between two reports. */
const PROGRESS_EVERY = 64

function outcome(name: string, replayed: Replayed, base: Replayed, bounds: Bounds | null): SimulatedPolicy {
  const { refetched, reasoningSent, ...rest } = replayed
  return {
    name,
    relativeCost: relativeTo(base.cost, replayed.cost),
    ...rest,
    reasoning: { kept: reasoningSent, of: base.reasoningSent },
    refetched: { ...refetched, relativeCost: relativeTo(base.cost, refetched.cost) },
    regret: regretOf(replayed.cost, bounds),
  }
}

function answerTokens({ messages, requests, sizes }: Recorded): number {
  return requests.reduce((sum, at) => sum + sizes.of(messages[at] as object), 0)
}

/** Seconds since the last request whose time is known; `null` if a request's own is not, or none before it. */
function pausesOf({ places, requests }: Recorded, times: SimulateOptions['times']): (number | null)[] {
  let then: number | null = null
  return requests.map((at) => {
    const place = places[at] as number
    // The time of a message is that of its first step.
    const now = places[at - 1] === place ? null : (times?.[place] ?? null)
    const pause = now === null || then === null ? null : Math.max(0, (now - then) / 1000)
    then = now ?? then
    return pause
  })
}

function checkPolicies(policies: Policies): [string, Policies[string]][] {
  const named = readable(
    'policies',
    () => (isRecord(policies) ? Object.entries(dataOf(policies)) : []),
    'invalid_policy',
  )
  if (named.length > 0) return named as [string, Policies[string]][]
  const message = 'policies must be an object of one or more policies by name: { rolling: rollingContext() }'
  return refuseWith('policies', message, 'invalid_policy')
}

function checkBilling(options: SimulateOptions): Omit<Billing, 'pauses' | 'systemTokens'> {
  const { model } = options
  const prices = checkPrices(options.prices ?? (model === undefined ? PRICES.anthropic : pricesOf(model)))
  const window = options.window ?? null
  const ttl = options.ttl ?? prices.cacheSeconds
  return { prices, window, cacheSeconds: ttl }
}

function withoutRequests(length: number): never {
  const found = length === 0 ? 'there is no message' : `none of the ${length} messages is the model's`
  refuseWith('messages', `the session must contain answers of the model: ${found}`, 'invalid_messages')
}
