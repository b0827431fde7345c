import { asRecord, asString, isRecord, type JsonRecord } from '../base/json.js'
import { cached } from './anthropic-options.js'
import { inputOf, inputText } from './call-input.js'
import { type Codec, type MessageAt, systemText } from './codec.js'
import { fileAt, fileWith, isImage, textIn, urlOf, withDetail, withName } from './file.js'
import type { Losses, ReadFields } from './lost.js'
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
  refusalBlocks,
  returned,
  said,
  type Text,
  textBlocks,
} from './neutral.js'
import { filesIn, textOrParts, textsAndFiles } from './result.js'
import { hasPart } from './signs.js'
import { OPENAI_TOKENS } from './token-rules.js'

/** Whether only this format has such a part. A refusal may also stand in a `message` item of the Responses API. */
function isOwnPart(type: string, { file }: JsonRecord, message: JsonRecord): boolean {
  if (type === 'refusal') return message.type !== 'message'
  return type === 'image_url' || (type === 'file' && isRecord(file))
}

/** OpenAI Chat Completions: a message per result, calls separate from the content, arguments as JSON text. */
export const openAiChat: Codec<'openai-chat'> = {
  format: 'openai-chat',
  title: 'OpenAI Chat',
  tokens: OPENAI_TOKENS,
  resultsApart: true,
  recognises: (message) => hasPart(message, (type, part) => isOwnPart(type, part, message)),
  accepts: ({ function_call: called, parts, role, tool_calls: calls }) =>
    !Array.isArray(parts) &&
    (role === 'tool' ||
      role === 'function' ||
      (typeof role === 'string' && (Array.isArray(calls) || isRecord(called)))),
  read: (messages, losses) => messages.flatMap((message) => read(message, losses)),
  write: (messages, losses) => ({ messages: messages.flatMap((message) => write(message, losses)) }),
  results: (results, losses) => results.map((result) => writeResult(result, losses)),
}

function read({ at, value: message }: MessageAt, losses: Losses): NeutralPiece[] {
  const { role, name } = message
  switch (role) {
    case 'system':
    case 'developer':
    case 'user':
      losses.unread(at, message, ['content', 'name'], 'a message')
      return [said(role, contentBlocks(message.content, at, losses), at, name)]
    case 'assistant':
      return [answered(assistantBlocks(message, at, losses), at, name)]
    case 'tool':
      return [returned(result(message, at, losses))]
    default:
      return losses.role(at, message)
  }
}

export const REASONING_FIELDS = ['reasoning_content', 'thinking', 'reasoning']

const ANSWER = [...REASONING_FIELDS, 'content', 'name', 'refusal', 'audio', 'function_call', 'tool_calls']

function assistantBlocks(message: JsonRecord, at: number, losses: Losses): Block[] {
  const reasoning = REASONING_FIELDS.flatMap((field) => textBlocks(message[field]))
  losses.unread(at, message, ANSWER, 'an answer')
  for (const field of ['audio', 'function_call']) {
    if (message[field] !== undefined && message[field] !== null) losses.add(at, field)
  }
  return [
    ...reasoning.map(({ text }): Block => ({ kind: 'reasoning', text })),
    ...contentBlocks(message.content, at, losses),
    ...refusalBlocks(message.refusal),
    ...losses.records(at, message.tool_calls, 'tool calls').flatMap((call) => readCall(call, at, losses)),
  ]
}

const READ: ReadFields = new Map([
  ['text', ['text', 'cache_control']],
  ['refusal', ['refusal']],
  ['image_url', ['image_url']],
  ['input_audio', ['input_audio']],
  ['file', ['file']],
])

/** Reads the parts of a message or a result. */
function contentBlocks(content: unknown, at: number, losses: Losses): (Text | File)[] {
  return losses.parts(at, content, 'content').flatMap((part): (Text | File)[] => {
    losses.unreadOf(at, part, READ)
    if (part.type === 'text') return textBlocks(part.text, cached(part).options)
    if (part.type === 'refusal') return refusalBlocks(part.refusal)
    const file = readFile(part)
    if (file !== undefined) return [file]
    return losses.part(at, part)
  })
}

export function readFile(part: JsonRecord): File | undefined {
  if (part.type === 'image_url') {
    const image = asRecord(part.image_url)
    const url = asString(image?.url) ?? asString(part.image_url)
    return url === undefined ? undefined : withDetail(fileAt(url, 'image/*'), image?.detail)
  }
  const audio = part.type === 'input_audio' ? asRecord(part.input_audio) : undefined
  const sound = asString(audio?.data)
  if (sound !== undefined) return fileWith(sound, `audio/${asString(audio?.format) ?? 'wav'}`)
  return part.type === 'file' ? attachedFile(asRecord(part.file)) : undefined
}

function attachedFile(file: JsonRecord | undefined): File | undefined {
  const id = asString(file?.file_id)
  if (id !== undefined) return withName({ kind: 'file', mediaType: '', openAiId: id }, file?.filename)
  const data = asString(file?.file_data)
  return data === undefined ? undefined : withName(fileAt(data), file?.filename)
}

export function readCall(call: JsonRecord, at: number, losses: Losses): Call[] {
  const id = asString(call.id) ?? ''
  const custom = asRecord(call.custom)
  const called = asRecord(call.function) ?? custom
  const name = asString(called?.name)
  if (called === undefined || name === undefined) {
    losses.add(at, `tool call of type ${JSON.stringify(call.type ?? null)}`)
    return []
  }
  const field = called === custom ? 'input' : 'arguments'
  losses.unread(at, call, ['function', 'custom', 'index'], 'a call')
  losses.unread(at, called, ['name', field], 'a call')
  const input = inputOf(called[field], called === custom ? 'free' : 'json')
  return [{ kind: 'call', id, name, input }]
}

