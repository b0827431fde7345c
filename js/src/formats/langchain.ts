import { asRecord, asString, isRecord, type JsonRecord, recordsOf } from '../base/json.js'
import { readFile as readAnthropicFile } from './anthropic.js'
import { CACHED, cacheControl, cached, readReasoning, writeReasoning } from './anthropic-options.js'
import { inputObject, inputOf } from './call-input.js'
import { type Codec, type MessageAt, systemText } from './codec.js'
import { dataOf, fileAt, fileOf, isImage, urlOf, withName } from './file.js'
import type { Losses } from './lost.js'
import {
  answered,
  type Block,
  type Call,
  callsIn,
  type File,
  type Message,
  type NeutralPiece,
  placeOf,
  type Result,
  type ResultPart,
  refusalBlocks,
  returned,
  said,
  textBlocks,
} from './neutral.js'
import { readCall as readChatCall, readFile as readChatFile } from './openai-chat.js'
import { textOrParts, textsAndFiles } from './result.js'
import { ANY_TOKENS } from './token-rules.js'

const TYPES = new Set(['human', 'ai', 'system', 'developer', 'tool', 'function', 'generic', 'remove'])

/** `{type, content}`, `{type, data: {content}}`, or LangChain's own serialisation. */
function recognises({ content, data, id, kwargs, role, type, uuid }: JsonRecord): boolean {
  if (type === 'constructor') return isRecord(kwargs) && Array.isArray(id)
  if (!TYPES.has(asString(type) ?? '') || (role !== undefined && type !== 'generic')) return false
  // Claude Code has its own system lines.
  return uuid === undefined && (content !== undefined || isRecord(data))
}

/** LangChain: reads instances and their serialised forms; writes plain `{type, content, ...}`. */
export const langChain: Codec<'langchain'> = {
  format: 'langchain',
  title: 'LangChain',
  tokens: ANY_TOKENS,
  resultsApart: true,
  recognises,
  misfit: (message) =>
    recognises(message) && message.type !== 'remove' ? undefined : 'no LangChain message',
  read: (messages, losses) => {
    const answeredIds = answeredIn(messages)
    return messages.flatMap((message) => read(message, answeredIds, losses))
  },
  write: (messages, losses) => ({ messages: messages.flatMap((message) => write(message, losses)) }),
  results: (results, losses) =>
    results.map((result) => ({ status: 'success', ...writeResult(result, losses) })),
}

/** The kind of a message in LangChain's terms, and the object with its fields. */
function kindOf(message: JsonRecord): { kind: string; body: JsonRecord } {
  const { data, id, kwargs, type } = message
  if (type === 'constructor' && isRecord(kwargs))
    return { kind: kindOfClass(Array.isArray(id) ? id.at(-1) : ''), body: kwargs }
  const kind = asString(type) ?? (typeof message._getType === 'function' ? String(message._getType()) : '')
  return { kind, body: isRecord(data) ? data : message }
}

function kindOfClass(name: unknown): string {
  return String(name)
    .replace(/Message(?:Chunk)?$/, '')
    .replace(/^Chat$/, 'generic')
    .toLowerCase()
}

interface Fields {
  message: readonly string[]
  kwargs: readonly string[]
}

const ANSWER: Fields = { message: ['tool_calls', 'invalid_tool_calls'], kwargs: ['tool_calls'] }
const FIELDS = new Map<string, Fields>(
  Object.entries({
    ai: ANSWER,
    assistant: ANSWER,
    model: ANSWER,
    tool: { message: ['tool_call_id', 'artifact'], kwargs: [] },
  }),
)

/** Returns the ids of the calls that have results. */
function answeredIn(messages: readonly MessageAt[]): ReadonlySet<unknown> {
  const kinds = messages.map(({ value }) => kindOf(value))
  return new Set(kinds.flatMap(({ body, kind }) => (kind === 'tool' ? [body.tool_call_id] : [])))
}

function read({ at, value }: MessageAt, answeredIds: ReadonlySet<unknown>, losses: Losses): NeutralPiece[] {
  const { body, kind } = kindOf(value)
  if (body !== value) {
    if (body.metadata !== undefined) losses.add(at, 'metadata')
    losses.unread(at, value, ['lc', body === value.data ? 'data' : 'kwargs'], 'a message')
  }
  const role = kind === 'generic' ? String(body.role) : kind
  const own = FIELDS.get(role) ?? { message: [], kwargs: [] }
  losses.unread(at, body, ['additional_kwargs', 'content', 'name', ...own.message], 'a message')
  const kwargs = asRecord(body.additional_kwargs) ?? {}
  losses.unread(at, kwargs, ['reasoning_content', 'refusal', ...own.kwargs], '"additional_kwargs"')
  switch (role) {
    case 'human':
    case 'user':
      return [said('user', readContent(body, at, losses), at, body.name)]
    case 'system':
    case 'developer':
      return [said(role, readContent(body, at, losses), at, body.name)]
    case 'ai':
    case 'assistant':
    case 'model':
      return [answered(readAnswer(body, at, answeredIds, losses), at, body.name)]
    case 'tool':
      return [returned(readResult(body, at, losses))]
    default:
      losses.add(at, `message of type ${JSON.stringify(role)}`)
      return []
  }
}

