import { asRecord, asString, isBlank, isRecord, type JsonRecord, recordsOf } from '../base/json.js'
import { CACHED, cacheControl, cached, readReasoning, writeReasoning } from './anthropic-options.js'
import type { Arranged } from './arrange.js'
import { inputObject } from './call-input.js'
import { type Codec, type MessageAt, takeSystem, textOf, type Written } from './codec.js'
import { fileAt, fileWith, isImage, known, textIn, withName } from './file.js'
import type { Losses, ReadFields } from './lost.js'
import {
  answered,
  type Block,
  type File,
  type Message,
  type NeutralPiece,
  placeOf,
  type Result,
  returned,
  said,
  type Text,
  textBlocks,
} from './neutral.js'
import { toAnthropicMessages } from './provider-messages.js'
import { textOrParts, textsAndFiles } from './result.js'
import { hasPart } from './signs.js'
import { CLAUDE_TOKENS } from './token-rules.js'

/** Blocks that only this format has. */
const PARTS = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'document',
  'server_tool_use',
])

/**
 * Anthropic Messages: content in blocks; all results of an answer are in the following user message; the
 * system prompt is separate.
 */
export const anthropic: Codec<'anthropic'> = {
  format: 'anthropic',
  title: 'Anthropic',
  tokens: CLAUDE_TOKENS,
  resultsApart: false,
  recognises: (message) =>
    hasPart(message, (type, { source }) => PARTS.has(type) || (type === 'image' && isRecord(source))),
  read: (messages, losses) => messages.flatMap((message) => read(message, losses)),
  write,
  results: (results, losses) => [
    { role: 'user', content: results.map((result) => notBlank(writeResult(result, losses))) },
  ],
  cleanId: (id) => id.replace(/[^a-zA-Z0-9_-]/g, '_'),
}

function read({ at, value: message }: MessageAt, losses: Losses): NeutralPiece[] {
  const { role, content } = message
  losses.unread(at, message, ['content'], 'a message')
  const blocks = losses.parts(at, content, 'content')
  if (role === 'assistant') return [answered(readBlocks(blocks, at, losses), at)]
  if (role === 'system') return [said('system', readBlocks(blocks, at, losses), at)]
  if (role === 'user') return user(blocks, at, losses)
  return losses.role(at, message)
}

function user(blocks: readonly JsonRecord[], at: number, losses: Losses): NeutralPiece[] {
  const results = blocks.filter(({ type }) => type === 'tool_result')
  const others = blocks.filter(({ type }) => type !== 'tool_result')
  const pieces = results.map((block) => returned(readResult(block, at, losses)))
  const own = readBlocks(others, at, losses)
  return own.length === 0 && results.length > 0 ? pieces : [...pieces, said('user', own, at)]
}

function readBlocks(blocks: readonly JsonRecord[], at: number, losses: Losses): Block[] {
  return blocks.flatMap((block): Block[] => {
    losses.unreadOf(at, block, READ, 'block')
    if (block.type === 'tool_use') {
      const called = { id: asString(block.id) ?? '', name: asString(block.name) ?? '' }
      return [{ kind: 'call', ...called, input: { form: 'value', value: block.input }, ...cached(block) }]
    }
    if (block.type === 'thinking' || block.type === 'redacted_thinking')
      return [readReasoning(block, block.thinking)]
    const content = readContent(block, at, losses)
    if (content === undefined) losses.content(at, `block of type ${JSON.stringify(block.type ?? null)}`)
    return content ?? []
  })
}

const READ: ReadFields = new Map([
  ['tool_use', ['name', 'input', 'cache_control']],
  ['tool_result', ['tool_use_id', 'name', 'content', 'is_error', 'cache_control']],
  ['thinking', ['thinking', 'signature']],
  ['redacted_thinking', ['data']],
  ['text', ['text', 'citations', 'cache_control']],
  ['search_result', ['title', 'source', 'content']],
  ['image', ['source', 'title', 'cache_control']],
  ['document', ['source', 'title', 'cache_control']],
  ['container_upload', ['file_id', 'cache_control']],
])

