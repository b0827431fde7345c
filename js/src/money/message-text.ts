import { readNeutral } from '../formats/convert.js'
import type { Block, CallInput, NeutralPiece, ResultPart } from '../formats/neutral.js'
import type { Format } from '../generated/types.js'

/** The text of one message that a later step can rely on, and its calls and results in their order. */
export interface MessageText {
  /** All text, blocks one below the other. */
  text: string
  /** The input of each call. */
  calls: unknown[]
  /** The text of each result. */
  results: string[]
}

/** The texts of messages, by position. */
export function messageTexts(messages: readonly object[], format: Format): MessageText[] {
  const texts = messages.map((): MessageText => ({ text: '', calls: [], results: [] }))
  for (const piece of readNeutral(messages, format)) {
    const message = texts[piece.at]
    if (message !== undefined) add(message, piece)
  }
  return texts
}

function add(message: MessageText, piece: NeutralPiece): void {
  if (piece.kind === 'result') {
    const text = piece.value.parts.map(partText).join('\n')
    message.results.push(text)
    append(message, text, unnumbered(text))
    return
  }
  for (const block of piece.value.blocks) {
    if (block.kind === 'call') {
      const input = inputValue(block.input)
      message.calls.push(input)
      append(message, plainJson(input))
    } else append(message, blockText(block))
  }
}

function append(message: MessageText, ...texts: string[]): void {
  for (const text of texts) if (text !== '') message.text += `${text}\n`
}

function blockText(block: Exclude<Block, { kind: 'call' }>): string {
  if (block.kind === 'file') return block.text ?? ''
  return block.kind === 'server-tool' ? '' : block.text
}

function partText(part: ResultPart): string {
  if (part.kind === 'json') return plainJson(part.value)
  return part.text ?? ''
}

function inputValue(input: CallInput): unknown {
  if (input.form === 'value') return input.value
  if (input.form === 'free') return input.text
  try {
    return JSON.parse(input.text) as unknown
  } catch {
    // Models do write broken JSON: it is a text then.
    return input.text
  }
}

/** A value as JSON in which line ends, tabs and quotes stand as they are. */
function plainJson(value: unknown): string {
  if (typeof value === 'string') return value
  return (JSON.stringify(value) ?? '').replace(/\\([nt"])/g, (_, letter: string) => PLAIN[letter] ?? letter)
}

const PLAIN: Record<string, string> = { n: '\n', t: '\t', '"': '"' }

const LINE_NUMBER = /^ *\d+(?:→|\t|: |\| ?)/

/** A numbered read without its numbers, as an edit names the text; empty for any other text. */
function unnumbered(text: string): string {
  const lines = text.split('\n')
  const numbered = lines.filter((line) => LINE_NUMBER.test(line)).length
  // A digest has a few lines before the first number, and gaps.
  if (numbered * 2 < lines.length) return ''
  return text.replace(new RegExp(LINE_NUMBER, 'gm'), '')
}
