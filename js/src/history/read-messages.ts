import { checkMessages, checkOptions } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { BlockFacts, Format, MessageFacts } from '../generated/types.js'
import { historyFor } from './histories.js'
import type { History } from './history.js'
import type { FormatOptions } from './types.js'

/**
 * A history of any format as the engine reads it: messages, blocks, tool uses, files and lines. The text of a block is
 * read from the host's messages on request.
 */
export class NeutralHistory {
  readonly format: Format
  /** The messages, at the positions that they have in the history. */
  readonly messages: readonly MessageFacts[]
  readonly #history: History
  readonly #source: readonly object[]
  #epoch: number
  #halves: Map<number, { call?: BlockFacts; result?: BlockFacts }> | undefined

  constructor(history: History, messages: readonly object[]) {
    this.#history = history
    // The host's array may change; the facts are of the messages that it holds now.
    this.#source = messages.slice()
    this.messages = history.messages(this.#source)
    this.format = history.detectedFormat()
    this.#epoch = history.epoch
  }

  /** All blocks, in order. */
  blocks(): BlockFacts[] {
    return this.messages.flatMap(({ blocks }) => blocks)
  }

  /** All text of a message, one below the other: what was said in it, without calls, results and reasoning. */
  saidIn(message: number): string {
    const blocks = this.messages[message]?.blocks ?? []
    const texts = blocks.filter(({ kind }) => kind === 'text')
    return texts.map((block) => this.textOf(block)).join('\n')
  }

  /**
   * What a block says: the text of a text or of reasoning, the arguments of a call, the content of a result, its parts
   * one below the other. Arguments are JSON, or the text of a tool that takes one. Files, unknown blocks and encrypted
   * reasoning say nothing. Lone surrogates are U+FFFD.
   */
  textOf({ message, block }: Pick<BlockFacts, 'message' | 'block'>): string {
    // Another branch of the history may have been read since.
    if (this.#history.epoch !== this.#epoch) {
      this.#history.messages(this.#source)
      this.#epoch = this.#history.epoch
    }
    return this.#history.blockText(this.#source, message, block)
  }

  /** The arguments of a call, parsed; their text where they are no JSON object (a patch, a call that broke off). */
  argumentsOf(call: BlockFacts): Record<string, unknown> | string {
    const text = this.textOf(call)
    try {
      const value: unknown = JSON.parse(text)
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return value as Record<string, unknown>
    } catch {
      // Models do write broken JSON.
    }
    return text
  }

  /** The call that a result answers; nothing for an orphan. */
  callOf(result: BlockFacts): BlockFacts | undefined {
    return this.#halvesOf(result)?.call
  }

  /** The result that answers a call; nothing where it has none yet. */
  resultOf(call: BlockFacts): BlockFacts | undefined {
    return this.#halvesOf(call)?.result
  }

  #halvesOf({ toolUse }: BlockFacts): { call?: BlockFacts; result?: BlockFacts } | undefined {
    if (toolUse === null) return undefined
    this.#halves ??= this.#paired()
    return this.#halves.get(toolUse)
  }

  #paired(): Map<number, { call?: BlockFacts; result?: BlockFacts }> {
    const halves = new Map<number, { call?: BlockFacts; result?: BlockFacts }>()
    for (const block of this.blocks()) {
      if (block.toolUse === null) continue
      const half = block.kind === 'tool-call' ? { call: block } : { result: block }
      halves.set(block.toolUse, { ...halves.get(block.toolUse), ...half })
    }
    return halves
  }
}

/**
 * Reads messages of any format into a neutral form.
 *
 * @throws {TrimtabError} As `project`.
 * @example
 * import { readMessages } from 'trimtab'
 *
 * const history = readMessages([{ role: 'user', content: 'Fix the build.' }]) console.log(history.blocks().map((block)
 * => history.textOf(block))) // [ 'Fix the build.' ]
 */
export function readMessages(messages: readonly object[], options: FormatOptions = {}): NeutralHistory {
  checkMessages(messages)
  options = checkOptions(options, { format: FORMAT }, 'readMessages')
  return neutralHistory(messages, options.format)
}

/** The same for functions that have checked their own options. */
export function neutralHistory(messages: readonly object[], format?: Format): NeutralHistory {
  checkMessages(messages)
  return new NeutralHistory(historyFor(messages, format), messages)
}
