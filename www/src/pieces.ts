import type { BlockKind, Format } from 'trimtab'
import {
  type Fields,
  fieldsOf,
  fileText,
  listOf,
  plainText,
  pretty,
  stringOf,
  valueText,
} from './plain-text.js'

/** A readable piece of a message. */
export interface Piece {
  kind: BlockKind
  text: string
}

/** Returns the pieces of a message, in order. */
export function piecesOf(message: object, format: Format): Piece[] {
  const read = READERS[format] ?? ((fields: Fields) => contentPieces(fields, openAiPiece))
  return read(message as Fields)
}

/** Reader of each format. Formats not listed are read the common way: texts and parts in `content`. */
const READERS: Partial<Record<Format, (message: Fields) => Piece[]>> = {
  'openai-chat': openAiPieces,
  'openai-responses': responsesPieces,
  anthropic: (message) => contentPieces(message, anthropicPiece),
  'ai-sdk': (message) => contentPieces(message, aiSdkPiece),
  'ai-sdk-ui': (message) => listOf(message.parts).flatMap((part) => uiPieces(fieldsOf(part))),
  gemini: (message) => listOf(message.parts).flatMap((part) => geminiPieces(fieldsOf(part))),
  langchain: langChainPieces,
}

const HIDDEN = '(hidden by the provider)'

function contentPieces({ content }: Fields, piece: (part: Fields) => Piece): Piece[] {
  if (typeof content === 'string') {
    return [{ kind: 'text', text: content }]
  }
  return listOf(content).map((part) =>
    typeof part === 'string' ? { kind: 'text', text: part } : piece(fieldsOf(part)),
  )
}

function unknown(part: Fields): Piece {
  return { kind: 'unknown', text: pretty(part) }
}

function openAiPieces(message: Fields): Piece[] {
  if (message.role === 'tool' || message.role === 'function') {
    return [{ kind: 'tool-result', text: plainText(message.content) }]
  }
  const pieces: Piece[] = []
  for (const reasoning of [message.reasoning_content, message.thinking, message.reasoning]) {
    if (typeof reasoning === 'string') {
      pieces.push({ kind: 'reasoning', text: reasoning })
    }
  }
  pieces.push(...contentPieces(message, openAiPiece))
  if (typeof message.refusal === 'string') {
    pieces.push({ kind: 'unknown', text: message.refusal })
  }
  for (const call of listOf(message.tool_calls)) {
    const { custom, function: called } = fieldsOf(call)
    const named = fieldsOf(called ?? custom ?? call)
    pieces.push({ kind: 'tool-call', text: pretty(named.arguments ?? named.input) })
  }
  return pieces
}

function openAiPiece(part: Fields): Piece {
  switch (part.type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return { kind: 'text', text: stringOf(part.text) }
    case 'refusal':
      return { kind: 'text', text: stringOf(part.refusal) }
    case 'image_url':
    case 'input_audio':
    case 'input_image':
    case 'input_file':
    case 'file':
      return { kind: 'file', text: fileText(part) }
    default:
      return unknown(part)
  }
}

function responsesPieces(item: Fields): Piece[] {
  const type = stringOf(item.type)
  if (type === '' || type === 'message') {
    return contentPieces(item, openAiPiece)
  }
  if (type === 'reasoning') {
    const summary = [...listOf(item.summary), ...listOf(item.content)]
    return [{ kind: 'reasoning', text: plainText(summary) || HIDDEN }]
  }
  const given = item.arguments ?? item.input ?? item.action ?? item.operation
  if (type.endsWith('_call') && given !== undefined) {
    return [{ kind: 'tool-call', text: pretty(given) }]
  }
  return type.endsWith('_output')
    ? [{ kind: 'tool-result', text: outputText(item.output ?? item.status) }]
    : [unknown(item)]
}

/** Returns the text of an output, which for a shell is a list of parts with `stdout` and `stderr`. */
function outputText(output: unknown): string {
  if (!Array.isArray(output)) {
    return valueText(output)
  }
  return listOf(output)
    .map(fieldsOf)
    .map((part) =>
      part.type === undefined ? `${stringOf(part.stdout)}${stringOf(part.stderr)}` : plainText([part]),
    )
    .join('\n')
}

