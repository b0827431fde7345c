import { asArray, asRecord, asString, isArray, type JsonRecord, recordsOf } from '../base/json.js'
import { inputOf, inputText } from './call-input.js'
import { type Codec, type MessageAt, systemText } from './codec.js'
import { fileAt, fileWith, isImage, textIn, urlOf, withDetail, withName } from './file.js'
import type { Losses, ReadFields } from './lost.js'
import {
  answered,
  type Block,
  type Call,
  type CallInput,
  type File,
  type Message,
  type NeutralPiece,
  type Reasoning,
  type Result,
  refusalBlocks,
  returned,
  said,
  type Text,
  textBlocks,
  withOptions,
} from './neutral.js'
import { textsAndFiles } from './result.js'
import { hasPart, unknownRole } from './signs.js'
import { OPENAI_TOKENS } from './token-rules.js'

const PARTS = new Set(['input_text', 'output_text', 'input_image', 'input_file'])

const OTHER_ITEMS = new Set([
  'item_reference',
  'compaction',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
])

/** Whether a value is an item other than a message; those have roles, as in other formats. */
function isItem(item: JsonRecord): boolean {
  if (typeof item.role === 'string' || Array.isArray(item.parts)) return false
  return isBareItem(item) || OTHER_ITEMS.has(asString(item.type) ?? '')
}

/** Whether a value is an item by its type, such as a session file may contain without an envelope. */
export function isBareItem(value: JsonRecord): boolean {
  const type = asString(value.type) ?? ''
  if (type === 'message') return typeof value.role === 'string' && !('message' in value)
  return type === 'reasoning' || type.endsWith('_call') || type.endsWith('_output')
}

/**
 * OpenAI Responses: a list of items. Consecutive items of the model, up to the host's next item, are one
 * answer.
 */
export const openAiResponses: Codec<'openai-responses'> = {
  format: 'openai-responses',
  title: 'OpenAI Responses',
  tokens: OPENAI_TOKENS,
  resultsApart: true,
  recognises: (message) => isItem(message) || hasPart(message, (type) => PARTS.has(type)),
  misfit: (message) =>
    unknownRole(message) === undefined || typeof message.type === 'string'
      ? undefined
      : 'no item of the Responses API',
  read,
  write: (messages, losses) => ({ messages: messages.flatMap((message) => write(message, losses)) }),
  results: (results, losses) => results.map((result) => writeResult(result, losses)),
}

/** A block with the position of its item. */
type Placed = Block & { at: number }

function read(items: readonly MessageAt[], losses: Losses): NeutralPiece[] {
  const pieces: NeutralPiece[] = []
  let answer: { blocks: Placed[]; at: number } | undefined
  const close = (): void => {
    if (answer !== undefined) pieces.push(answered(answer.blocks, answer.at))
    answer = undefined
  }
  for (const { at, value: item } of items) {
    const type = asString(item.type) ?? 'message'
    unread(item, type, at, losses)
    if (isResult(type)) {
      close()
      pieces.push(returned(readResult(item, type, at, losses)))
    } else if (type === 'message' && item.role !== 'assistant') {
      close()
      const role = item.role === 'system' || item.role === 'developer' ? item.role : 'user'
      pieces.push(said(role, readParts(item.content, at, losses), at))
    } else {
      answer ??= { blocks: [], at }
      const blocks = readItem(item, type, at, losses)
      if (blocks.length === 0) dropThoughts(answer.blocks, losses)
      for (const block of blocks) answer.blocks.push({ ...block, at })
    }
  }
  close()
  return pieces
}

/** Drops the reasoning before a lost item: it led to that item, and OpenAI accepts it before no other. */
function dropThoughts(blocks: Placed[], losses: Losses): void {
  for (let last = blocks.at(-1); last?.kind === 'reasoning'; last = blocks.at(-1)) {
    blocks.pop()
    losses.block(last.at, last)
  }
}

