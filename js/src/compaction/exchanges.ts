import { asRecord, type JsonRecord } from '../base/json.js'
import type { BlockFacts } from '../generated/types.js'

/** Messages that belong together: the first and the last of an exchange. */
export interface Exchange {
  first: number
  last: number
  /** Whether its result is still to come. */
  isOpen: boolean
}

/** Fields in which content refers to the `id` of the provider's call that it belongs to. */
const REFERENCES = ['tool_use_id', 'toolUseId', 'toolCallId', 'tool_call_id', 'approval_request_id']

/** Fields that a request and its answer share. */
const SHARED = ['call_id', 'approvalId']

/** Types of the provider's calls whose results are blocks of their own. */
const CALL = /tool_(use|call)$/

/**
 * Finds calls that the provider runs and what belongs to them in later messages: a result after a pause, approvals, and
 * calls that a program of the provider makes. To the engine they are opaque, so they are known by their ids alone, of
 * whatever kind they are.
 */
export function exchangesIn(
  blocks: readonly BlockFacts[],
  partOf: (block: BlockFacts) => unknown,
): readonly Exchange[] {
  const exchanges: Exchange[] = []
  const open = (message: number, isOpen: boolean) => {
    const exchange = { first: message, last: message, isOpen }
    exchanges.push(exchange)
    return exchange
  }
  /** By the id of their call. */
  const called = new Map<unknown, Exchange>()
  /** Those without an answer, by the id that both halves have. */
  const asked = new Map<unknown, Exchange>()
  for (const block of blocks) {
    const { kind, message } = block
    if (kind !== 'unknown' && kind !== 'tool-call') continue
    const part = fieldsOf(partOf(block))
    extend(called.get(asRecord(part.caller)?.tool_id), message)
    for (const field of REFERENCES) extend(called.get(part[field]), message, true)
    if (kind === 'tool-call') continue
    const shared = sharedIds(part)
    // The output of a call that the provider ran itself may have no id: it follows its call.
    if (shared.length === 0 && /_output$/.test(String(part.type))) extend(open(message - 1, false), message)
    for (const id of shared) {
      extend(asked.get(id), message)
      if (!asked.delete(id)) asked.set(id, open(message, false))
    }
    if (typeof part.id === 'string') called.set(part.id, open(message, CALL.test(String(part.type))))
  }
  return exchanges
}

/** Items of OpenAI that are half of an exchange. Others without a role, such as lists of tools, apply to all that follows. */
const HALF = /_(output|request|response)$/

/**
 * Whether a block gives instructions for all that follows. The engine takes every item of an unknown type that is no call
 * for instructions.
 */
export function instructs(block: BlockFacts, partOf: (block: BlockFacts) => unknown): boolean {
  if (block.role !== 'system') return false
  return block.kind !== 'unknown' || !HALF.test(String(fieldsOf(partOf(block)).type))
}

function extend(exchange: Exchange | undefined, message: number, isAnswer = false): void {
  if (exchange === undefined) return
  exchange.last = message
  if (isAnswer) exchange.isOpen = false
}

/** A copy: a proxy may throw at fields that it does not have. */
const fieldsOf = (part: unknown): JsonRecord => ({ ...asRecord(part) })

/** The ids that are the same in both halves; those of Gemini's are in the only object of their part. */
function sharedIds(part: JsonRecord): unknown[] {
  const inside = asRecord(part.toolCall ?? part.toolResponse)?.id
  return [...SHARED.map((field) => part[field]), inside].filter((id) => typeof id === 'string' && id !== '')
}
