import { asRecord, asString, isRecord, type JsonRecord } from '../base/json.js'
import { Approvals, DENIED, reasonOf, writeRequest, writeResponses } from './approvals.js'
import { inputObject, jsonText } from './call-input.js'
import { type Codec, type MessageAt, textOf } from './codec.js'
import { dataOf, fileAt, fileOf, isImage, withName } from './file.js'
import type { Losses, ReadFields } from './lost.js'
import {
  answered,
  type Block,
  type File,
  type Message,
  type NeutralPiece,
  placeOf,
  type Result,
  type ResultPart,
  returned,
  type ServerTool,
  said,
  textBlocks,
  withOptions,
} from './neutral.js'
import { hasPart } from './signs.js'
import { ANY_TOKENS } from './token-rules.js'

const PARTS = new Set([
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'tool-approval-response',
  'reasoning',
])

/** Whether only this format has such a part. */
function isOwnPart(type: string, { file, image, mediaType, source }: JsonRecord): boolean {
  if (type === 'image') return !isRecord(source) && image !== undefined
  return PARTS.has(type) || (type === 'file' && !isRecord(file) && mediaType !== undefined)
}

/**
 * AI SDK `ModelMessage`: content in parts; a tool message with the results; provider settings in
 * `providerOptions`.
 */
export const aiSdk: Codec<'ai-sdk'> = {
  format: 'ai-sdk',
  title: 'AI SDK ModelMessage',
  tokens: ANY_TOKENS,
  resultsApart: false,
  approvals: true,
  recognises: (message) => hasPart(message, isOwnPart),
  read: (messages, losses) => {
    const approvals = new Approvals(messages)
    return messages.flatMap((message) => read(message, approvals, losses))
  },
  write: (messages, losses) => ({ messages: messages.flatMap((message) => write(message, losses)) }),
  results,
}

function read({ at, value: message }: MessageAt, approvals: Approvals, losses: Losses): NeutralPiece[] {
  const { content, role } = message
  losses.unread(at, message, ['content', 'providerOptions'], 'a message')
  const parts = losses.parts(at, content, 'content')
  if (role === 'tool') return parts.flatMap((part) => readToolPart(part, approvals, at, losses))
  if (role !== 'system' && role !== 'user' && role !== 'assistant') return losses.role(at, message)
  const blocks = withServerResults(parts, role, at, losses)
  if (role === 'assistant') approvals.attach(parts, blocks, at, losses)
  const last = blocks.at(-1)
  if (last !== undefined)
    Object.assign(last, withOptions({ ...asRecord(message.providerOptions), ...last.options }))
  return [role === 'assistant' ? answered(blocks, at) : said(role, blocks, at)]
}

/**
 * Reads the parts of a message. A result in an assistant message is the provider's own, for a call that the
 * provider ran.
 */
function withServerResults(parts: readonly JsonRecord[], role: unknown, at: number, losses: Losses): Block[] {
  const blocks = parts.flatMap((part) => readPart(part, role, at, losses))
  for (const part of parts) {
    if (part.type !== 'tool-result') continue
    const isCall = (block: Block): block is ServerTool =>
      block.kind === 'server-tool' && block.id === part.toolCallId
    const call = blocks.find(isCall)
    if (call !== undefined) call.result = readResult(part, at, losses)
    else losses.add(at, 'result of a server-side tool')
  }
  return blocks
}

const READ: ReadFields = new Map([
  ['text', ['text', 'providerOptions']],
  ['reasoning', ['text', 'providerOptions']],
  ['tool-call', ['toolCallId', 'toolName', 'input', 'title', 'providerOptions']],
  ['tool-result', ['toolCallId', 'toolName', 'output', 'providerOptions']],
  ['tool-approval-request', ['approvalId', 'toolCallId', 'reason', 'signature', 'inputSchemaInput']],
  ['tool-approval-response', ['approvalId', 'reason']],
  ['image', ['image', 'mediaType', 'filename', 'providerOptions']],
  ['file', ['data', 'mediaType', 'filename', 'providerOptions']],
])

function readPart(part: JsonRecord, role: unknown, at: number, losses: Losses): Block[] {
  losses.unreadOf(at, part, READ)
  const options = withOptions(part.providerOptions)
  switch (part.type) {
    case 'text':
      return textBlocks(part.text).map((text) => ({ ...text, ...options }))
    case 'reasoning':
      return [{ kind: 'reasoning', text: asString(part.text) ?? '', ...options }]
    case 'tool-call': {
      const called = { id: asString(part.toolCallId) ?? '', name: asString(part.toolName) ?? '', ...options }
      if (part.providerExecuted === true) return [{ kind: 'server-tool', ...called, input: part.input }]
      return [{ kind: 'call', ...called, input: { form: 'value', value: part.input } }]
    }
    case 'tool-result':
      return []
    case 'tool-approval-request':
      return role === 'assistant' ? [] : losses.part(at, part)
    case 'image':
    case 'file': {
      const file = readFile(part)
      if (file !== undefined) return [{ ...file, ...options }]
    }
  }
  return losses.part(at, part)
}