const READ: ReadFields = new Map([
  ['message', ['content']],
  ['reasoning', ['summary', 'content', 'encrypted_content']],
  ['function_call', ['call_id', 'name', 'arguments']],
  ['custom_tool_call', ['call_id', 'name', 'input']],
  ['local_shell_call', ['call_id', 'action']],
  ['shell_call', ['call_id', 'action']],
  ['computer_call', ['call_id', 'action', 'actions']],
  ['apply_patch_call', ['call_id', 'operation']],
])

/** Whether an item is the result of a call that is read: `tool_search_output` and new types are none. */
const isResult = (type: string): boolean =>
  type.endsWith('_call_output') && READ.has(type.slice(0, -'_output'.length))

/** An item of a kind that is not read is named as a whole. */
function unread(item: JsonRecord, type: string, at: number, losses: Losses): void {
  const read = isResult(type) ? ['call_id', 'output'] : READ.get(type)
  if (read !== undefined) losses.unread(at, item, read, `an item of type ${JSON.stringify(type)}`)
}

/** Reads an item of the model. */
function readItem(item: JsonRecord, type: string, at: number, losses: Losses): Block[] {
  if (type === 'message') return readParts(item.content, at, losses)
  if (type === 'reasoning') return [readReasoning(item, at, losses)]
  const called = readInput(item, type)
  if (called === undefined) {
    losses.add(at, `item of type ${JSON.stringify(type)}`)
    return []
  }
  const [name, input] = called
  if (item.name === undefined) losses.add(at, `form of a ${type} (now a call of the tool "${name}")`)
  return [{ kind: 'call', id: asString(item.call_id) ?? asString(item.id) ?? '', name, input }]
}

function readInput(item: JsonRecord, type: string): [string, CallInput] | undefined {
  const name = asString(item.name) ?? ''
  switch (type) {
    case 'function_call':
      return [name, inputOf(item.arguments, 'json')]
    case 'custom_tool_call':
      return [name, inputOf(item.input, 'free')]
    case 'local_shell_call':
    case 'shell_call':
    case 'computer_call':
      return [type.slice(0, -'_call'.length), { form: 'value', value: item.action ?? actions(item) }]
    case 'apply_patch_call':
      return ['apply_patch', { form: 'value', value: item.operation }]
    default:
      return undefined
  }
}

/** Newer models ask for several at once. */
function actions({ actions: list }: JsonRecord): JsonRecord | undefined {
  return list === undefined ? undefined : { actions: list }
}

function readReasoning(item: JsonRecord, at: number, losses: Losses): Reasoning {
  const { id, summary, content, encrypted_content: encrypted } = item
  const parts = [...losses.parts(at, summary, 'a summary'), ...losses.parts(at, content, 'content')]
  for (const part of parts) losses.unread(at, part, ['text'], 'reasoning')
  const texts = parts.map(({ text }) => asString(text) ?? '')
  const openai = {
    ...(id === undefined ? {} : { itemId: id }),
    ...(typeof encrypted === 'string' ? { reasoningEncryptedContent: encrypted } : {}),
  }
  const options = Object.keys(openai).length === 0 ? undefined : { openai }
  return { kind: 'reasoning', text: texts.join('\n\n'), ...withOptions(options) }
}

/** The fields of a part that hold what is read of it. */
function fieldsOf(part: JsonRecord): string[] {
  if (part.type === 'refusal') return ['refusal']
  if (typeof part.text === 'string') return isArray(part.annotations) ? ['text', 'annotations'] : ['text']
  const held = part.type === 'input_file' ? ['file_data', 'file_url'] : ['image_url', 'input_audio']
  return ['filename', held.find((field) => typeof part[field] === 'string') ?? 'file_id', 'input_audio']
}