function anthropicPiece(part: Fields): Piece {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: stringOf(part.text) }
    case 'thinking':
      return { kind: 'reasoning', text: stringOf(part.thinking) }
    case 'redacted_thinking':
      return { kind: 'reasoning', text: HIDDEN }
    case 'tool_use':
      return { kind: 'tool-call', text: pretty(part.input) }
    case 'tool_result':
      return { kind: 'tool-result', text: plainText(part.content) }
    case 'image':
    case 'document':
      return { kind: 'file', text: fileText(part) }
    default:
      return unknown(part)
  }
}

function aiSdkPiece(part: Fields): Piece {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: stringOf(part.text) }
    case 'reasoning':
      return { kind: 'reasoning', text: stringOf(part.text) || HIDDEN }
    case 'tool-call':
      return { kind: 'tool-call', text: pretty(part.input) }
    case 'tool-result': {
      const { type, value } = fieldsOf(part.output)
      return {
        kind: 'tool-result',
        text: type === 'content' ? plainText(value) : valueText(value ?? part.output),
      }
    }
    case 'image':
    case 'file':
      return { kind: 'file', text: fileText(part) }
    default:
      return unknown(part)
  }
}

/** A tool part holds the call and, once available, its result. */
function uiPieces(part: Fields): Piece[] {
  const isTool = part.type === 'dynamic-tool' || stringOf(part.type).startsWith('tool-')
  if (part.type === 'step-start') {
    return []
  }
  if (!isTool || part.toolCallId === undefined) {
    return [aiSdkPiece(part)]
  }
  const call: Piece = { kind: 'tool-call', text: pretty(part.input) }
  if (part.state !== 'output-available' && part.state !== 'output-error') {
    return [call]
  }
  return [
    call,
    { kind: 'tool-result', text: valueText(part.state === 'output-error' ? part.errorText : part.output) },
  ]
}

function geminiPieces(part: Fields): Piece[] {
  const signature: Piece[] =
    part.thoughtSignature === undefined ? [] : [{ kind: 'reasoning', text: '(signature)' }]
  return [...signature, geminiPiece(part)]
}

function geminiPiece(part: Fields): Piece {
  if (part.functionCall !== undefined) {
    return { kind: 'tool-call', text: pretty(fieldsOf(part.functionCall).args) }
  }
  if (part.functionResponse !== undefined) {
    return { kind: 'tool-result', text: responseText(fieldsOf(part.functionResponse).response) }
  }
  if (typeof part.text === 'string') {
    return { kind: part.thought === true ? 'reasoning' : 'text', text: part.text }
  }
  const isFile = part.inlineData !== undefined || part.fileData !== undefined
  return isFile ? { kind: 'file', text: fileText(part) } : unknown(part)
}

/** Returns the text of a response; a response with one text field is that text. */
function responseText(response: unknown): string {
  const values = Object.values(fieldsOf(response))
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : valueText(response)
}

function langChainPieces(message: Fields): Piece[] {
  const inner = message.data ?? message.kwargs
  const body = typeof inner === 'object' && inner !== null ? (inner as Fields) : message
  if (body.tool_call_id !== undefined) {
    return [{ kind: 'tool-result', text: plainText(body.content) }]
  }
  const calls = listOf(body.tool_calls).map(
    (call): Piece => ({ kind: 'tool-call', text: pretty(fieldsOf(call).args) }),
  )
  return [...contentPieces(body, langChainPiece), ...calls]
}

/**
 * Parts can have any provider's types. A call in the content is repeated in `tool_calls`, which provides its
 * text.
 */
function langChainPiece(part: Fields): Piece {
  switch (part.type) {
    case 'tool_use':
    case 'function_call':
      return unknown(part)
    case 'reasoning':
      return { kind: 'reasoning', text: stringOf(part.reasoning) || HIDDEN }
    case 'image_url':
    case 'input_audio':
    case 'file':
      return { kind: 'file', text: fileText(part) }
    default:
      return anthropicPiece(part)
  }
}