/** Reads content that both messages and results can contain. */
function readContent(block: JsonRecord, at: number, losses: Losses): (Text | File)[] | undefined {
  if (block.type === 'text') {
    if (recordsOf(block.citations).length > 0) losses.add(at, 'citations')
    return textBlocks(block.text, cached(block).options)
  }
  if (block.type === 'search_result') {
    losses.add(at, 'form of a search result (now text)')
    const inside = losses.parts(at, block.content, 'content')
    const texts = [block.title, block.source, ...inside.map(({ text }) => text)]
    for (const part of inside) losses.unread(at, part, ['text'], 'a search result')
    return textBlocks(texts.filter((text) => typeof text === 'string').join('\n'))
  }
  const file = readFile(block)
  if (file === undefined) return undefined
  // A document may be a list of blocks.
  for (const part of recordsOf(asRecord(block.source)?.content))
    losses.unread(at, part, ['text'], 'a block of a document')
  return [{ ...file, ...cached(block) }]
}

export function readFile({ source: from, title, type }: JsonRecord): File | undefined {
  if (type === 'container_upload') return { kind: 'file', mediaType: '' }
  const source = asRecord(from)
  if (source === undefined || (type !== 'image' && type !== 'document')) return undefined
  const id = source.type === 'file' ? asString(source.file_id) : undefined
  if (id !== undefined)
    return withName({ kind: 'file', mediaType: type === 'image' ? 'image/*' : '', anthropicId: id }, title)
  const mediaType = asString(source.media_type) ?? (type === 'image' ? 'image/*' : 'application/pdf')
  const data = asString(source.data)
  const url = asString(source.url)
  if (source.type === 'base64' && data !== undefined) return withName(fileWith(data, mediaType), title)
  if (source.type === 'url' && url !== undefined) return withName(fileAt(url, mediaType), title)
  const text =
    source.type === 'content'
      ? (asString(source.content) ??
        recordsOf(source.content)
          .map((block) => asString(block.text) ?? '')
          .join('\n'))
      : data
  if ((source.type !== 'text' && source.type !== 'content') || text === undefined) return undefined
  return withName({ kind: 'file', mediaType: 'text/plain', text }, title)
}

function readResult(block: JsonRecord, at: number, losses: Losses): Result {
  losses.unreadOf(at, block, READ, 'block')
  const parts = losses.parts(at, block.content, 'content of a result').flatMap((item) => {
    losses.unreadOf(at, item, READ, 'block')
    const content = readContent(item, at, losses)
    if (content === undefined)
      losses.add(at, `content of type ${JSON.stringify(item.type ?? null)} in a result`)
    return content ?? []
  })
  return {
    callId: asString(block.tool_use_id) ?? '',
    parts,
    isError: block.is_error === true,
    at,
    ...cached(block),
  }
}

type Item = Arranged<JsonRecord[], JsonRecord, string | JsonRecord[]>

function write(messages: readonly Message[], losses: Losses): Written {
  const { system, others } = takeSystem(messages, losses, 'Anthropic')
  const items = others.flatMap((message) => writeMessage(message, losses))
  return { messages: toAnthropicMessages(items), ...(system === undefined ? {} : { system }) }
}

function writeMessage(message: Message, losses: Losses): Item[] {
  losses.speaker(message)
  const results = message.results.map((result) => writeResult(result, losses))
  if (message.role === 'tool') return results.map((value) => ({ kind: 'orphan', value }))
  const blocks = message.blocks.flatMap((block) => writeBlock(block, message, losses))
  if (blocks.length === 0) {
    losses.empty(message)
    return []
  }
  if (message.role !== 'assistant') {
    const isText = message.blocks.every((block) => block.kind === 'text' && block.options === undefined)
    return [{ kind: 'other', value: isText && blocks.length === 1 ? textOf(message) : blocks }]
  }
  const value = withCallsLast(blocks)
  return [{ kind: 'assistant', value, results, at: message.at }]
}

