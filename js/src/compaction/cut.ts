import type { BlockFacts } from '../generated/types.js'
import type { Event } from '../timeline/tool-uses.js'
import type { Exchange } from './exchanges.js'

/** Messages that a summary replaces. */
export interface DroppedMessages {
  /** Message positions in the history. */
  indices: number[]
  /** In estimated tokens. */
  tokens: number
}

/**
 * Returns where to cut a history so that at least `keep` messages remain after the cut. Never cuts between a call and
 * its result, whether the host or the provider runs it, nor inside one answer of the model (its reasoning requires what
 * follows it). An exchange of the newest answer whose result is still to come is kept.
 */
export function findCut(
  length: number,
  keep: number,
  blocks: readonly BlockFacts[],
  events: readonly Event[],
  exchanges: readonly Exchange[],
): number {
  const steps = new Map(
    blocks.flatMap(({ message, role, step }) => (role === 'assistant' ? [[message, step]] : [])),
  )
  const newest = awaited(blocks, events)
  const lasts = new Map<number, number>()
  for (const { first, last, isOpen } of [...usesIn(events), ...exchanges]) {
    const end = isOpen && steps.get(last) === newest ? length : last
    lasts.set(first, Math.max(lasts.get(first) ?? 0, end))
  }
  const isInside = new Set<number>()
  let last = 0
  for (let at = 0; at <= length; at++) {
    if (at > 0 && at <= last) isInside.add(at)
    last = Math.max(last, lasts.get(at) ?? 0)
  }
  for (const [message, step] of steps) if (steps.get(message - 1) === step) isInside.add(message)
  let cut = Math.max(0, length - keep)
  while (cut > 0 && isInside.has(cut)) cut--
  return cut
}

function usesIn(events: readonly Event[]): Exchange[] {
  return events.flatMap((event): Exchange[] => {
    if (event.kind === 'prompt') return []
    const { message, result } = event
    return [{ first: message, last: result?.message ?? message, isOpen: result === undefined }]
  })
}

/** The step that still waits for results: the newest, unless the user said something after it. */
function awaited(blocks: readonly BlockFacts[], events: readonly Event[]): number {
  const last = blocks.findLast(({ role }) => role === 'assistant')
  const isOver = events.some(({ kind, message }) => kind === 'prompt' && message > (last?.message ?? 0))
  return isOver || last === undefined ? -1 : last.step
}
