import { nextTask } from '../next-task.js'
import { sameBeginning } from '../same-beginning.js'
import type { Asked } from './protocol.js'

/** Messages per transfer. */
const PORTION = 50
/** Time that the page copies messages before it pauses, in milliseconds. */
const SLICE = 12

/** Transfers a conversation's messages to a worker: only those that it lacks, in portions, as each is copied. */
export class Portions {
  #brought: readonly object[]

  /** @param brought The messages that the worker already has. */
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
