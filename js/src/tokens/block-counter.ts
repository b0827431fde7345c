import { checkMessages, readable } from '../base/check.js'
import type { TextCounter } from '../base/text-counter.js'
import { codecOf } from '../formats/codecs.js'
import { readNeutral } from '../formats/convert.js'
import type { Block, CallInput, File, NeutralPiece, ResultPart } from '../formats/neutral.js'
import { FILE_TOKENS } from '../generated/protocol.js'
import type { Format, TokensByKind } from '../generated/types.js'
import { imageTokens } from './image-tokens.js'
import { NO_TOKENS, type TokenKind } from './sources.js'

/** Returns the tokens of each message by kind, including the overhead of its format. */
export function tokensOfMessages(
  messages: readonly object[],
  format: Format,
  count: TextCounter,
): TokensByKind[] {
  messages = checkMessages(messages)
  const counter = new BlockCounter(format, count)
  const counts = messages.map((): TokensByKind => ({ ...NO_TOKENS }))
  const pieces = readable('messages', () => readNeutral(messages, format), 'unreadable_message')
  for (const piece of pieces) {
    const tokens = counts[piece.at]
    if (tokens !== undefined) add(tokens, piece, counter)
  }
  return counts
}

function add(tokens: TokensByKind, piece: NeutralPiece, counter: BlockCounter): void {
  const put = (kind: TokenKind, amount: number): void => {
    tokens[kind] += amount
    tokens.total += amount
  }
  const { result, message } = codecOf(counter.format).tokens
  if (piece.kind === 'result') {
    put('toolResults', result)
    for (const part of piece.value.parts) put('toolResults', counter.part(part))
    return
  }
  const { role, blocks } = piece.value
  const text = role === 'assistant' ? 'assistantText' : role === 'user' ? 'user' : 'system'
  put(text, message)
  for (const block of blocks) put(kindOf(block, text), counter.block(block))
}

function kindOf(block: Block, text: TokenKind): TokenKind {
  if (block.kind === 'reasoning') return 'reasoning'
  if (block.kind === 'text') return text
  return block.kind === 'file' ? 'other' : 'toolCalls'
}

/** Counts the tokens of blocks in a format. */
class BlockCounter {
  readonly format: Format
  readonly #count: TextCounter

  constructor(format: Format, count: TextCounter) {
    this.format = format
    this.#count = count
  }

  block(block: Block): number {
    if (block.kind === 'call')
      return codecOf(this.format).tokens.call + this.#count(block.name) + this.#input(block.input)
    if (block.kind === 'file') return this.#file(block)
    if (block.kind === 'server-tool') return this.#json(block.input) + this.#json(block.result)
    return this.#count(block.text)
  }

  part(part: ResultPart): number {
    if (part.kind === 'json') return this.#json(part.value)
    return part.kind === 'file' ? this.#file(part) : this.#count(part.text)
  }

  #input(input: CallInput): number {
    return input.form === 'value' ? this.#json(input.value) : this.#count(input.text)
  }

  #file({ data, mediaType, text, detail }: File): number {
    if (text !== undefined) return this.#count(text)
    const { lowImage } = codecOf(this.format).tokens
    if (detail === 'low' && lowImage !== undefined) return lowImage
    return data !== undefined && mediaType.startsWith('image/') ? imageTokens(data, this.format) : FILE_TOKENS
  }

  #json(value: unknown): number {
    return value === undefined
      ? 0
      : this.#count(readable('messages', () => JSON.stringify(value) ?? '', 'invalid_messages'))
  }
}
