import { type BlockFacts, type Format, type Inspection, inspect } from 'trimtab'
import type { Transcript } from 'trimtab/transcripts'
import { CATEGORIES, categoryOf } from './kinds.js'

/** A session with its messages, the facts of its blocks, and its requests. */
export interface Session {
  readonly name: string
  readonly transcript: Transcript
  readonly format: Format
  readonly messages: readonly object[]
  readonly inspection: Inspection
  readonly blocks: readonly BlockFacts[]
  /** Index into `CATEGORIES` per block. */
  readonly categories: Uint8Array
  /**
   * `firstBlock[i]` is the index in `blocks` of message i's first block; it has one more entry than there are
   * messages.
   */
  readonly firstBlock: Uint32Array
  readonly requests: readonly Request[]
}

/** A point in the session at which a request was (or would be) sent. */
export interface Request {
  /** Number of messages in the request. */
  readonly messages: number
  /** The step that answers it, counted from 1; `null` for the request after the last message. */
  readonly step: number | null
}

export function createSession(name: string, transcript: Transcript): Session {
  const { format, messages } = transcript
  const inspection = inspect(messages, { format })
  const { blocks } = inspection
  return {
    name,
    transcript,
    format,
    messages,
    inspection,
    blocks,
    categories: Uint8Array.from(blocks, (block) => CATEGORIES.indexOf(categoryOf(block))),
    firstBlock: firstBlocks(blocks, messages.length),
    requests: findRequests(blocks, messages.length),
  }
}

export function firstBlocks(blocks: readonly Pick<BlockFacts, 'message'>[], messages: number): Uint32Array {
  const first = new Uint32Array(messages + 1)
  for (const block of blocks) {
    first[block.message + 1] = (first[block.message + 1] ?? 0) + 1
  }
  for (let i = 1; i <= messages; i++) {
    first[i] = (first[i] ?? 0) + (first[i - 1] ?? 0)
  }
  return first
}

/**
 * Returns the requests of a session: one before each answer of the model, and one after the last message. An
 * answer can be several messages (items of the Responses API), and a message several answers (a `UIMessage`).
 */
export function findRequests(
  blocks: readonly Pick<BlockFacts, 'message' | 'role' | 'step'>[],
  messages: number,
): Request[] {
  const steps = new Map<number, { first: number; last: number }>()
  for (const { message, role, step } of blocks) {
    const known = steps.get(message) ?? { first: step, last: step }
    if (role === 'assistant') {
      steps.set(message, { first: Math.min(known.first, step), last: Math.max(known.last, step) })
    }
  }
  const requests: Request[] = []
  let answered = 0
  for (const [message, { first, last }] of steps) {
    // A session without its start can begin with an assistant message: no request precedes it.
    if (last > answered && message > 0) {
      requests.push({ messages: message, step: first })
    }
    answered = Math.max(answered, last)
  }
  requests.push({ messages, step: null })
  return requests
}