function readFile(part: JsonRecord): File | undefined {
  const isPicture = part.type === 'image'
  const mediaType = asString(part.mediaType) ?? (isPicture ? 'image/*' : '')
  const file = fileIn(isPicture ? part.image : part.data, mediaType)
  return file === undefined ? undefined : withName(file, part.filename)
}

/** Version 7 says of the data of a file what it is. */
function fileIn(data: unknown, mediaType: string): File | undefined {
  const { text, type, url } = asRecord(data) ?? {}
  if (type === 'text' && typeof text === 'string')
    return { kind: 'file', mediaType: mediaType || 'text/plain', text }
  if (type === 'url' && typeof url === 'string') return fileAt(url, mediaType)
  return fileOf(type === 'url' ? url : type === 'data' ? asRecord(data)?.data : data, mediaType)
}

function readToolPart(part: JsonRecord, approvals: Approvals, at: number, losses: Losses): NeutralPiece[] {
  losses.unreadOf(at, part, READ)
  if (part.type === 'tool-result') return [returned(readResult(part, at, losses))]
  if (part.type === 'tool-approval-response' && approvals.isKnown(part)) return []
  return losses.part(at, part)
}

/** Early versions, and tools' own values, stand there bare. */
function outputOf(output: unknown): JsonRecord {
  if (isRecord(output) && typeof output.type === 'string') return output
  return { type: typeof output === 'string' ? 'text' : 'json', value: output }
}

function readResult(part: JsonRecord, at: number, losses: Losses): Result {
  const output = outputOf(part.output)
  losses.unread(at, output, ['value', 'reason', 'providerOptions'], 'an output')
  const name = asString(part.toolName)
  const options = { ...asRecord(output.providerOptions), ...asRecord(part.providerOptions) }
  return {
    callId: asString(part.toolCallId) ?? '',
    ...(name === undefined ? {} : { name }),
    parts: readOutput(output, at, losses),
    isError: /^(?:error|execution)-/.test(asString(output.type) ?? ''),
    ...(output.type === 'execution-denied' ? { denied: true } : {}),
    at,
    ...withOptions(options),
  }
}

/** Converts the return value of a tool: a string becomes text, anything else JSON. */
export function valueParts(value: unknown): ResultPart[] {
  return typeof value === 'string' ? textBlocks(value) : [{ kind: 'json', value: value ?? null }]
}

function readOutput(output: JsonRecord, at: number, losses: Losses): ResultPart[] {
  if (output.type === 'content')
    return losses
      .parts(at, output.value, 'content of a result')
      .flatMap((part) => readOutputPart(part, at, losses))
  if (output.type !== 'execution-denied') return valueParts(output.value)
  return textBlocks(asString(output.reason) ?? DENIED)
}

function readOutputPart(part: JsonRecord, at: number, losses: Losses): ResultPart[] {
  const type = asString(part.type) ?? ''
  const options = withOptions(part.providerOptions)
  const held = type === 'text' ? ['text'] : [part.url === undefined ? 'data' : 'url', 'filename', 'mediaType']
  losses.unread(at, part, [...held, 'providerOptions'], `content of type ${JSON.stringify(type)} in a result`)
  if (type === 'text') return textBlocks(part.text).map((text) => ({ ...text, ...options }))
  const mediaType = asString(part.mediaType) ?? (type.startsWith('image') ? 'image/*' : '')
  const url = asString(part.url)
  const file = url === undefined ? fileIn(part.data, mediaType) : fileAt(url, mediaType)
  if (file !== undefined) return [{ ...withName(file, part.filename), ...options }]
  losses.add(at, `content of type ${JSON.stringify(type)} in a result`)
  return []
}

function write(message: Message, losses: Losses): JsonRecord[] {
  losses.speaker(message)
  const tool = toolMessage([...writeResponses(message), ...resultParts(message.results, losses)])
  if (message.role === 'tool') return tool
  if (message.role === 'system' || message.role === 'developer') return [writeSystem(message, losses)]
  const own = message.blocks.flatMap((block) => writeBlock(block, message, losses))
  if (own.length > 0) return [{ role: message.role, content: plain(own) }, ...tool]
  losses.empty(message)
  return tool
}

function results(list: readonly Result[], losses: Losses): JsonRecord[] {
  return toolMessage(resultParts(list, losses))
}

function resultParts(list: readonly Result[], losses: Losses): JsonRecord[] {
  return list.map((result) => writeResult(result, losses))
}