function readContent(body: JsonRecord, at: number, losses: Losses, isAnswer = false): Block[] {
  const { content } = body
  const { reasoning_content, refusal } = asRecord(body.additional_kwargs) ?? {}
  const thought = textBlocks(reasoning_content).map(({ text }): Block => ({ kind: 'reasoning', text }))
  const blocks = losses
    .parts(at, content, 'content')
    .flatMap((part) => (COPIES.has(part.type) && isAnswer ? [] : readPart(part, at, losses)))
  return [...thought, ...blocks, ...refusalBlocks(refusal)]
}

/** An answer's content, and its calls: those beside it, and those that stand in the content alone. */
function readAnswer(
  body: JsonRecord,
  at: number,
  answeredIds: ReadonlySet<unknown>,
  losses: Losses,
): Block[] {
  const calls = readCalls(body, at, answeredIds, losses)
  const ids = new Set(calls.map(({ id }) => id))
  const names = new Set(calls.map(({ name }) => name))
  const others = recordsOf(body.content).flatMap((part): Call[] => {
    if (!COPIES.has(part.type)) return []
    const { args, id, input, name, text } = readCopy(part)
    if (id === undefined ? name === undefined || names.has(name) : ids.has(id)) {
      return name === undefined && calls.length === 0 ? losses.part(at, part) : []
    }
    const value = input ?? args
    const form = value === undefined ? inputOf(text, 'json') : { form: 'value' as const, value }
    return [readCall({ id, name }, form)]
  })
  return [...readContent(body, at, losses, true), ...calls, ...others]
}

/** A call among the parts of a content, as the provider or LangChain has it. */
function readCopy(part: JsonRecord): Copy {
  const { args, input, name } = asRecord(part.functionCall) ?? part
  const id = asString(part.call_id) ?? asString(part.id)
  return { id, name: asString(name), input, args, text: part.arguments }
}

interface Copy {
  id: string | undefined
  name: string | undefined
  input: unknown
  args: unknown
  text: unknown
}

/** Parts that repeat a call from `tool_calls`. */
const COPIES = new Set<unknown>([
  'tool_use',
  'tool_call',
  'function_call',
  'input_json_delta',
  'tool_call_chunk',
  'functionCall',
])

/** The fields of a part that hold what is read of it. */
function fieldsOf(part: JsonRecord, type: string): string[] {
  if (type === 'text') return ['text', 'cache_control']
  if (type === 'redacted_thinking') return ['data']
  if (type === 'thinking' || type === 'reasoning')
    return [part.thinking === undefined ? 'reasoning' : 'thinking', 'signature']
  const kinds = ['mediaType', 'mimeType', 'mime_type', 'source_type', 'title']
  if (part.source_type === 'text' || type === 'text-plain') return [...kinds, 'text']
  const held = ['url', 'data', 'source', 'image_url', 'input_audio', 'file']
  return [...kinds, held.find((field) => part[field] !== undefined) ?? '']
}

function readPart(part: JsonRecord, at: number, losses: Losses): Block[] {
  const type = asString(part.type) ?? ''
  losses.unread(at, part, fieldsOf(part, type))
  if (type === 'text') return textBlocks(part.text, cached(part).options)
  if (type === 'thinking' || type === 'reasoning' || type === 'redacted_thinking')
    return [readReasoning(part, asString(part.thinking) ?? part.reasoning)]
  const file = readDataBlock(part, type) ?? readAnthropicFile(part) ?? readChatFile(part)
  if (file !== undefined) return [file]
  return losses.part(at, part)
}

/**
 * Reads LangChain's own file blocks: `{type, source_type, data, mime_type}`, since 1.0 also
 * `{type, data, mimeType}`.
 */
function readDataBlock(part: JsonRecord, type: string): File | undefined {
  if (!['image', 'audio', 'video', 'file', 'text-plain'].includes(type)) return undefined
  const mediaType =
    asString(part.mimeType) ?? asString(part.mime_type) ?? (type === 'file' ? '' : `${type}/*`)
  const name = asRecord(part.metadata)?.filename
  const isText = type === 'text-plain' || part.source_type === 'text'
  const text = isText ? asString(part.text) : undefined
  if (text !== undefined) return withName({ kind: 'file', mediaType: 'text/plain', text }, name)
  const url = asString(part.url)
  const file = url === undefined ? fileOf(part.data, mediaType) : fileAt(url, mediaType)
  return file === undefined ? undefined : withName(file, name)
}

/**
 * LangChain sends no call whose arguments are no JSON, and agents do not run it: without a result it is not read either.
 */
