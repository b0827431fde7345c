import { signal } from '@preact/signals'
import type { Policy } from 'trimtab'
import type { Bounds, LostEvidence, SimulatedPolicy } from 'trimtab/money'
import type { Conversation } from '../agent/conversation.js'
import { asSimulated, POLICY_IDS, type PolicyId, policyFor, steered, steeredOf } from '../policies.js'
import { context, isScripted, pricesName, replay, shown } from '../state.js'
import { Portions } from '../worker/portions.js'
import type { Asked, NextRequest, Told } from '../worker/protocol.js'
import { NO_WORKER, startWorker } from '../worker/start.js'
import { pricesNamed } from './prices.js'

/** Results of a comparison of policies so far. */
export interface Comparison {
  readonly conversation: Conversation
  /** Number of messages when the comparison started. */
  readonly messages: number
  readonly policies: Readonly<Record<PolicyId, Policy>>
  readonly prices: string
  readonly window: number
  /** Share of the work that is done, 0 to 1; `null` when it has ended. */
  readonly done: number | null
  readonly rows: readonly (SimulatedPolicy & { readonly name: PolicyId })[]
  readonly cheapest: PolicyId | null
  readonly requests: number
  /** Lower bounds that no plan can beat; known last. */
  readonly bounds: Bounds | null
  /** Evidence missing from the views of each policy, in the order of the session. */
  readonly lost: ReadonlyMap<string, readonly LostEvidence[]>
  /** The next request under each policy that was previewed. */
  readonly next: ReadonlyMap<string, NextRequest>
  readonly failure: string | null
}

export const comparison = signal<Comparison | null>(null)

let worker: Worker | null = null

/** Replays the session under each policy of the page, in a worker. Cancels the comparison before. */
export async function compare(): Promise<void> {
  endComparison()
  const { conversation } = shown.peek()
  const recorded = replay.peek()?.recording.transcript
  // All messages of a recorded session, even while it is played; the messages so far of a chat.
  const messages = recorded?.messages ?? conversation.messages
  const { window } = context.peek()
  const decided = steeredOf(conversation.policy)
  const asked = { window, isScripted: isScripted.peek() }
  const policies = Object.fromEntries(
    POLICY_IDS.map((id) => [id, steered(policyFor(id, asked), decided)]),
  ) as unknown as Comparison['policies']
  const prices = pricesName.peek()
  const mine = startWorker()
  worker = mine
  comparison.value = {
    conversation,
    messages: conversation.messages.length,
    policies,
    prices,
    window,
    done: 0,
    rows: [],
    cheapest: null,
    requests: 0,
    bounds: null,
    lost: new Map(),
    next: new Map(),
    failure: null,
  }
  mine.addEventListener('message', ({ data }: MessageEvent<Told>) => take(data))
  mine.addEventListener('error', () => take({ kind: 'failed', reason: NO_WORKER }))
  const ask = (asked: Asked) => mine.postMessage(asked)
  await new Portions().bring(messages, ask)
  if (worker !== mine) return
  const { format, system, times } = recorded ?? { format: conversation.format }
  ask({
    kind: 'compare',
    policies,
    format,
    prices: pricesNamed(prices),
    window,
    ...(system === undefined ? {} : { system }),
    ...(times === undefined ? {} : { times }),
  })
}

/** Stops the comparison and keeps its results so far. */
export function cancelComparison(): void {
  worker?.terminate()
  worker = null
  const now = comparison.peek()
  if (now !== null && now.done !== null) comparison.value = { ...now, done: null }
}

/** Stops and removes the comparison, as the session changed. */
export function endComparison(): void {
  cancelComparison()
  comparison.value = null
}

/** Requests a preview of the next request under a policy of the comparison. */
export function askNext(name: PolicyId): void {
  const now = comparison.peek()
  if (now === null || now.next.has(name)) return
  const { state } = now.conversation.toJSON()
  worker?.postMessage({
    kind: 'preview',
    name,
    policy: replay.peek() === null ? now.policies[name] : asSimulated(now.policies[name]),
    format: now.conversation.format,
    messages: now.messages,
    ...(state === undefined ? {} : { state }),
  } satisfies Asked)
}

function take(told: Told): void {
  const now = comparison.peek()
  if (now === null) return
  switch (told.kind) {
    case 'progress':
      comparison.value = { ...now, done: told.done }
      break
    case 'policy':
      comparison.value = { ...now, rows: [...now.rows, told.policy as Comparison['rows'][number]] }
      break
    case 'lost': {
      const name = told.lost[0]?.policy
      if (name !== undefined) comparison.value = { ...now, lost: new Map(now.lost).set(name, told.lost) }
      break
    }
    case 'compared':
      comparison.value = { ...now, done: 1, cheapest: told.cheapest as PolicyId, requests: told.requests }
      break
    case 'done':
      comparison.value = { ...now, done: null, bounds: told.bounds }
      break
    case 'preview':
      comparison.value = { ...now, next: new Map(now.next).set(told.name, told.next) }
      break
    case 'failed':
      comparison.value = { ...now, done: null, failure: told.reason }
  }
}
