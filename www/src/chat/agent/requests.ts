import type { EditReport, MessageFacts, Policy, Projection, State } from 'trimtab'
import { type Prices, requestCost } from 'trimtab/money'

/** The account of one request. Tokens are estimates. */
export interface SentRequest {
  /** How many messages of the history it carried. */
  readonly messages: number
  /** When it was made, in milliseconds since 1970. */
  readonly time: number
  /** Tokens of the whole history then. */
  readonly full: number
  /** Tokens that were sent. */
  readonly sent: number
  /** Of `sent`, those behind the same prefix as in the request before: a prompt cache holds them. */
  readonly cached: number
  /** Of `full`, those that a prompt cache would hold had everything been sent. */
  readonly fullCached: number
  /** Edits that the request before did not have. */
  readonly edits: readonly EditReport[]
  /** Edits of the request before that are no more, by `message.block`. */
  readonly dropped: readonly string[]
  /** What had been decided before a request that trimmed, to undo it. */
  readonly stateBefore?: State
  /** What had been decided after it, where a trim was undone before the next request. */
  readonly givenUp?: State
  /** The policy of this request, and of those before it that name none, where the next one had another. */
  readonly policy?: Policy
  /** Whether it was made while a trim was undone. */
  readonly isPaused?: true
}

/** Where a block stands. */
interface Place {
  readonly message: number
  readonly block: number
}

/** The name of a block: its message and its place in it. */
export const placeOf = ({ message, block }: Place): string => `${message}.${block}`

/** The block at a place. */
export const blockAt = (messages: readonly MessageFacts[], { message, block }: Place) =>
  messages[message]?.blocks.find((one) => one.block === block)

/** Seconds from a request to one that is made now, in milliseconds since 1970; 0 where it is the first. */
export const idleSince = (last: SentRequest | undefined, now: number): number =>
  last === undefined ? 0 : Math.max(0, (now - last.time) / 1000)

const byPlace = (edits: readonly EditReport[]) => new Map(edits.map((edit) => [placeOf(edit), edit]))

/**
 * The edits of the last of these requests, by block. A block that two passes edit has the last of them.
 *
 * @param before Those of the request before them.
 */
export function editsAfter(
  requests: readonly SentRequest[],
  before: ReadonlyMap<string, EditReport> = new Map(),
): Map<string, EditReport> {
  const edits = new Map(before)
  for (const request of requests) {
    for (const place of request.dropped) edits.delete(place)
    for (const edit of request.edits) edits.set(placeOf(edit), edit)
  }
  return edits
}

interface Made {
  readonly view: Projection<object>
  /** What it was made of. */
  readonly messages: readonly object[]
  /** Of these messages at least. */
  readonly facts: readonly MessageFacts[]
  readonly time: number
}

/** The accounts of a conversation's requests, each made from the one before and from what is new. */
export class Accounts {
  #last: SentRequest | undefined
  #edits: ReadonlyMap<string, EditReport>
  /** The messages of the last view; none where it was made elsewhere. */
  #view: readonly object[] | null = null

  /** @param last The request before, with all edits that it had. */
  constructor(last?: SentRequest, edits: readonly EditReport[] = []) {
    this.#last = last
    this.#edits = byPlace(edits)
  }

  next(made: Made): SentRequest {
    const { request, edits } = this.#account(made)
    this.#edits = edits
    this.#view = made.view.messages
    this.#last = request
    return request
  }

  /** The account of a request that is not made. */
  ahead(made: Made): SentRequest {
    return this.#account(made).request
  }

