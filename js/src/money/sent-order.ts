import { isRecord, type JsonRecord } from '../base/json.js'
import { toolName } from '../base/ui-parts.js'
import { firstBlocks, listOf, withList } from './block-list.js'

/** The pieces of a message in the order in which a provider gets them. */
export interface SentOrder {
  pieces: readonly unknown[]
  /** Returns a message of only the first pieces. */
  first(count: number): object
  /** Returns the number of pieces before the result in a block. */
  before(block: number): number
}

/**
 * Returns the pieces of a message that has a list of blocks. They are its blocks; but a part of a `UIMessage` holds a
 * call and its result, and the results of a step are sent after all its calls.
 */
export function sentOrder(message: object): SentOrder | undefined {
  const list = listOf(message)
  if (list === undefined) return undefined
  const answered = list.flatMap((part, at) => (isAnswered(part) ? [at] : []))
  if (answered.length === 0) {
    return { pieces: list, first: (count) => firstBlocks(message, count), before: (block) => block }
  }
  const called = list.map((part) => (isAnswered(part) ? withoutAnswer(part) : part))
  return {
    pieces: [...called, ...answered.map((at) => list[at])],
    first(count) {
      if (count <= called.length)
        return firstBlocks(
          withList(message, () => called),
          count,
        )
      const shown = new Set(answered.slice(0, count - called.length))
      return withList(message, () => list.map((part, at) => (shown.has(at) ? part : called[at])))
    },
    before: (block) => called.length + answered.filter((at) => at < block).length,
  }
}

/** Whether a part is a call with its result, which is sent apart from it. A provider's own result is not. */
function isAnswered(part: unknown): part is JsonRecord {
  if (!isRecord(part) || part.providerExecuted === true) return false
  return toolName(part) !== undefined && (part.state === 'output-available' || part.state === 'output-error')
}

function withoutAnswer({ errorText: _text, output: _output, ...call }: JsonRecord): JsonRecord {
  return { ...call, state: 'input-available' }
}