function toolMessage(parts: readonly JsonRecord[]): JsonRecord[] {
  return parts.length === 0 ? [] : [{ role: 'tool', content: parts }]
}

function writeSystem(message: Message, losses: Losses): JsonRecord {
  for (const block of message.blocks) if (block.kind !== 'text') losses.block(message.at, block)
  const options = message.blocks.findLast((block) => block.options !== undefined)?.options
  return { role: 'system', content: textOf(message), ...providerOptions(options) }
}

function plain(parts: readonly JsonRecord[]): unknown {
  const [only] = parts
  const isText = parts.length === 1 && only?.type === 'text' && only.providerOptions === undefined
  return isText ? only.text : parts
}

function providerOptions(options: JsonRecord | undefined): JsonRecord {
  return options === undefined ? {} : { providerOptions: options }
}

function writeBlock(block: Block, message: Message, losses: Losses): JsonRecord[] {
  const at = placeOf(block, message)
  const options = providerOptions(block.options)
  if (block.kind === 'text') {
    losses.refusal(at, block)
    return [{ type: 'text', text: block.text, ...options }]
  }
  if (block.kind === 'file') {
    const part = writeFile(block, message)
    if (part === undefined) losses.file(at, block)
    return part === undefined ? [] : [{ ...part, ...options }]
  }
  if (message.role !== 'assistant') return losses.block(at, block)
  if (block.kind === 'reasoning') return [{ type: 'reasoning', text: block.text, ...options }]
  const called = { type: 'tool-call', toolCallId: block.id, toolName: block.name }
  const asked = block.approval === undefined ? [] : [writeRequest(block.approval, block.id)]
  if (block.kind === 'call')
    return [{ ...called, input: inputObject(block, at, losses), ...options }, ...asked]
  const ran = { ...called, input: block.input, providerExecuted: true, ...options }
  return block.result === undefined
    ? [ran, ...asked]
    : [ran, ...asked, writeResult({ ...block.result, name: block.name }, losses)]
}

/** An image has a part of its own only where it is the user's and has no name. */
function writeFile(file: File, { role }: Message): JsonRecord | undefined {
  const { mediaType, name, url } = file
  const data = dataOf(file) ?? url
  if (data === undefined) return undefined
  if (isImage(file) && role === 'user' && name === undefined) return { type: 'image', image: data, mediaType }
  if (mediaType === '') return undefined
  return { type: 'file', data, mediaType, ...(name === undefined ? {} : { filename: name }) }
}

function writeResult(result: Result, losses: Losses): JsonRecord {
  const { callId, name, options } = result
  const output = writeOutput(result, losses)
  return {
    type: 'tool-result',
    toolCallId: callId,
    toolName: name ?? '',
    output,
    ...providerOptions(options),
  }
}

function writeOutput(result: Result, losses: Losses): JsonRecord {
  const { at, denied, isError, parts } = result
  const [only] = parts
  if (denied === true && parts.every(({ kind }) => kind === 'text')) {
    const reason = reasonOf(result)
    return { type: 'execution-denied', ...(reason === undefined ? {} : { reason }) }
  }
  if (only === undefined) return { type: isError ? 'error-text' : 'text', value: '' }
  if (parts.length === 1 && only.kind === 'json')
    return { type: isError ? 'error-json' : 'json', value: only.value ?? null }
  if (parts.length === 1 && only.kind === 'text' && only.options === undefined)
    return { type: isError ? 'error-text' : 'text', value: only.text }
  if (isError) losses.add(at, 'mark of a failed result (is_error)')
  return { type: 'content', value: parts.flatMap((part) => writeOutputPart(part, at, losses)) }
}

/** Writes the types that versions 6 and 7 accept. */
function writeOutputPart(part: ResultPart, at: number, losses: Losses): JsonRecord[] {
  if (part.kind === 'json') return [{ type: 'text', text: jsonText(part.value, at) }]
  const options = providerOptions(part.options)
  if (part.kind === 'text') return [{ type: 'text', text: part.text, ...options }]
  const data = dataOf(part)
  const mediaType = part.mediaType === '' ? 'application/octet-stream' : part.mediaType
  if (data !== undefined && !isImage(part)) {
    const named = part.name === undefined ? {} : { filename: part.name }
    return [{ type: 'file-data', data, mediaType, ...named, ...options }]
  }
  if (data !== undefined || part.url !== undefined) losses.fileName(at, part)
  if (data !== undefined) return [{ type: 'image-data', data, mediaType, ...options }]
  if (part.url !== undefined)
    return [{ type: isImage(part) ? 'image-url' : 'file-url', url: part.url, ...options }]
  losses.file(at, part, ' in a result')
  return []
}