function readParts(content: unknown, at: number, losses: Losses): (Text | File)[] {
  return losses.parts(at, content, 'content').flatMap((part): (Text | File)[] => {
    losses.unread(at, part, fieldsOf(part))
    if (asArray(part.annotations).length > 0) losses.add(at, 'citations')
    if (part.type === 'refusal') return refusalBlocks(part.refusal)
    if (typeof part.text === 'string') return textBlocks(part.text)
    const file = readFile(part)
    if (file !== undefined) return [file]
    return losses.part(at, part)
  })
}

function readFile(part: JsonRecord): File | undefined {
  const isPicture = part.type === 'input_image' || part.type === 'computer_screenshot'
  if (!isPicture && part.type !== 'input_file') {
    const audio = asRecord(part.input_audio)
    const data = asString(audio?.data)
    return data === undefined ? undefined : fileWith(data, `audio/${asString(audio?.format) ?? 'wav'}`)
  }
  const mediaType = isPicture ? 'image/*' : ''
  const url = asString(isPicture ? part.image_url : (part.file_data ?? part.file_url))
  const id = asString(part.file_id)
  const stored: File | undefined = id === undefined ? undefined : { kind: 'file', mediaType, openAiId: id }
  const file = url === undefined ? stored : fileAt(url, mediaType)
  return file && withDetail(withName(file, part.filename), part.detail)
}

function readResult(item: JsonRecord, type: string, at: number, losses: Losses): Result {
  const { output, status } = item
  const printed = type.includes('shell') && Array.isArray(output)
  if (printed) {
    losses.add(at, 'form of the output of a shell call (now text)')
    for (const part of recordsOf(output))
      losses.unread(at, part, ['stdout', 'stderr', 'outcome'], 'what a shell call printed')
  }
  const screen = asRecord(output)
  const parts = printed
    ? textBlocks(recordsOf(output).map(shellText).join('\n'))
    : readParts(screen === undefined ? (output ?? status) : [screen], at, losses)
  // In the reference, a local shell's output has the call's id as `id`.
  const callId = asString(item.call_id) ?? asString(item.id) ?? ''
  return { callId, parts, isError: status === 'failed', at }
}

/** The output of a command, with how it ended unless it succeeded. */
function shellText({ outcome, stderr, stdout }: JsonRecord): string {
  const { exit_code: code, type } = asRecord(outcome) ?? {}
  const end =
    type === 'timeout' ? ['timed out'] : typeof code === 'number' && code !== 0 ? [`exit code ${code}`] : []
  return [asString(stdout), asString(stderr), ...end]
    .filter((text) => text !== undefined && text !== '')
    .join('\n')
}

function write(message: Message, losses: Losses): JsonRecord[] {
  const { at, blocks, role } = message
  losses.speaker(message)
  const results = message.results.map((result) => writeResult(result, losses))
  if (role === 'tool') return results
  if (role === 'assistant') {
    const items = writeAnswer(blocks, at, losses)
    if (items.length === 0) losses.empty(message)
    return [...items, ...results]
  }
  const content =
    role === 'user'
      ? blocks.flatMap((block) => writePart(block, at, losses))
      : [{ type: 'input_text', text: systemText(message, losses) }]
  if (content.length > 0) return [{ type: 'message', role, content }]
  losses.empty(message)
  return []
}

function writeAnswer(blocks: readonly Block[], at: number, losses: Losses): JsonRecord[] {
  const items: JsonRecord[] = []
  for (const block of blocks) {
    const item = writeItem(block, at, losses)
    if (item === undefined) {
      if (block.kind !== 'reasoning') dropReasoning(items, at, losses)
      continue
    }
    const last = items.at(-1)
    if (last?.type === 'message' && item.type === 'message') recordsInto(last, 'content', item)
    else if (
      last?.type === 'reasoning' &&
      item.type === 'reasoning' &&
      item.id !== undefined &&
      last.id === item.id
    )
      recordsInto(last, 'summary', item)
    else items.push(item)
  }
  dropReasoning(items, at, losses)
  return items
}