function result(message: JsonRecord, at: number, losses: Losses): Result {
  const name = asString(message.name)
  losses.unread(at, message, ['content', 'name', 'tool_call_id'], 'a result')
  return {
    callId: asString(message.tool_call_id) ?? '',
    ...(name === undefined ? {} : { name }),
    parts: contentBlocks(message.content, at, losses),
    isError: message.is_error === true,
    at,
  }
}

function write(message: Message, losses: Losses): JsonRecord[] {
  const { role, results } = message
  if (role === 'tool') return answersTo(results, losses)
  if (role === 'assistant') return [...assistant(message, losses), ...answersTo(results, losses)]
  const name = message.speaker === undefined ? {} : { name: message.speaker }
  if (role !== 'user') return [{ role, content: systemText(message, losses), ...name }]
  const parts = message.blocks.flatMap((block) => userPart(block, message.at, losses))
  if (parts.length > 0) return [{ role, content: textOrParts(parts), ...name }]
  losses.empty(message)
  return []
}

function assistant(message: Message, losses: Losses): JsonRecord[] {
  const { blocks, speaker } = message
  const parts = blocks.flatMap((block) => {
    const at = placeOf(block, message)
    if (block.kind === 'text') return [textPart(block, at, losses)]
    return block.kind === 'call' ? [] : losses.block(at, block)
  })
  const calls = callsIn(message).map((call) => writeCall(call, placeOf(call, message), losses))
  if (parts.length === 0 && calls.length === 0) {
    losses.empty(message)
    return []
  }
  return [
    {
      role: 'assistant',
      content: parts.length === 0 ? null : textOrParts(parts),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(speaker === undefined ? {} : { name: speaker }),
    },
  ]
}

function textPart(
  { text, refusal, options }: Text,
  at: number,
  losses: Losses,
): { type: string } & JsonRecord {
  losses.options(at, options)
  return refusal === true ? { type: 'refusal', refusal: text } : { type: 'text', text }
}

function writeCall(call: Call, at: number, losses: Losses): JsonRecord {
  losses.options(at, call.options)
  const { id, name, input } = call
  if (input.form === 'free') return { id, type: 'custom', custom: { name, input: input.text } }
  return { id, type: 'function', function: { name, arguments: inputText(call, at) } }
}

/**
 * Writes the results of an answer. Chat results contain only text, so files are moved to a user message after
 * all results.
 */
function answersTo(results: readonly Result[], losses: Losses): JsonRecord[] {
  const besides = results.flatMap((each) => filesIn(each).flatMap((file) => fileBeside(file, each, losses)))
  const messages = results.map((each) => writeResult(each, losses))
  return besides.length === 0 ? messages : [...messages, { role: 'user', content: besides }]
}

function fileBeside(file: File, { at, callId }: Result, losses: Losses): JsonRecord[] {
  const part = filePart(file, at, losses)
  if (part === undefined) return []
  const image = isImage(file)
  losses.add(at, `place of ${image ? 'an image' : 'a file'} in a result (now in the user message behind it)`)
  return [{ type: 'text', text: `${image ? 'Image' : 'File'} from the result of ${callId}:` }, part]
}

function writeResult(each: Result, losses: Losses): JsonRecord {
  if (each.isError) losses.add(each.at, 'mark of a failed result (is_error)')
  losses.options(each.at, each.options)
  const texts = textsAndFiles(each).filter((part) => part.kind === 'text')
  const parts = texts.map((text) => textPart(text, each.at, losses))
  return { role: 'tool', tool_call_id: each.callId, content: textOrParts(parts) }
}

function userPart(block: Block, at: number, losses: Losses): ({ type: string } & JsonRecord)[] {
  if (block.kind === 'text') return [textPart(block, at, losses)]
  if (block.kind !== 'file') {
    return losses.block(at, block)
  }
  losses.options(at, block.options)
  const part = filePart(block, at, losses)
  return part === undefined ? [] : [part]
}

function filePart(file: File, at: number, losses: Losses): ({ type: string } & JsonRecord) | undefined {
  const { data, mediaType, name, openAiId } = file
  const named = name === undefined ? {} : { filename: name }
  if (openAiId !== undefined && !isImage(file)) return { type: 'file', file: { file_id: openAiId, ...named } }
  if (mediaType === 'application/pdf' && data !== undefined)
    return { type: 'file', file: { filename: name ?? 'document.pdf', file_data: urlOf(file) } }
  const part = namelessPart(file)
  if (part === undefined) losses.file(at, file)
  else losses.fileName(at, file)
  return part
}

/** The parts in which a file has no name. */
function namelessPart(file: File): ({ type: string } & JsonRecord) | undefined {
  const text = textIn(file)
  if (text !== undefined) return { type: 'text', text }
  const url = isImage(file) ? urlOf(file) : undefined
  const { detail } = file
  if (url !== undefined) return { type: 'image_url', image_url: { url, ...(detail && { detail }) } }
  const format = /^audio\/(wav|mp3)$/.exec(file.mediaType)?.[1]
  if (format === undefined || file.data === undefined) return undefined
  return { type: 'input_audio', input_audio: { data: file.data, format } }
}
