import type { Prices } from '../prices/prices.js'
import { estimateByBytes } from '../tokens/byte-estimate.js'
import { requestCost } from './cost.js'
import type { Evidence } from './evidence.js'
import { noEvidence } from './kept.js'
import { Sent } from './sent.js'
import type { Recorded } from './session.js'
import type { Strays } from './strays.js'
import type { Refetched, SimulatedPolicy } from './types.js'
import type { Viewer } from './viewer.js'

/** Parameters of the billing of a session's requests. */
export interface Billing {
  prices: Prices
  /** Tokens before all messages. */
  systemTokens: number
  /** Seconds since the previous request, by request. */
  pauses: readonly (number | null)[]
  /** Life of the cache in seconds. */
  cacheSeconds: number | null
  window: number | null
}

/** Whether a request finds the cache empty, after a pause longer than its life. */
export function isCold({ pauses, cacheSeconds }: Billing, request: number): boolean {
  const pause = pauses[request] ?? null
  return pause !== null && cacheSeconds !== null && pause > cacheSeconds
}

/** The result of one policy, before it is compared with others. */
export interface Replayed
  extends Omit<SimulatedPolicy, 'name' | 'relativeCost' | 'refetched' | 'reasoning' | 'regret'> {
  /** Sum of the tokens of reasoning over all requests. */
  reasoningSent: number
  refetched: Pick<Refetched, 'texts' | 'cost'>
}

/**
 * Replays a session request by request under one policy. In each request the longest common prefix of
 * messages with the previous request is read from the cache, and the rest is written to it.
 *
 * @param onRequest Called before each request with its position; an exception ends the replay.
 * @param onLost Called with evidence that a request did not show.
 */
export function replay(
  recorded: Recorded,
  view: Viewer,
  billing: Billing,
  onRequest?: (request: number) => void,
  onLost?: (lost: Evidence, request: number) => void,
): Replayed {
  const { messages, requests, evidence } = recorded
  const { prices, systemTokens, pauses, window } = billing
  const sent = new Sent(recorded, systemTokens)
  const kept = noEvidence()
  const missed = new Set<string>()
  const contextTokens: number[] = []
  const totals = {
    tokensSent: 0,
    peakTokens: 0,
    rewrites: 0,
    coldStarts: 0,
    cost: 0,
    overWindow: 0,
    reasoningSent: 0,
  }
  let refetching = 0
  const sofar: object[] = []
  requests.forEach((at, request) => {
    onRequest?.(request)
    for (let i = sofar.length; i < at; i++) sofar.push(messages[i] as object)
    const shown = view(sofar, pauses[request] ?? null)
    const { cached, tokens, reasoning, isRewrite } = sent.next(shown)
    const cold = isCold(billing, request)
    const read = cold ? 0 : cached
    totals.cost += requestCost({ cached: read, written: tokens - read }, prices)
    totals.tokensSent += tokens
    totals.reasoningSent += reasoning
    totals.peakTokens = Math.max(totals.peakTokens, tokens)
    totals.rewrites += Number(isRewrite)
    totals.coldStarts += Number(cold)
    totals.overWindow += Number(window !== null && tokens > window)
    contextTokens.push(tokens)
    for (const item of evidence[request] ?? []) {
      kept[item.kind].of += 1
      if (isShown(item, shown.messages, sent.strays, recorded)) {
        kept[item.kind].kept += 1
        continue
      }
      onLost?.(item, request)
      if (!missed.has(item.text)) {
        missed.add(item.text)
        refetching += requestCost({ cached: tokens, written: estimateByBytes(item.text) }, prices)
      }
    }
  })
  return {
    ...totals,
    overWindow: window === null ? null : totals.overWindow,
    evidence: kept,
    refetched: { texts: missed.size, cost: totals.cost + refetching },
    contextTokens,
  }
}

/**
 * Whether the view contains an unchanged message with the text, or the text in a message made for the view.
 */
function isShown(
  { text, holders, count }: Evidence,
  view: readonly object[],
  strays: Strays,
  { messages }: Recorded,
): boolean {
  // Usually messages keep their positions.
  for (let i = count - 1; i >= 0; i--) {
    const holder = holders[i] as number
    if (view[holder] === messages[holder] || strays.isMoved(holder)) return true
  }
  return strays.hold(text)
}
