import { TrimtabError } from '../error.js'
import { arrange, type Piece } from '../transcripts/arrange.js'
import { asRecord, asString, isRecord, recordsOf } from '../transcripts/json.js'
import { toChatMessages } from '../transcripts/provider-messages.js'
import type { JsonRecord } from '../transcripts/types.js'
import { Losses } from './lost.js'
import type { ConvertedMessages } from './types.js'

type ChatPiece = Piece<JsonRecord, JsonRecord, JsonRecord>

export function toOpenAiChat(messages: readonly object[], system: string | undefined): ConvertedMessages {
  const losses = new Losses()
  const pieces = messages.flatMap((message, index) => piecesOf(message, index, losses))
  const arranged = arrange(pieces, (at) => losses.add(at, 'second result of the same call'))
  const head = system === undefined ? [] : [{ role: 'system', content: system }]
  return { messages: [...head, ...toChatMessages(arranged)], lost: losses.items }
}

function piecesOf(message: object, at: number, losses: Losses): ChatPiece[] {
  if (!isRecord(message)) {
    losses.add(at, 'entry that is no message')
    return []
  }
  const blocks = blocksOf(message.content)
  if (message.role === 'assistant') return assistant(blocks, message.content, at, losses)
  if (message.role === 'user') return user(blocks, message.content, at, losses)
  if (message.role === 'system')
    return [{ kind: 'other', value: { role: 'system', content: textOf(blocks) }, at }]
  losses.add(at, `message of role ${JSON.stringify(message.role ?? null)}`)
  return []
}

function blocksOf(content: unknown): JsonRecord[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : recordsOf(content)
}

function textOf(blocks: readonly JsonRecord[]): string {
  return blocks.flatMap((block) => (typeof block.text === 'string' ? [block.text] : [])).join('\n\n')
}

function assistant(blocks: readonly JsonRecord[], content: unknown, at: number, losses: Losses): ChatPiece[] {
  const parts: JsonRecord[] = []
  const calls: JsonRecord[] = []
  for (const block of blocks) {
    noteCacheControl(block, at, losses)
    if (block.type === 'text') parts.push(textPart(block, at, losses))
    else if (block.type === 'tool_use') calls.push(toolCall(block, at))
    else if (block.type === 'thinking' || block.type === 'redacted_thinking') losses.add(at, 'reasoning')
    else losses.add(at, `block of type ${JSON.stringify(block.type ?? null)}`)
  }
  if (parts.length === 0 && calls.length === 0) {
    losses.add(at, 'message without text or calls')
    return []
  }
  const value: JsonRecord = { role: 'assistant', content: parts.length === 0 ? null : plain(parts, content) }
  if (calls.length > 0) value.tool_calls = calls
  return [{ kind: 'assistant', value, callIds: calls.map((call) => String(call.id)), at }]
}

function toolCall(block: JsonRecord, at: number): JsonRecord {
  const called = { name: asString(block.name) ?? '', arguments: inputText(block.input, at) }
  return { id: asString(block.id) ?? '', type: 'function', function: called }
}

function inputText(input: unknown, index: number): string {
  try {
    return JSON.stringify(input ?? {})
  } catch (cause) {
    const message = `message ${index}: the input of a tool call cannot be written as JSON (${String(cause)})`
    throw new TrimtabError('unreadable_message', message, { index, cause })
  }
}

function user(blocks: readonly JsonRecord[], content: unknown, at: number, losses: Losses): ChatPiece[] {
  const results: ChatPiece[] = []
  const parts: JsonRecord[] = []
  for (const block of blocks) {
    noteCacheControl(block, at, losses)
    if (block.type === 'tool_result') results.push(toolResult(block, at, parts, losses))
    else parts.push(...userPart(block, at, losses))
  }
  if (parts.length > 0)
    return [...results, { kind: 'other', value: { role: 'user', content: plain(parts, content) }, at }]
  if (results.length === 0) losses.add(at, 'message without content')
  return results
}

/** Chat's tool messages hold text: images move to the user message behind the results (`besides`). */
function toolResult(block: JsonRecord, at: number, besides: JsonRecord[], losses: Losses): ChatPiece {
  const callId = asString(block.tool_use_id) ?? ''
  if (block.is_error === true) losses.add(at, 'mark of a failed result (is_error)')
  const parts: JsonRecord[] = []
  for (const item of blocksOf(block.content)) {
    if (item.type === 'text') parts.push(textPart(item, at, losses))
    else if (item.type === 'image') {
      losses.add(at, 'place of an image in a result (now in the user message behind it)')
      besides.push(
        { type: 'text', text: `Image from the result of ${callId}:` },
        ...userPart(item, at, losses),
      )
    } else losses.add(at, `content of type ${JSON.stringify(item.type ?? null)} in a result`)
  }
  const content = parts.length === 0 ? '' : plain(parts, block.content)
  return { kind: 'result', value: { role: 'tool', tool_call_id: callId, content }, callId, at }
}

function userPart(block: JsonRecord, at: number, losses: Losses): JsonRecord[] {
  if (block.type === 'text') return [textPart(block, at, losses)]
  const source = asRecord(block.source)
  if (block.type === 'image') {
    const url = imageUrl(source)
    if (url !== undefined) return [{ type: 'image_url', image_url: { url } }]
  }
  if (block.type === 'document') {
    if (source?.type === 'text' && typeof source.data === 'string')
      return [{ type: 'text', text: source.data }]
    if (source?.type === 'base64' && typeof source.data === 'string') {
      const file_data = `data:${asString(source.media_type) ?? 'application/pdf'};base64,${source.data}`
      return [{ type: 'file', file: { filename: asString(block.title) ?? 'document.pdf', file_data } }]
    }
  }
  losses.add(at, `block of type ${JSON.stringify(block.type ?? null)}`)
  return []
}

function imageUrl(source: JsonRecord | undefined): string | undefined {
  if (source?.type === 'url') return asString(source.url)
  if (source?.type !== 'base64' || typeof source.data !== 'string') return undefined
  return `data:${asString(source.media_type) ?? 'image/png'};base64,${source.data}`
}

function textPart(block: JsonRecord, at: number, losses: Losses): JsonRecord {
  if (Array.isArray(block.citations) && block.citations.length > 0) losses.add(at, 'citations')
  return { type: 'text', text: asString(block.text) ?? '' }
}

/** A text that was one string, or one block, is a string again. */
function plain(parts: readonly JsonRecord[], original: unknown): unknown {
  const [only] = parts
  const single = parts.length === 1 && only?.type === 'text'
  return single || typeof original === 'string' ? (only?.text ?? '') : parts
}

function noteCacheControl(block: JsonRecord, at: number, losses: Losses): void {
  if (isRecord(block.cache_control)) losses.add(at, 'cache_control')
}
