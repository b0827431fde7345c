import type { Prices } from '../prices/prices.js'
import { estimateByBytes } from '../tokens/byte-estimate.js'
import { requestCost } from './cost.js'
import { countBelow, type Evidence } from './evidence.js'
import { noEvidence } from './kept.js'
import { Sent, type Stray } from './sent.js'
import type { Recorded } from './session.js'
import type { Refetched, SimulatedPolicy } from './types.js'
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

/** Whether a request finds the cache empty, after a pause longer than it lives. */
export function isCold({ pauses, cacheSeconds }: Billing, request: number): boolean {
  const pause = pauses[request] ?? null
  return pause !== null && cacheSeconds !== null && pause > cacheSeconds
}

/** What came of one policy; what it costs beside others is for the caller. */
export interface Replayed
  extends Omit<SimulatedPolicy, 'name' | 'relativeCost' | 'refetched' | 'reasoning' | 'regret'> {
  /** Tokens of reasoning in all requests together. */
  reasoningSent: number
  refetched: Pick<Refetched, 'texts' | 'cost'>
}

/**
 * Goes through a session request by request under one policy. Of each request the longest run of leading messages
 * that the request before had too is read from the cache, all else is written to it.
 *
 * @param onRequest Called before each request with its position; what it throws ends the replay.
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
      if (isShown(item, shown, sent.strays, recorded)) {
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

/** Whether a message that holds the text is in the view as it was, or the text in one that was made for the view. */
function isShown(
  { text, holders, count }: Evidence,
  view: readonly object[],
  strays: readonly Stray[],
  { messages }: Recorded,
): boolean {
  // Mostly messages keep their places.
  for (let i = count - 1; i >= 0; i--) {
    const holder = holders[i] as number
    if (view[holder] === messages[holder]) return true
  }
  return strays.some((stray) => {
    const { own } = stray
    return own === undefined ? stray.text.includes(text) : holders[countBelow(holders, own)] === own
  })
}
