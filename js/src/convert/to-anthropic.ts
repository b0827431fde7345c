import { type Arranged, arrange, type Piece } from '../transcripts/arrange.js'
import { asRecord, asString, isBlank, isRecord, recordsOf } from '../transcripts/json.js'
import { isEmptyTextBlock, toAnthropicMessages } from '../transcripts/provider-messages.js'
import type { JsonRecord } from '../transcripts/types.js'
import { CallIds } from './call-ids.js'
import { Losses } from './lost.js'
import type { ConvertedMessages } from './types.js'

type AnthropicPiece = Piece<JsonRecord[], JsonRecord, string | JsonRecord[]>
type AnthropicItem = Arranged<JsonRecord[], JsonRecord, string | JsonRecord[]>

export function toAnthropic(messages: readonly object[], system: string | undefined): ConvertedMessages {
  const losses = new Losses()
  const systems = system === undefined ? [] : [system]
  const pieces = messages.flatMap((message, index) => piecesOf(message, index, systems, losses))
  const arranged = arrange(pieces, (at) => losses.add(at, 'second result of the same call'))
  const ids = new CallIds()
  const converted = toAnthropicMessages(arranged.map((item) => withWireIds(item, ids)))
  for (const change of ids.changes) losses.add(change.index, change.what)
  return {
    messages: converted,
    lost: losses.items.sort((a, b) => a.index - b.index),
    ...(systems.length === 0 ? {} : { system: systems.join('\n\n') }),
  }
}

/** A result takes the id of the call that it was arranged with, so both are renamed together. */
function withWireIds(item: AnthropicItem, ids: CallIds): AnthropicItem {
  if (item.kind !== 'assistant') return item
  const renamed = new Map<string, string[]>()
  const value = item.value.map((block) => {
    if (block.type !== 'tool_use') return block
    const id = String(block.id)
    const wire = ids.next(id, item.at)
    renamed.set(id, [...(renamed.get(id) ?? []), wire])
    return { ...block, id: wire }
  })
  const results = item.results.map((result) => {
    const id = String(result.tool_use_id)
    return { ...result, tool_use_id: renamed.get(id)?.shift() ?? id }
  })
  return { ...item, value, results }
}

function piecesOf(message: object, at: number, systems: string[], losses: Losses): AnthropicPiece[] {
  if (!isRecord(message)) {
    losses.add(at, 'entry that is no message')
    return []
  }
  if (message.name !== undefined) losses.add(at, 'name of the speaker')
  switch (message.role) {
    case 'system':
    case 'developer':
      systems.push(textOf(message.content))
      losses.add(at, 'system message (Anthropic takes it beside the messages)')
      return []
    case 'user':
      return user(message.content, at, losses)
    case 'assistant':
      return assistant(message, at, losses)
    case 'tool':
      return [toolResult(message, at, losses)]
    default:
      losses.add(at, `message of role ${JSON.stringify(message.role ?? null)}`)
      return []
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return recordsOf(content)
    .flatMap((part) => (typeof part.text === 'string' ? [part.text] : []))
    .join('\n\n')
}

function user(content: unknown, at: number, losses: Losses): AnthropicPiece[] {
  if (typeof content === 'string' && !isBlank(content)) return [{ kind: 'other', value: content, at }]
  const blocks = recordsOf(content).flatMap((part) => userBlock(part, at, losses))
  if (blocks.length > 0) return [{ kind: 'other', value: blocks, at }]
  losses.add(at, 'message without content')
  return []
}

function userBlock(part: JsonRecord, at: number, losses: Losses): JsonRecord[] {
  if (part.type === 'text') return nonEmptyText(part.text)
  const source = part.type === 'image_url' ? imageSource(asString(asRecord(part.image_url)?.url)) : undefined
  if (source !== undefined) return [{ type: 'image', source }]
  const file = asRecord(part.file)
  const data = part.type === 'file' ? dataUrl(asString(file?.file_data)) : undefined
  if (data?.media_type === 'application/pdf') {
    const title = typeof file?.filename === 'string' ? { title: file.filename } : {}
    return [{ type: 'document', source: { type: 'base64', ...data }, ...title }]
  }
  losses.add(at, `part of type ${JSON.stringify(part.type ?? null)}`)
  return []
}

function nonEmptyText(text: unknown): JsonRecord[] {
  const block = { type: 'text', text }
  return isEmptyTextBlock(block) ? [] : [block]
}

function imageSource(url: string | undefined): JsonRecord | undefined {
  const data = dataUrl(url)
  if (data !== undefined) return { type: 'base64', ...data }
  return url !== undefined && /^https?:/i.test(url) ? { type: 'url', url } : undefined
}

function dataUrl(url: string | undefined): { media_type: string; data: string } | undefined {
  const comma = url?.indexOf(',') ?? -1
  if (url === undefined || comma === -1) return undefined
  const head = /^data:([^;,]+);base64$/i.exec(url.slice(0, comma))
  return head?.[1] === undefined ? undefined : { media_type: head[1], data: url.slice(comma + 1) }
}

function assistant(message: JsonRecord, at: number, losses: Losses): AnthropicPiece[] {
  const blocks = assistantTexts(message.content, at, losses)
  for (const field of ['refusal', 'audio', 'function_call', 'reasoning', 'reasoning_content']) {
    if (message[field] !== undefined && message[field] !== null) losses.add(at, field)
  }
  const calls = recordsOf(message.tool_calls).flatMap((call) => toolUse(call, at, losses))
  const content = [...blocks, ...calls]
  if (content.length > 0) {
    return [{ kind: 'assistant', value: content, callIds: calls.map((call) => String(call.id)), at }]
  }
  losses.add(at, 'message without text or calls')
  return []
}

function assistantTexts(content: unknown, at: number, losses: Losses): JsonRecord[] {
  if (typeof content === 'string') return nonEmptyText(content)
  return recordsOf(content).flatMap((part) => {
    if (part.type === 'text') return nonEmptyText(part.text)
    losses.add(at, `part of type ${JSON.stringify(part.type ?? null)}`)
    return []
  })
}

function toolUse(call: JsonRecord, at: number, losses: Losses): (JsonRecord & { id: string })[] {
  const called = asRecord(call.function)
  const custom = asRecord(call.custom)
  const name = asString((called ?? custom)?.name)
  if (name === undefined) {
    losses.add(at, `tool call of type ${JSON.stringify(call.type ?? null)}`)
    return []
  }
  const input = custom === undefined ? inputOf(called?.arguments, at, losses) : { input: custom.input ?? '' }
  return [{ type: 'tool_use', id: asString(call.id) ?? '', name, input }]
}

/** Anthropic's input is an object. Arguments that are none are kept as text. */
function inputOf(args: unknown, at: number, losses: Losses): JsonRecord {
  if (isRecord(args)) return args
  const text = asString(args) ?? ''
  if (isBlank(text)) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // Models do write broken JSON; the text is what there is.
  }
  losses.add(at, 'form of arguments that are no JSON object (now text under "arguments")')
  return { arguments: text }
}

function toolResult(message: JsonRecord, at: number, losses: Losses): AnthropicPiece {
  const callId = asString(message.tool_call_id) ?? ''
  const content =
    typeof message.content === 'string'
      ? message.content
      : recordsOf(message.content).flatMap((part) => userBlock(part, at, losses))
  return { kind: 'result', value: { type: 'tool_result', tool_use_id: callId, content }, callId, at }
}
