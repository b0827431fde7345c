import type { PlannedResult, PlannedSession } from './cheapest-plan.js'
import { type Clearable, Clearing } from './clearable.js'
import { relativeTo } from './cost.js'
import type { Evidence } from './evidence.js'
import { cheapestKeeping, type KeepingPlan, type Need } from './keeping.js'
import { type Billing, isCold } from './replay.js'
import type { Recorded } from './session.js'
import type { Bounds } from './types.js'

/** Requests. For longer sessions the tables take gigabytes and minutes. */
const MOST_REQUESTS = 1000

/**
 * Returns the lowest cost of any policy that shows each result once, clears results for good, and keeps the
 * evidence of all edits, or all evidence. `null` for a session of more than 1,000 requests.
 */
export function boundsOf(recorded: Recorded, billing: Billing, baseCost: number): Bounds | null {
  const { cacheRead, cacheWrite } = billing.prices
  // If writing were cheaper than reading, changing everything at each request would pay; no provider has such
  // prices.
  if (recorded.requests.length > MOST_REQUESTS || cacheWrite < cacheRead) return null
  const { session, needs } = boundProblem(recorded, billing)
  const bound = ({ least, plan }: KeepingPlan) => ({
    cost: least,
    relativeCost: relativeTo(baseCost, least),
    isReached: least === plan.cost && billing.prices.tiers === undefined,
  })
  return {
    edits: bound(
      cheapestKeeping(
        session,
        needs.filter(({ kind }) => kind === 'edits'),
      ),
    ),
    all: bound(cheapestKeeping(session, needs)),
  }
}

/** Returns a cost as a multiple of the cheapest plan that keeps all evidence. */
export function regretOf(cost: number, bounds: Bounds | null): number | null {
  return bounds === null ? null : relativeTo(bounds.all.cost, cost)
}

/** A session and its needs as numbers, with the results that they refer to. */
interface BoundProblem {
  session: PlannedSession
  needs: (Need & Pick<Evidence, 'kind'>)[]
  clearing: Clearing
  results: readonly Clearable[]
}

/**
 * Builds the input of the search for the cheapest plan from a session.
 *
 * @public The tests replay its plans.
 */
export function boundProblem(recorded: Recorded, billing: Billing): BoundProblem {
  const { messages, requests, sizes } = recorded
  const clearing = new Clearing(messages, recorded.format)
  const arrivals = arrivalsOf(messages.length, requests)
  const arrivesAt = ({ message }: Clearable) => arrivals[message] as number
  const savedBy = (one: Clearable) =>
    sizes.of(clearing.showing(one)) - sizes.of(clearing.cleared(one.message))
  const results = clearing.results.filter((one) => arrivesAt(one) < requests.length && savedBy(one) > 0)
  const upTo = [billing.systemTokens]
  for (const at of messages.keys()) upTo.push((upTo[at] as number) + sizes.of(clearing.cleared(at)))
  const planned = results.map((one): PlannedResult => {
    const before = clearing.before(one)
    const within = before === undefined ? 0 : sizes.of(before)
    return {
      arrives: arrivesAt(one),
      free: arrivesAt(one) + 1,
      saves: savedBy(one),
      before: (upTo[one.message] as number) + within,
    }
  })
  const cleared = requests.map((at) => upTo[at] as number)
  const { cacheRead, cacheWrite, tiers = [] } = billing.prices
  // A plan does not know the sizes of its requests, so all have the price of the cheapest tier.
  const cheapest = Math.min(1, ...tiers.map(({ input }) => input))
  const read = cheapest * cacheRead
  const session = {
    cleared,
    fresh: cleared.map((tokens, request) => tokens - (cleared[request - 1] ?? 0)),
    isCold: requests.map((_, request) => isCold(billing, request)),
    results: planned,
    read,
    writeExtra: cheapest * cacheWrite - read,
  }
  return { session, needs: needsOf(recorded, clearing, results), clearing, results }
}

/** For each message, the first request that contains it. */
function arrivalsOf(messages: number, requests: readonly number[]): number[] {
  let request = 0
  return Array.from({ length: messages }, (_, at) => {
    while (request < requests.length && (requests[request] as number) <= at) request++
    return request
  })
}

/** The evidence that only results contain. Evidence that other blocks also contain is never lost. */
function needsOf(
  { evidence, textOf }: Recorded,
  clearing: Clearing,
  results: readonly Clearable[],
): BoundProblem['needs'] {
  const byMessage = new Map<number, number[]>()
  results.forEach(({ message }, result) => {
    const list = byMessage.get(message)
    if (list === undefined) byMessage.set(message, [result])
    else list.push(result)
  })
  /** The results of a message that each show the text by themselves; `null` if it is shown without them. */
  const showing = (message: number, text: string): number[] | null => {
    if (textOf(clearing.cleared(message)).includes(text)) return null
    const alone = (byMessage.get(message) ?? []).filter((result) =>
      textOf(clearing.showing(results[result] as Clearable)).includes(text),
    )
    // A text that spans several blocks: no plan has to keep it.
    return alone.length === 0 ? null : alone
  }
  return evidence.flatMap((list, request) =>
    list.flatMap(({ kind, text, holders, count }) => {
      const found = holders.slice(0, count).map((message) => showing(message, text))
      return found.some((one) => one === null)
        ? []
        : [{ kind, request, holders: found.flatMap((one) => one ?? []) }]
    }),
  )
}
