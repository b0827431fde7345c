import { requestCost } from './cost.js'
import type { Evidence } from './evidence.js'
import { noEvidence } from './kept.js'
import type { Prices } from './prices.js'
import type { Recorded } from './session.js'
import type { EvidenceKept, SimulatedPolicy } from './types.js'
import type { Viewer } from './viewer.js'

/** How a session's requests are billed. */
export interface Billing {
  prices: Prices
  /** Tokens in front of all messages. */
  systemTokens: number
  /** Seconds since the request before, by request. */
  pauses: readonly (number | null)[]
  /** Seconds that the cache lives. */
  cacheSeconds: number | null
  window: number | null
}

/** What came of one policy; what it costs beside sending everything is for the caller. */
export type Replayed = Omit<SimulatedPolicy, 'name' | 'relativeCost'>

/**
 * Goes through a session request by request under one policy. Of each request the longest run of leading messages
 * that the request before had too is read from the cache, all else is written to it.
 */
export function replay(recorded: Recorded, view: Viewer, billing: Billing): Replayed {
  const { messages, requests, evidence, sizes } = recorded
  const { prices, systemTokens, pauses, cacheSeconds, window } = billing
  const sent = new Sent((message) => sizes.of(message), systemTokens)
  const kept = noEvidence()
  const contextTokens: number[] = []
  const totals = { tokensSent: 0, peakTokens: 0, rewrites: 0, coldStarts: 0, cost: 0, overWindow: 0 }
  requests.forEach((at, request) => {
    const pause = pauses[request] ?? null
    const shown = view(messages.slice(0, at), pause)
    const { cached, tokens, isRewrite } = sent.next(shown)
    const isCold = pause !== null && cacheSeconds !== null && pause > cacheSeconds
    const read = isCold ? 0 : cached
    totals.cost += requestCost({ cached: read, written: tokens - read }, prices)
    totals.tokensSent += tokens
    totals.peakTokens = Math.max(totals.peakTokens, tokens)
    totals.rewrites += Number(isRewrite)
    totals.coldStarts += Number(isCold)
    totals.overWindow += Number(window !== null && tokens > window)
    contextTokens.push(tokens)
    countEvidence(kept, evidence[request] ?? [], shown, recorded)
  })
  return { ...totals, overWindow: window === null ? null : totals.overWindow, evidence: kept, contextTokens }
}

/** The request before, with the tokens up to each of its messages. */
class Sent {
  #messages: readonly object[] = []
  /** `#upTo[i]`: tokens before message `i`. */
  readonly #upTo: number[]
  readonly #size: (message: object) => number
  #isFirst = true

  constructor(size: (message: object) => number, systemTokens: number) {
    this.#size = size
    this.#upTo = [systemTokens]
  }

  next(messages: readonly object[]): { cached: number; tokens: number; isRewrite: boolean } {
    const same = commonPrefix(this.#messages, messages)
    const isRewrite = same < this.#messages.length
    const part = partInCommon(this.#messages[same], messages[same])
    const within = part === undefined ? 0 : this.#size(part)
    const cached = this.#isFirst ? 0 : (this.#upTo[same] as number) + within
    this.#upTo.length = same + 1
    let tokens = this.#upTo[same] as number
    for (let i = same; i < messages.length; i++) {
      tokens += this.#size(messages[i] as object)
      this.#upTo.push(tokens)
    }
    this.#messages = messages
    this.#isFirst = false
    return { cached, tokens, isRewrite }
  }
}

function commonPrefix(before: readonly object[], after: readonly object[]): number {
  const length = Math.min(before.length, after.length)
  let same = 0
  while (same < length && isSame(before[same] as object, after[same] as object)) same++
  return same
}

/** A policy that makes its stubs anew at each request still sends the same. */
function isSame(one: object, other: object): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/**
 * The blocks that two messages begin with both, as a message: results of one step can stand in one message, and a cache
 * holds up to the first block that changed.
 */
function partInCommon(one: object | undefined, other: object | undefined): object | undefined {
  if (one === undefined || other === undefined) return undefined
  for (const field of ['content', 'parts'] as const) {
    const before = (one as Record<string, unknown>)[field]
    const after = (other as Record<string, unknown>)[field]
    if (!Array.isArray(before) || !Array.isArray(after)) continue
    const same = commonPrefix(before, after)
    return same === 0 ? undefined : { ...other, [field]: after.slice(0, same) }
  }
  return undefined
}

function countEvidence(
  kept: EvidenceKept,
  evidence: readonly Evidence[],
  view: readonly object[],
  recorded: Recorded,
): void {
  for (const item of evidence) {
    kept[item.kind].of += 1
    kept[item.kind].kept += Number(isShown(item, view, recorded))
  }
}

/** Whether a message that holds the text is in the view as it was, or the text in one that was made for the view. */
function isShown({ text, holders }: Evidence, view: readonly object[], recorded: Recorded): boolean {
  const { messages, isOwn, textOf } = recorded
  // Mostly messages keep their places.
  if (holders.some((holder) => view[holder] === messages[holder])) return true
  if (holders.some((holder) => view.includes(messages[holder] as object))) return true
  return view.some((message) => !isOwn(message) && textOf(message).includes(text))
}
