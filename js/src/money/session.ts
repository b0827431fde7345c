import type { Format } from '../generated/types.js'
import { History } from '../history/history.js'
import { off } from '../policy/presets.js'
import { Context } from '../projection/context.js'
import { type Evidence, findEvidence } from './evidence.js'
import { type MessageText, messageTexts } from './message-text.js'
import { Sizes } from './sizes.js'

/** A session as all policies are tried on it: what was said, measured, and what each step needed. */
export interface Recorded {
  format: Format
  messages: readonly object[]
  /** The messages before which the model was called: those that begin a step. */
  requests: readonly number[]
  /** What the answers relied on, by request. */
  evidence: readonly Evidence[][]
  sizes: Sizes
  /** Whether a message is one of `messages`, and not made for a view. */
  isOwn(message: object): boolean
  /** The text of a message made for a view. */
  textOf(message: object): string
}

export function record(
  messages: readonly object[],
  format: Format | undefined,
  measure: ((message: object) => number) | undefined,
): Recorded {
  const session = new History(format)
  const blocks = session.blocks(messages)
  const known = session.detectedFormat()
  session.free()
  const sizes = new Sizes(known, measure)
  sizes.add(messages, blocks)
  const requests = requestsIn(messages, known)
  const evidence = byRequest(requests, findEvidence(blocks, messageTexts(messages, known)))
  const own = new Set(messages)
  const isOwn = (message: object): boolean => own.has(message)
  return { format: known, messages, requests, evidence, sizes, isOwn, textOf: textReader(known) }
}

/** Where the model was called, as the engine counts steps. */
function requestsIn(messages: readonly object[], format: Format): number[] {
  const context = new Context(off(), { format })
  const requests: number[] = []
  let steps = 0
  messages.forEach((_, index) => {
    const now = context.project(messages.slice(0, index + 1)).report.steps
    if (now > steps) requests.push(index)
    steps = now
  })
  context[Symbol.dispose]()
  return requests
}

function byRequest(requests: readonly number[], evidence: readonly Evidence[]): Evidence[][] {
  const lists = requests.map((): Evidence[] => [])
  let request = 0
  for (const item of evidence) {
    while (request + 1 < requests.length && (requests[request + 1] as number) <= item.message) request++
    // What came within the step (a message can hold a whole turn) was not there when it was asked for.
    const holders = item.holders.filter((holder) => holder < (requests[request] as number))
    if (holders.length > 0) lists[request]?.push({ ...item, holders })
  }
  return lists
}

function textReader(format: Format): (message: object) => string {
  const known = new WeakMap<object, MessageText>()
  return (message) => {
    const text = known.get(message) ?? messageTexts([message], format)[0]
    if (text === undefined) return ''
    known.set(message, text)
    return text.text
  }
}
