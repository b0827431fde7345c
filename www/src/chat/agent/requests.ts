import type { EditReport, MessageFacts, Policy, Projection, State } from 'trimtab'
import { type Prices, requestCost } from 'trimtab/money'

/** Record of one request. Token counts are estimates. */
export interface SentRequest {
  /** Number of messages of the history in it. */
  readonly messages: number
  /** Time of the request, in milliseconds since 1970. */
  readonly time: number
  /**
   * Tokens besides the messages: the system prompt and the definitions of the tools. The other figures are of messages.
   */
  readonly overhead?: number
  /** Tokens of the whole history at that time. */
  readonly full: number
  /** Tokens sent. */
  readonly sent: number
  /** Tokens of `sent` that share a prefix with the previous request: a prompt cache holds them. */
  readonly cached: number
  /** Tokens of `full` that a prompt cache would hold if everything were sent. */
  readonly fullCached: number
  /** Edits that the previous request did not have. */
  readonly edits: readonly EditReport[]
  /** Edits of the previous request that this one lacks, by `message.block`. */
  readonly dropped: readonly string[]
  /** The decisions before it, if it has edits of its own; used to undo the trim. */
  readonly stateBefore?: State
  /** The decisions after it, if a trim was undone before the next request. */
  readonly givenUp?: State
  /** The policy of this request and of those before it that have none, if the next request has another. */
  readonly policy?: Policy
  /** Whether it was made while a trim was undone. */
  readonly isPaused?: true
}

/** The position of a block. */
interface Place {
  readonly message: number
  readonly block: number
}

/** Returns the key of a block: its message and its index in the message. */
export const placeOf = ({ message, block }: Place): string => `${message}.${block}`

/** Returns the block at a position. */
export const blockAt = (messages: readonly MessageFacts[], { message, block }: Place) =>
  messages[message]?.blocks.find((one) => one.block === block)

/** Returns the seconds between the last request and `now` (in milliseconds since 1970); 0 for the first request. */
export const idleSince = (last: SentRequest | undefined, now: number): number =>
  last === undefined ? 0 : Math.max(0, (now - last.time) / 1000)

const byPlace = (edits: readonly EditReport[]) => new Map(edits.map((edit) => [placeOf(edit), edit]))

/**
 * Returns the edits of the last of these requests, by block. For a block edited by two passes, the last edit.
 *
 * @param before The edits of the request before them.
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
  /** The messages of the history that it was made from. */
  readonly messages: readonly object[]
  /** The facts of at least these messages. */
  readonly facts: readonly MessageFacts[]
  readonly time: number
}

/** Creates the records of a conversation's requests, each from the one before and from what changed. */
export class Accounts {
  #last: SentRequest | undefined
  #edits: ReadonlyMap<string, EditReport>
  /** The messages of the last view; `null` if it was computed elsewhere. */
  #view: readonly object[] | null = null

  /** @param last The previous request, with all its edits in `edits`. */
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

  /** Returns the record of a request that is not made. */
  ahead(made: Made): SentRequest {
    return this.#account(made).request
  }

  #account({ view, messages, facts, time }: Made): {
    request: SentRequest
    edits: ReadonlyMap<string, EditReport>
  } {
    const { report } = view
    const known = this.#edits
    // Messages with the same edits are the same objects: if all are, no edit needs to be described again.
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

/** Returns whether a view is the previous one followed by unedited messages of the history. */
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

/** Returns the tokens of the blocks before a position. */
function tokensBefore(place: Place, facts: readonly MessageFacts[]): number {
  let sum = 0
  for (let at = 0; at <= place.message; at++) {
    for (const block of facts[at]?.blocks ?? []) {
      if (isEarlier(block, place)) sum += block.tokens
    }
  }
  return sum
}

/** Returns the tokens that edits before a position save. */
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

/**
 * Returns the cost of all requests, and their cost if everything had been sent; without the answers, which are the
 * same.
 */
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

/** Cache of the cost per request: all requests are summed again whenever one is added. */
const costs = new WeakMap<SentRequest, Cost>()

/** Returns the cost of one request, and its cost if everything had been sent, in tokens of input. */
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
