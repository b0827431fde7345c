import { BRANCH_LENGTH, commonStart } from '../base/common-start.js'

/** A history that was read, in an array that only grows. */
interface Read {
  messages: readonly object[]
  length: number
}

/**
 * Detects a `Context` that is used for two conversations alternately: a history, another one in its place,
 * and the first one again. A history that was compacted, edited or restarted does not return.
 */
export class Turns {
  #last: Read = { messages: [], length: 0 }
  /** The replaced history: its length, and its first message that the replacing history does not have. */
  #left: { index: number; message: object | undefined; length: number } | undefined

  /** Whether the history is the one that was replaced before. */
  isReturn(seen: readonly object[]): boolean {
    const { messages, length } = this.#last
    this.#last = { messages: seen, length: seen.length }
    // The same array can only have grown.
    if (messages === seen) return false
    // One comparison shows that the history continues, also for hosts that pass copies each time.
    const at = length - 1 - BRANCH_LENGTH
    if (at < 0 || commonStart([messages[at]], [seen[at]]) === 1) return false
    const kept = commonStart(messages.slice(0, length), seen)
    const isReturn = this.#isLeft(seen)
    this.#left = { index: kept, message: messages[kept], length }
    return isReturn
  }

  #isLeft(seen: readonly object[]): boolean {
    if (this.#left === undefined) return false
    const { index, message, length } = this.#left
    return seen.length >= length - BRANCH_LENGTH && commonStart([message], [seen[index]]) === 1
  }
}
