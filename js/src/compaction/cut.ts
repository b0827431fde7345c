import type { BlockFacts } from '../generated/types.js'
import type { Event } from '../timeline/tool-uses.js'

/** Messages that a summary replaces. */
export interface DroppedMessages {
  /** Message positions in the history. */
  indices: number[]
  /** In estimated tokens. */
  tokens: number
}

/**
 * Returns where to cut a history so that at least `keep` messages remain after the cut. Never cuts between a call and
 * its result, nor inside one answer of the model (its reasoning requires what follows it).
 */
export function findCut(
  length: number,
  keep: number,
  blocks: readonly BlockFacts[],
  events: readonly Event[],
): number {
  const lastResults = new Map<number, number>()
  for (const event of events) {
    if (event.kind === 'prompt' || event.result === undefined) continue
    const { message, result } = event
    lastResults.set(message, Math.max(lastResults.get(message) ?? 0, result.message))
  }
  const isInside = new Set<number>()
  let lastResult = 0
  for (let at = 0; at < length; at++) {
    if (at > 0 && at <= lastResult) isInside.add(at)
    lastResult = Math.max(lastResult, lastResults.get(at) ?? 0)
  }
  const steps = new Map(
    blocks.flatMap(({ message, role, step }) => (role === 'assistant' ? [[message, step]] : [])),
  )
  for (const [message, step] of steps) if (steps.get(message - 1) === step) isInside.add(message)
  let cut = Math.max(0, length - keep)
  while (cut > 0 && cut < length && isInside.has(cut)) cut--
  return cut
}
