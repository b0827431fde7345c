import type { BlockFacts } from '../generated/types.js'
import type { Event } from '../timeline/tool-uses.js'

/** What a summary stands for. */
export interface DroppedMessages {
  /** Positions in the history. */
  indices: number[]
  /** Estimated tokens. */
  tokens: number
}

/**
 * Where a history can be cut so that `keep` messages or a few more stay behind the cut: never between a call and its
 * result, and never inside one answer of the model (its reasoning needs what follows it).
 */
export function findCut(
  length: number,
  keep: number,
  blocks: readonly BlockFacts[],
  events: readonly Event[],
): number {
  const isInside = new Set<number>()
  for (const event of events) {
    if (event.kind === 'prompt' || event.result === undefined) continue
    for (let at = event.message + 1; at <= event.result.message; at++) isInside.add(at)
  }
  const steps = new Map(
    blocks.flatMap(({ message, role, step }) => (role === 'assistant' ? [[message, step]] : [])),
  )
  for (const [message, step] of steps) if (steps.get(message - 1) === step) isInside.add(message)
  let cut = Math.max(0, length - keep)
  while (cut > 0 && cut < length && isInside.has(cut)) cut--
  return cut
}
