import { BRANCH_LENGTH, commonStart } from '../base/common-start.js'

/** A history as it was read, in an array that only ever grows. */
interface Read {
  messages: readonly object[]
  length: number
}

/**
 * Tells when a `Context` is given two conversations in turns: a history, another one in its place, and the first again. A history that
 * was compacted, edited or begun anew does not come back.
 */
export class Turns {
  #last: Read = { messages: [], length: 0 }
  /** Of the history that another one took the place of, its length and the first message that the other one does not have. */
  #left: { index: number; message: object | undefined; length: number } | undefined

  /** Whether the history is one that was left before. */
  isReturn(seen: readonly object[]): boolean {
    const { messages, length } = this.#last
    this.#last = { messages: seen, length: seen.length }
    // The same array has only grown.
    if (messages === seen) return false
    // One look tells that it goes on, also where hosts give copies each time.
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
