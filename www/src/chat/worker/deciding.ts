import { type Decisions, LocalDecisions, type Start } from '../agent/decisions.js'
import type { SentRequest } from '../agent/requests.js'
import type { Compacting, NotCompacted } from '../agent/segments.js'
import { Packing } from './packed-view.js'
import type { PackedCompaction, PackedRequest } from './protocol.js'

/** The current decisions of the page's conversation. */
let deciding: { decisions: Decisions; packing: Packing } | null = null

/** Starts new decisions in place of the current ones. */
export function decide(start: Start): void {
  deciding?.decisions.close()
  deciding = { decisions: new LocalDecisions(start), packing: new Packing() }
}

function decided() {
  if (deciding === null) throw new Error('nothing was said to decide from')
  return deciding
}

export async function next(messages: readonly object[], now: number): Promise<PackedRequest> {
  const { decisions, packing } = decided()
  const { view, request, state } = await decisions.next(messages, now)
  return { view: packing.pack(view, messages), request, state }
}

export async function ahead(messages: readonly object[], now: number): Promise<SentRequest> {
  const request = await decided().decisions.ahead(messages, now)
  // The page uses only its sizes.
  return { ...request, edits: [], dropped: [] }
}

export async function endTurn(messages: readonly object[]) {
  const { decisions, packing } = decided()
  return packing.pack(await decisions.endTurn(messages), messages)
}

export async function compact(
  messages: readonly object[],
  how: Compacting,
): Promise<PackedCompaction | NotCompacted> {
  const made = await decided().decisions.compact(messages, how)
  if (typeof made === 'string') return made
  const { messages: view, ...about } = made
  // Nothing else refers to its messages, so it has a separate packing.
  return { ...about, view: new Packing().pack(view, messages) }
}

export const recall = (args: unknown) => decided().decisions.recall(args)