function readCalls(body: JsonRecord, at: number, answeredIds: ReadonlySet<unknown>, losses: Losses): Call[] {
  const kwargs = asRecord(body.additional_kwargs) ?? {}
  const own = losses.records(at, body.tool_calls, 'tool calls')
  for (const call of own) losses.unread(at, call, ['name', 'args'], 'a call')
  const copies = own.length > 0 ? [] : recordsOf(kwargs.tool_calls)
  const invalid = recordsOf(body.invalid_tool_calls).flatMap((call): Call[] => {
    if (copies.some(({ id }) => id === call.id)) return []
    if (answeredIds.has(call.id)) return [readCall(call, { form: 'json', text: asString(call.args) ?? '' })]
    losses.add(at, 'call with invalid arguments and without a result')
    return []
  })
  return [
    ...own.map((call) => readCall(call, { form: 'value', value: call.args })),
    ...copies.flatMap((call) => readChatCall(call, at, losses)),
    ...invalid,
  ]
}

function readCall({ id, name }: JsonRecord, input: Call['input']): Call {
  return { kind: 'call', id: asString(id) ?? '', name: asString(name) ?? '', input }
}

function readResult(body: JsonRecord, at: number, losses: Losses): Result {
  if (body.artifact !== undefined && body.artifact !== null) losses.add(at, 'artifact of a result')
  const name = asString(body.name)
  const parts = readContent(body, at, losses).flatMap((block): ResultPart[] => {
    if (block.kind === 'text' || block.kind === 'file') return [block]
    losses.add(at, `${block.kind} in a result`)
    return []
  })
  return {
    callId: asString(body.tool_call_id) ?? '',
    ...(name === undefined ? {} : { name }),
    parts,
    isError: body.status === 'error',
    at,
  }
}

function write(message: Message, losses: Losses): JsonRecord[] {
  const results = message.results.map((result) => writeResult(result, losses))
  const { role } = message
  if (role === 'tool') return results
  const name = message.speaker === undefined ? {} : { name: message.speaker }
  if (role === 'system' || role === 'developer')
    return [{ type: 'system', content: systemText(message, losses), ...name }]
  const parts = message.blocks.flatMap((block) => writePart(block, message, losses))
  const calls =
    role === 'assistant'
      ? callsIn(message).map((call) => writeCall(call, placeOf(call, message), losses))
      : []
  if (parts.length === 0 && calls.length === 0) {
    losses.empty(message)
    return results
  }
  const type = role === 'assistant' ? 'ai' : 'human'
  const called = calls.length === 0 ? {} : { tool_calls: calls }
  return [{ type, content: textOrParts(parts), ...called, ...name }, ...results]
}

function writePart(block: Block, message: Message, losses: Losses): ({ type: string } & JsonRecord)[] {
  const at = placeOf(block, message)
  if (block.kind === 'call' && message.role === 'assistant') return []
  // Parts are passed to the provider unchanged, and only Anthropic is known to accept reasoning.
  const part = block.kind === 'reasoning' ? writeReasoning(block) : writeContent(block, at, losses)
  if (part === undefined) losses.block(at, block)
  return part === undefined ? [] : [part]
}

function writeContent(block: Block, at: number, losses: Losses): ({ type: string } & JsonRecord) | undefined {
  if (block.kind !== 'text' && block.kind !== 'file') return undefined
  const control = cacheControl(block.options)
  if (block.kind === 'text') {
    losses.options(at, block.options, CACHED)
    losses.refusal(at, block)
    return { type: 'text', text: block.text, ...control }
  }
  const part = writeFile(block)
  if (part === undefined) return undefined
  losses.options(at, block.options, CACHED)
  if (part.metadata === undefined) losses.fileName(at, block)
  return { ...part, ...control }
}

function writeFile(file: File): ({ type: string } & JsonRecord) | undefined {
  const { mediaType, name, text, url } = file
  const address = isImage(file) ? urlOf(file) : undefined
  if (address !== undefined) return { type: 'image_url', image_url: { url: address } }
  const type = /^(audio|video)\//.exec(mediaType)?.[1] ?? 'file'
  const named = name === undefined ? {} : { metadata: { filename: name } }
  if (text !== undefined) return { type, source_type: 'text', mime_type: mediaType, text, ...named }
  const data = dataOf(file)
  if (data !== undefined) return { type, source_type: 'base64', mime_type: mediaType, data, ...named }
  return url === undefined ? undefined : { type, source_type: 'url', mime_type: mediaType, url, ...named }
}

function writeCall(call: Call, at: number, losses: Losses): JsonRecord {
  losses.options(at, call.options)
  return { type: 'tool_call', id: call.id, name: call.name, args: inputObject(call, at, losses) }
}

function writeResult(result: Result, losses: Losses): JsonRecord {
  const { at, callId, isError, name, options } = result
  losses.options(at, options)
  const parts = textsAndFiles(result).flatMap((part) => {
    const own = writeContent(part, at, losses)
    if (own === undefined && part.kind === 'file') losses.file(at, part, ' in a result')
    return own ?? []
  })
  return {
    type: 'tool',
    tool_call_id: callId,
    content: textOrParts(parts),
    ...(name === undefined ? {} : { name }),
    ...(isError ? { status: 'error' } : {}),
  }
}
