import { nextTask } from '../next-task.js'
import { sameBeginning } from '../same-beginning.js'
import type { Asked } from './protocol.js'

/** Messages that cross at once. */
const PORTION = 50
/** How long the page copies messages before it does something else, in milliseconds. */
const SLICE = 12

/** Brings a conversation's messages to a worker: what it has not, in portions, as each is copied. */
export class Portions {
  #brought: readonly object[]

  /** @param brought What the worker has already. */
  constructor(brought: readonly object[] = []) {
    this.#brought = brought
  }

  async bring(
    messages: readonly object[],
    post: (asked: Asked & { kind: 'messages' }) => void,
  ): Promise<void> {
    const brought = this.#brought
    let from = sameBeginning(brought, messages)
    if (from === messages.length && from === brought.length) return
    this.#brought = messages
    let end = performance.now() + SLICE
    do {
      post({ kind: 'messages', from, messages: messages.slice(from, from + PORTION) })
      from += PORTION
      if (performance.now() < end) continue
      await nextTask()
      end = performance.now() + SLICE
    } while (from < messages.length)
  }
}
