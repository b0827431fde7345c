import { LAYERS, type Layer, type Part, type Prompt } from './prompt.js'

/** What a request has in common with the one that it goes on from. */
export interface Continuation {
  /** The position of the earlier request. */
  after: number
  /** Tokens of the earlier one's parts up to the first that differs. */
  common: number
  /**
   * Tokens of the later one that would have been read if nothing had changed: messages that the earlier one had, wherever they stand,
   * and as much of tools and system prompt as it had of them.
   */
  shared: number
}

/** A new conversation has nothing but tools and system prompt in common with others. */
const isSaid = ({ layer }: Part): boolean => layer === 'messages'

/** How much of a request an earlier one must have had for no better one to be looked for. */
const ENOUGH = 0.5

/**
 * The request that one goes on from: of the earlier ones the one that has most of its messages, and of several the newest.
 * None where a conversation begins.
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

/** Tools and system prompt do not grow: one that is another stands where the one before could have been read. */
function beside(old: readonly Part[], now: readonly Part[]): number {
  const of = (parts: readonly Part[], layer: Layer) => sum(parts.filter((part) => part.layer === layer))
  const layers = LAYERS.filter((layer) => layer !== 'messages')
  return layers.reduce((total, layer) => total + Math.min(of(old, layer), of(now, layer)), 0)
}

/** How many parts two prompts begin with both. */
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

/** The parts that are there, as often as they are. */
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