  #account({ view, messages, facts, time }: Made): {
    request: SentRequest
    edits: ReadonlyMap<string, EditReport>
  } {
    const { report } = view
    const known = this.#edits
    // What is edited as before are the same objects as before: then no edit needs to be described again.
    const isAsBefore = this.#view !== null && goesOn(this.#view, view.messages, messages)
    const now = isAsBefore ? known : byPlace(report.edits)
    const edits = isAsBefore
      ? []
      : [...now].filter(([place, edit]) => !isSame(known.get(place), edit)).map(([, edit]) => edit)
    const dropped = isAsBefore ? [] : [...known.keys()].filter((place) => !now.has(place))
    const held: Place = { message: this.#last?.messages ?? 0, block: 0 }
    const changed = [...edits, ...dropped.map(placeNamed)].reduce<Place>(earlier, held)
    const request = {
      messages: messages.length,
      time,
      full: report.tokensBefore,
      sent: report.tokensAfter,
      cached: Math.min(report.tokensAfter, tokensBefore(changed, facts) - savedBefore(changed, facts, now)),
      fullCached: Math.min(report.tokensBefore, tokensBefore(held, facts)),
      edits,
      dropped,
    }
    return { request, edits: now }
  }
}

/** Whether a view is the one before with messages of the history behind it. */
function goesOn(before: readonly object[], view: readonly object[], messages: readonly object[]): boolean {
  if (view.length !== messages.length || view.length < before.length) return false
  return view.every((message, at) => message === (at < before.length ? before[at] : messages[at]))
}

function placeNamed(name: string): Place {
  const [message = 0, block = 0] = name.split('.').map(Number)
  return { message, block }
}

const isEarlier = (one: Place, other: Place) =>
  one.message < other.message || (one.message === other.message && one.block < other.block)

const earlier = (one: Place, other: Place) => (isEarlier(other, one) ? other : one)

function isSame(one: EditReport | undefined, other: EditReport): boolean {
  return one !== undefined && one.text === other.text && one.tokensAfter === other.tokensAfter
}

/** Tokens of the blocks in front of a place. */
function tokensBefore(place: Place, facts: readonly MessageFacts[]): number {
  let sum = 0
  for (let at = 0; at <= place.message; at++) {
    for (const block of facts[at]?.blocks ?? []) {
      if (isEarlier(block, place)) sum += block.tokens
    }
  }
  return sum
}

/** Tokens that edits in front of a place take away. */
function savedBefore(
  place: Place,
  facts: readonly MessageFacts[],
  edits: ReadonlyMap<string, EditReport>,
): number {
  let sum = 0
  for (const edit of edits.values()) {
    if (!isEarlier(edit, place)) continue
    sum += (blockAt(facts, edit)?.tokens ?? 0) - edit.tokensAfter
  }
  return sum
}

/** What all requests cost, and what they would have cost had everything been sent; without the answers, which are the same. */
export function costOf(requests: readonly SentRequest[], prices: Prices): { sent: number; full: number } {
  let sent = 0
  let full = 0
  requests.forEach((request, index) => {
    const cost = costOfOne(request, requests[index - 1], prices)
    sent += cost.sent
    full += cost.full
  })
  return { sent, full }
}

interface Cost {
  readonly before: SentRequest | undefined
  readonly prices: Prices
  readonly sent: number
  readonly full: number
}

/** What requests cost, as it was last asked: a thousand of them are summed whenever one is added. */
const costs = new WeakMap<SentRequest, Cost>()

/** What one request costs, and what it would have cost had everything been sent, as so many tokens of input. */
export function costOfOne(request: SentRequest, before: SentRequest | undefined, prices: Prices): Cost {
  const known = costs.get(request)
  if (known?.before === before && known?.prices === prices) return known
  const life = prices.cacheSeconds ?? Number.POSITIVE_INFINITY
  const isWarm = before !== undefined && (request.time - before.time) / 1000 <= life
  const costing = (tokens: number, inCache: number) => {
    const cached = isWarm ? inCache : 0
    return requestCost({ cached, written: tokens - cached }, prices)
  }
  const sent = costing(request.sent, request.cached)
  const cost = { before, prices, sent, full: costing(request.full, request.fullCached) }
  costs.set(request, cost)
  return cost
}
