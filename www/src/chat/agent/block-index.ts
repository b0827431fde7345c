import type { BlockFacts, EditReport, MessageFacts } from 'trimtab'
import { CATEGORIES, categoryOf } from '../../kinds.js'
import { sameBeginning } from '../same-beginning.js'
import { factsOf, type History, workedOut } from './history.js'
import { blockAt, placeOf } from './requests.js'

/** Blocks of a session, sorted and summed once, so that the panel can also query the first messages alone. */
export class BlockIndex {
  /** Blocks by tokens, largest first. */
  readonly largest: readonly BlockFacts[]
  /** Tokens of all blocks before each message, by category. */
  readonly #sums: readonly Float64Array[]
  readonly #facts: readonly MessageFacts[]

  /** @param before The index of a history that this one may continue: only new messages are sorted and summed. */
  constructor(facts: readonly MessageFacts[], before?: BlockIndex) {
    const same = before === undefined ? 0 : sameBeginning(before.#facts, facts)
    const next = facts.slice(same)
    this.#facts = facts
    this.#sums = CATEGORIES.map((_, category) => {
      const list = new Float64Array(facts.length + 1)
      const known = before === undefined ? undefined : before.#sums[category]
      if (known !== undefined) list.set(known.subarray(0, same + 1))
      return list
    })
    for (const [index, { blocks }] of next.entries()) this.#add(blocks, same + index)
    const added = next.flatMap(({ blocks }) => blocks).sort(byTokens)
    const known = before?.largest.filter(({ message }) => message < same) ?? []
    this.largest = merged(known, added)
  }

  #add(blocks: readonly BlockFacts[], at: number): void {
    for (const list of this.#sums) list[at + 1] = list[at] ?? 0
    for (const block of blocks) {
      const list = this.#sums[CATEGORIES.indexOf(categoryOf(block))] as Float64Array
      list[at + 1] = (list[at + 1] ?? 0) + block.tokens
    }
  }

  /** Returns the tokens per category of the first `messages` messages. */
  tokens(messages: number): number[] {
    return this.#sums.map((list) => list[messages] ?? 0)
  }
}

const byTokens = (one: BlockFacts, other: BlockFacts) => other.tokens - one.tokens

/** Merges two sorted lists. Of equal blocks those of the first list come first: they are earlier in the history. */
function merged(one: readonly BlockFacts[], other: readonly BlockFacts[]): readonly BlockFacts[] {
  const list: BlockFacts[] = []
  let at = 0
  for (const block of other) {
    for (let next = one[at]; next !== undefined && next.tokens >= block.tokens; next = one[at]) {
      list.push(next)
      at += 1
    }
    list.push(block)
  }
  for (; at < one.length; at++) list.push(one[at] as BlockFacts)
  return list
}

export const blockIndex = workedOut<BlockIndex>((history, before) => new BlockIndex(factsOf(history), before))

/** Returns the tokens per category of the first `messages` messages with edits applied. */
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

/**
 * Returns the blocks of the first `messages` messages, largest first: only edited ones if `edits` is given, otherwise
 * those with tokens.
 */
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
