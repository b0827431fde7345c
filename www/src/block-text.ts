import type { BlockFacts, BlockKind, Format } from 'trimtab'

/** The readable text of a message's blocks, taken from the host's own message. Knows formats, no DOM. */

interface Piece {
  kind: BlockKind
  text: string
}

type Fields = Readonly<Record<string, unknown>>

/**
 * One text per block of `facts`, which are the facts of this message in order. Blocks and pieces are matched kind by
 * kind, so that a field this page does not know cannot shift the others.
 */
export function blockTexts(
  message: object,
  facts: readonly Pick<BlockFacts, 'kind'>[],
  format: Format,
): string[] {
  const queues = new Map<BlockKind, string[]>()
  for (const piece of piecesOf(message, format)) {
    queues.set(piece.kind, [...(queues.get(piece.kind) ?? []), piece.text])
  }
  for (const [kind, texts] of queues) {
    // The engine may leave an empty text out.
    const wanted = facts.filter((fact) => fact.kind === kind).length
    queues.set(kind, texts.length > wanted ? texts.filter((text) => text !== '') : texts)
  }
  return facts.map(({ kind }) => queues.get(kind)?.shift() ?? '')
}

function piecesOf(message: object, format: Format): Piece[] {
  const fields = message as Fields
  return format === 'anthropic' ? contentPieces(fields, anthropicPiece) : openAiPieces(fields)
}

function openAiPieces(message: Fields): Piece[] {
  if (message.role === 'tool' || message.role === 'function') {
    return [{ kind: 'tool-result', text: plainText(message.content) }]
  }
  const pieces: Piece[] = []
  const reasoning = message.reasoning_content ?? message.reasoning
  if (typeof reasoning === 'string') {
    pieces.push({ kind: 'reasoning', text: reasoning })
  }
  pieces.push(...contentPieces(message, openAiPiece))
  if (typeof message.refusal === 'string') {
    pieces.push({ kind: 'unknown', text: message.refusal })
  }
  for (const call of listOf(message.tool_calls)) {
    pieces.push({ kind: 'tool-call', text: callText(fieldsOf(call)) })
  }
  return pieces
}

function callText(call: Fields): string {
  const named = fieldsOf(call.function ?? call.custom ?? call)
  return pretty(named.arguments ?? named.input)
}

function contentPieces(message: Fields, piece: (part: Fields) => Piece): Piece[] {
  const { content } = message
  if (typeof content === 'string') {
    return [{ kind: 'text', text: content }]
  }
  return listOf(content).map((part) =>
    typeof part === 'string' ? { kind: 'text', text: part } : piece(fieldsOf(part)),
  )
}

function openAiPiece(part: Fields): Piece {
  switch (part.type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return { kind: 'text', text: stringOf(part.text) }
    case 'image_url':
    case 'input_audio':
    case 'file':
      return { kind: 'file', text: fileText(part) }
    default:
      return { kind: 'unknown', text: pretty(part) }
  }
}

function anthropicPiece(part: Fields): Piece {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: stringOf(part.text) }
    case 'thinking':
      return { kind: 'reasoning', text: stringOf(part.thinking) }
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '(redacted by the provider)' }
    case 'tool_use':
      return { kind: 'tool-call', text: pretty(part.input) }
    case 'tool_result':
      return { kind: 'tool-result', text: plainText(part.content) }
    case 'image':
    case 'document':
      return { kind: 'file', text: fileText(part) }
    default:
      return { kind: 'unknown', text: pretty(part) }
  }
}

/** The text of a result: its text parts one below the other, anything else by what it is. */
function plainText(content: unknown): string {
  if (typeof content === 'string') {
    return content
  }
  const texts = listOf(content).map((part) => {
    const fields = fieldsOf(part)
    return typeof part === 'string' ? part : typeof fields.text === 'string' ? fields.text : fileText(fields)
  })
  return texts.join('\n')
}

/** A file by its type, never its bytes: base64 tells a reader nothing. */
function fileText(part: Fields): string {
  const source = fieldsOf(part.source ?? part.image_url ?? part.file ?? part.input_audio)
  const type = source.media_type ?? source.format ?? source.filename ?? ''
  return `[${stringOf(part.type) || 'file'}${type === '' ? '' : `: ${String(type)}`}]`
}

/** Arguments up to this length are read more easily on one line. */
const ONE_LINE = 120

function pretty(value: unknown): string {
  try {
    const data: unknown = typeof value === 'string' ? JSON.parse(value) : value
    if (data === undefined) {
      return ''
    }
    const line = JSON.stringify(data)
    return line.length <= ONE_LINE ? line : JSON.stringify(data, null, 2)
  } catch {
    // Arguments need not be JSON: a freeform tool takes plain text, and a model can write anything.
    return typeof value === 'string' ? value : '(cannot be shown)'
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
