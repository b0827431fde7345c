import type { BlockFacts, EditReport, MessageFacts } from 'trimtab'
import { CATEGORIES, categoryOf } from '../../kinds.js'
import { factsOf, type History } from './history.js'
import { blockAt, placeOf } from './requests.js'

/** The blocks of a session in ways that the panel asks for, also of its first messages: sorted and summed once. */
export class BlockIndex {
  /** Most tokens first. */
  readonly largest: readonly BlockFacts[]
  /** By category: tokens of all blocks in front of a message. */
  readonly #sums: readonly Float64Array[]

  constructor(facts: readonly MessageFacts[]) {
    const sums = CATEGORIES.map(() => new Float64Array(facts.length + 1))
    facts.forEach(({ blocks }, at) => {
      for (const list of sums) list[at + 1] = list[at] ?? 0
      for (const block of blocks) {
        const list = sums[CATEGORIES.indexOf(categoryOf(block))] as Float64Array
        list[at + 1] = (list[at + 1] ?? 0) + block.tokens
      }
    })
    this.#sums = sums
    this.largest = facts.flatMap(({ blocks }) => blocks).sort((a, b) => b.tokens - a.tokens)
  }

  /** Tokens by category of the first so many messages. */
  tokens(messages: number): number[] {
    return this.#sums.map((list) => list[messages] ?? 0)
  }
}

const made = new WeakMap<readonly MessageFacts[], BlockIndex>()

export function blockIndex(history: History): BlockIndex {
  const facts = factsOf(history)
  const index = made.get(facts) ?? new BlockIndex(facts)
  made.set(facts, index)
  return index
}

/** Tokens by category that the first so many messages have with edits. */
export function tokensSent(
  history: History,
  messages: number,
  edits: ReadonlyMap<string, EditReport>,
): number[] {
  const sums = blockIndex(history).tokens(messages)
  for (const edit of edits.values()) {
    if (edit.message >= messages) continue
    const block = blockAt(history.messages, edit)
    if (block === undefined) continue
    const at = CATEGORIES.indexOf(categoryOf(block))
    sums[at] = (sums[at] ?? 0) - block.tokens + edit.tokensAfter
  }
  return sums
}

/** The blocks of the first so many messages that are wanted, the largest first. */
export function largestBlocks(
  history: History,
  messages: number,
  edits?: ReadonlyMap<string, EditReport>,
): BlockFacts[] {
  return blockIndex(history).largest.filter(
    (block) =>
      block.message < messages && (edits === undefined ? block.tokens > 0 : edits.has(placeOf(block))),
  )
}
