import { readNeutral } from '../convert/index.js'
import type { Block, NeutralPiece } from '../convert/neutral.js'
import type { Format } from '../types.js'

/** How many of the newest messages say what a conversation is about, and how much of each: document "Unified read_file". */
const MESSAGES = 10
const UNITS = 300

/** What a conversation is about now: what was said, asked of tools and answered by them last. */
export function conversationText(messages: readonly object[], format: Format): string {
  // Calls and their results may be several messages back; a result alone is read as well.
  const pieces = readNeutral(messages.slice(-MESSAGES), format)
  return pieces.map((piece) => beginningOf(textOf(piece))).join('\n')
}

function textOf(piece: NeutralPiece): string {
  if (piece.kind === 'result') {
    return piece.value.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n')
  }
  return piece.value.blocks.map(blockText).join('\n')
}

function blockText(block: Block): string {
  if (block.kind === 'text' || block.kind === 'reasoning') return block.text
  if (block.kind !== 'call') return ''
  const { input } = block
  return input.form === 'value' ? (JSON.stringify(input.value) ?? '') : input.text
}

function beginningOf(text: string): string {
  return text.slice(0, UNITS)
}
