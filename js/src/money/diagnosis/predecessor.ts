import { LAYERS, type Layer, type Part, type Prompt } from './prompt.js'

/** What a request has in common with the request that it continues. */
export interface Continuation {
  /** The position of the earlier request. */
  after: number
  /** Tokens of the earlier request's parts up to the first difference. */
  common: number
  /**
   * Tokens of the later request that could have been read if nothing had changed: messages that the earlier
   * one had, at any position, and tools and system prompt up to their earlier size.
   */
  shared: number
}

/** Whether a part is of a message. Different conversations can share only tools and system prompt. */
const isSaid = ({ layer }: Part): boolean => layer === 'messages'

/** Fraction of a request. If an earlier request has at least this much of it, the search stops. */
const ENOUGH = 0.5

/**
 * Finds the request that a request continues: the earlier one with most of its messages, or the newest of
 * several. `undefined` at the start of a conversation.
 */
export function continuationOf(prompts: readonly Prompt[], request: number): Continuation | undefined {
  const now = prompts[request] as Prompt
  const counts = countsOf(now.parts)
  let best: { at: number; tokens: number } | undefined
  for (let at = request - 1; at >= 0; at--) {
    const said = (prompts[at] as Prompt).parts.filter(isSaid)
    const kept = keptOf(said, counts)
    const tokens = sum(kept)
    if (kept.length > 0 && (best === undefined || tokens > best.tokens)) best = { at, tokens }
    if (kept.length === said.length && tokens >= ENOUGH * now.tokens) break
  }
  if (best === undefined) return undefined
  const { parts } = prompts[best.at] as Prompt
  const common = parts.slice(0, commonLength(parts, now.parts))
  return {
    after: best.at,
    common: sum(common),
    shared: sum(keptOf(parts.filter(isSaid), counts)) + beside(parts, now.parts),
  }
}

/** Tools and system prompt do not grow: a changed one takes the place of one that could have been read. */
function beside(old: readonly Part[], now: readonly Part[]): number {
  const of = (parts: readonly Part[], layer: Layer) => sum(parts.filter((part) => part.layer === layer))
  const layers = LAYERS.filter((layer) => layer !== 'messages')
  return layers.reduce((total, layer) => total + Math.min(of(old, layer), of(now, layer)), 0)
}

/** Number of equal parts at the start of two prompts. */
export function commonLength(one: readonly Part[], other: readonly Part[]): number {
  let length = 0
  while (length < one.length && one[length]?.id === other[length]?.id) length++
  return length
}

function countsOf(parts: readonly Part[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { id } of parts) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/** The parts that the counts contain, each at most as often as counted. */
function keptOf(parts: readonly Part[], counts: ReadonlyMap<number, number>): Part[] {
  const left = new Map(counts)
  return parts.filter(({ id }) => {
    const count = left.get(id) ?? 0
    left.set(id, count - 1)
    return count > 0
  })
}

export function sum(parts: readonly Part[]): number {
  return parts.reduce((total, { tokens }) => total + tokens, 0)
}