/** Anthropic rejects a blank text. */
function notBlank(block: JsonRecord): JsonRecord {
  return typeof block.content === 'string' && isBlank(block.content)
    ? { ...block, content: '(empty)' }
    : block
}

/** Moves calls to the end: results must directly follow the calls, so no text may be in between. */
function withCallsLast(blocks: readonly JsonRecord[]): JsonRecord[] {
  const isCall = (block: JsonRecord): boolean => block.type === 'tool_use'
  return [...blocks.filter((block) => !isCall(block)), ...blocks.filter(isCall)]
}

function writeBlock(block: Block, message: Message, losses: Losses): JsonRecord[] {
  const at = placeOf(block, message)
  const { role } = message
  const isOwn = role === 'assistant' ? block.kind !== 'file' : block.kind === 'text' || block.kind === 'file'
  if (isOwn && (block.kind === 'text' || block.kind === 'file')) return writeContent(block, at, losses)
  if (isOwn && block.kind === 'call') {
    const { id, name, options } = block
    losses.options(at, options, CACHED)
    return [{ type: 'tool_use', id, name, input: inputObject(block, at, losses), ...cacheControl(options) }]
  }
  if (isOwn && block.kind === 'reasoning') {
    const own = writeReasoning(block)
    if (own !== undefined && hasMoreBehind(block, message)) return [own]
  }
  return losses.block(at, block)
}

/** Whether text or a call follows: an answer must not end in reasoning. */
function hasMoreBehind(block: Block, { blocks }: Message): boolean {
  const behind = blocks.slice(blocks.indexOf(block) + 1)
  return (
    blocks.some(({ kind }) => kind === 'call') ||
    behind.some((next) => next.kind === 'text' && !isBlank(next.text))
  )
}

function writeContent(block: Text | File, at: number, losses: Losses): ({ type: string } & JsonRecord)[] {
  losses.options(at, block.options, CACHED)
  const control = cacheControl(block.options)
  if (block.kind === 'text') {
    losses.refusal(at, block)
    return isBlank(block.text) ? [] : [{ type: 'text', text: block.text, ...control }]
  }
  const source = sourceOf(block)
  if (source === undefined) {
    losses.file(at, block)
    return []
  }
  if (isImage(block)) {
    losses.fileName(at, block)
    return [{ type: 'image', source, ...control }]
  }
  return [
    { type: 'document', source, ...(block.name === undefined ? {} : { title: block.name }), ...control },
  ]
}

const IMAGE_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

function sourceOf(file: File): JsonRecord | undefined {
  const { anthropicId, data, mediaType, url } = file
  if (anthropicId !== undefined) return { type: 'file', file_id: anthropicId }
  const text = textIn(file)
  if (text !== undefined && !isBlank(text)) return { type: 'text', media_type: 'text/plain', data: text }
  const isTaken = isImage(file)
    ? IMAGE_TYPES.has(mediaType) || known(mediaType) === undefined
    : mediaType === 'application/pdf'
  if (!isTaken) return undefined
  if (data !== undefined) return { type: 'base64', media_type: known(mediaType) ?? 'image/png', data }
  return url !== undefined && /^https?:/i.test(url) ? { type: 'url', url } : undefined
}

function writeResult(result: Result, losses: Losses): JsonRecord {
  const { at, callId, isError, options } = result
  losses.options(at, options, CACHED)
  const parts = textsAndFiles(result)
  const [only] = parts
  // A blank text is accepted as the whole content, but not as a block.
  const isBare = parts.length === 1 && only?.kind === 'text' && only.options === undefined
  const content = isBare ? only.text : textOrParts(parts.flatMap((part) => writeContent(part, at, losses)))
  return {
    type: 'tool_result',
    tool_use_id: callId,
    content,
    ...(isError ? { is_error: true } : {}),
    ...cacheControl(options),
  }
}
