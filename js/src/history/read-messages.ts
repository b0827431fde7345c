import { COUNT, check, checkMessages, checkOptions, readable } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { parsedJson } from '../base/parsed-json.js'
import type { BlockFacts, Format, MessageFacts } from '../generated/types.js'
import { historyFor } from './histories.js'
import type { History } from './history.js'
import { blockText } from './lookups.js'
import type { FormatOptions } from './types.js'

/**
 * A history of any format as the engine reads it: messages, blocks, tool uses, files and lines. The text of a block is
 * read from the host's messages on request.
 */
export class NeutralHistory {
  readonly format: Format
  /** The messages, at their positions in the history. */
  readonly messages: readonly MessageFacts[]
  readonly #history: History
  readonly #source: readonly object[]
  #epoch: number
  #halves: Map<number, { call?: BlockFacts; result?: BlockFacts }> | undefined

  constructor(history: History, messages: readonly object[]) {
    this.#history = history
    this.messages = history.messages(messages)
    // A copy, because the session's list may change, and the facts are those of its current messages.
    this.#source = history.seen.slice()
    this.format = history.detectedFormat()
    this.#epoch = history.epoch
  }

  /** All blocks, in order. */
  blocks(): BlockFacts[] {
    return this.messages.flatMap(({ blocks }) => blocks)
  }

  /** The text blocks of a message, joined with line feeds; without calls, results and reasoning. */
  saidIn(message: number): string {
    check('message', message, COUNT)
    const blocks = this.messages[message]?.blocks ?? []
    const texts = blocks.filter(({ kind }) => kind === 'text')
    return texts.map((block) => this.textOf(block)).join('\n')
  }

  /**
   * The text of a block: of text or reasoning, the arguments of a call, or the content of a result, with
   * parts joined by line feeds. Arguments are JSON, or the plain text for a tool that takes one. Files,
   * unknown blocks and encrypted reasoning have an empty text. Lone surrogates are U+FFFD.
   */
  textOf(place: Pick<BlockFacts, 'message' | 'block'>): string {
    const { message, block } = fieldsOf(place)
    check('message', message, COUNT)
    check('block', block, COUNT)
    // The session may have read another branch of the history since.
    if (this.#history.epoch !== this.#epoch) {
      this.#history.messages(this.#source)
      this.#epoch = this.#history.epoch
    }
    return blockText(this.#history, this.#source, message, block)
  }

  /**
   * The parsed arguments of a call; their text if they are not a JSON object (a patch, a call that broke
   * off). Lone surrogates are U+FFFD, also those that are escapes.
   */
  argumentsOf(call: BlockFacts): Record<string, unknown> | string {
    const text = this.textOf(call)
    try {
      const value = parsedJson(text)
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return value as Record<string, unknown>
    } catch {
      // Models sometimes write invalid JSON.
    }
    return text
  }

  /** The call that a result answers; `undefined` for an orphan. */
  callOf(result: BlockFacts): BlockFacts | undefined {
    return this.#halvesOf(result)?.call
  }

  /** The result that answers a call; `undefined` if there is none yet. */
  resultOf(call: BlockFacts): BlockFacts | undefined {
    return this.#halvesOf(call)?.result
  }

  #halvesOf(block: BlockFacts): { call?: BlockFacts; result?: BlockFacts } | undefined {
    const { toolUse } = fieldsOf(block)
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
 * const history = readMessages([{ role: 'user', content: 'Fix the build.' }])
 * console.log(history.blocks().map((block) => history.textOf(block))) // [ 'Fix the build.' ]
 */
export function readMessages(messages: readonly object[], options: FormatOptions = {}): NeutralHistory {
  options = checkOptions(options, { format: FORMAT }, 'readMessages')
  return neutralHistory(messages, options.format)
}

/** Like {@link readMessages}, for functions that have checked their options. */
export function neutralHistory(messages: readonly object[], format?: Format): NeutralHistory {
  messages = checkMessages(messages)
  return new NeutralHistory(historyFor(messages, format), messages)
}

/** The fields by which a block is found. A getter or proxy of the host that throws does so here. */
const fieldsOf = (of: Pick<BlockFacts, 'message' | 'block'> & Partial<BlockFacts>) =>
  readable('block', () => ({ message: of.message, block: of.block, toolUse: of.toolUse ?? null }))