/** Drops the reasoning at the end: it is accepted only before the output of the model that it led to. */
function dropReasoning(items: JsonRecord[], at: number, losses: Losses): void {
  while (items.at(-1)?.type === 'reasoning') {
    items.pop()
    losses.add(at, 'reasoning')
  }
}

/** Appends the entries of the same list of another item; both items were made here. */
function recordsInto(item: JsonRecord, field: string, other: JsonRecord): void {
  const list = item[field] as JsonRecord[]
  for (const entry of other[field] as JsonRecord[]) list.push(entry)
}

function writeItem(block: Block, at: number, losses: Losses): JsonRecord | undefined {
  if (block.kind === 'text') {
    losses.options(at, block.options)
    const { refusal, text } = block
    const part =
      refusal === true ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] }
    return { type: 'message', role: 'assistant', content: [part] }
  }
  if (block.kind === 'call') return writeCall(block, at, losses)
  const reasoning = block.kind === 'reasoning' ? writeReasoning(block) : undefined
  if (reasoning === undefined) losses.block(at, block)
  return reasoning
}

/** Writes reasoning that OpenAI can find by its id or decrypt; it accepts no other. */
function writeReasoning({ options, text }: Reasoning): JsonRecord | undefined {
  const own = asRecord(options?.openai)
  const id = asString(own?.itemId)
  const encrypted = asString(own?.reasoningEncryptedContent)
  if (id === undefined && encrypted === undefined) return undefined
  return {
    type: 'reasoning',
    ...(id === undefined ? {} : { id }),
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  }
}

function writeCall(call: Call, at: number, losses: Losses): JsonRecord {
  losses.options(at, call.options, ['openai.itemId'])
  const { id, input, name } = call
  if (input.form === 'free') return { type: 'custom_tool_call', call_id: id, name, input: input.text }
  return { type: 'function_call', call_id: id, name, arguments: inputText(call, at) }
}

function writeResult(result: Result, losses: Losses): JsonRecord {
  const { at, call, callId, isError, options } = result
  if (isError) losses.add(at, 'mark of a failed result (is_error)')
  losses.options(at, options)
  const parts = textsAndFiles(result).flatMap((part) => writePart(part, at, losses))
  const [only] = parts
  const isText = parts.length === 0 || (parts.length === 1 && only?.type === 'input_text')
  const type = call?.input.form === 'free' ? 'custom_tool_call_output' : 'function_call_output'
  return { type, call_id: callId, output: isText ? (only?.text ?? '') : parts }
}

function writePart(block: Block, at: number, losses: Losses): JsonRecord[] {
  if (block.kind !== 'text' && block.kind !== 'file') {
    return losses.block(at, block)
  }
  losses.options(at, block.options)
  if (block.kind === 'text') return [{ type: 'input_text', text: block.text }]
  const part = writeFile(block)
  if (part === undefined) losses.file(at, block)
  else if (part.filename === undefined) losses.fileName(at, block)
  return part === undefined ? [] : [part]
}

function writeFile(file: File): JsonRecord | undefined {
  const { data, mediaType, name, openAiId, url, detail = 'auto' } = file
  const named = name === undefined ? {} : { filename: name }
  if (openAiId !== undefined)
    return isImage(file)
      ? { type: 'input_image', file_id: openAiId, detail }
      : { type: 'input_file', file_id: openAiId }
  const text = textIn(file)
  if (text !== undefined) return { type: 'input_text', text }
  const address = isImage(file) ? urlOf(file) : undefined
  if (address !== undefined) return { type: 'input_image', image_url: address, detail }
  if (mediaType !== '' && mediaType !== 'application/pdf') return undefined
  if (url !== undefined) return { type: 'input_file', file_url: url }
  return data === undefined
    ? undefined
    : { type: 'input_file', filename: 'document.pdf', ...named, file_data: urlOf(file) }
}
