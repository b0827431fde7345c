import { asRecord, asString, isRecord, type JsonRecord, recordsOf } from '../base/json.js'
import { grouped } from '../base/lists.js'
import { inputObject } from './call-input.js'
import { type Codec, type MessageAt, takeSystem, type Written } from './codec.js'
import { dataOf, fileAt, fileWith, known, withName } from './file.js'
import type { Losses } from './lost.js'
import {
  answered,
  type Block,
  type Call,
  callsIn,
  type File,
  type Message,
  type NeutralPiece,
  NO_ID,
  placeOf,
  type Result,
  type ResultPart,
  returned,
  said,
  textBlocks,
  withOptions,
} from './neutral.js'
import { filesIn, resultText } from './result.js'
import { hasTypedPart, unknownRole } from './signs.js'
import { GEMINI_TOKENS } from './token-rules.js'

/**
 * Gemini contents: content in parts; responses are objects. Ids are optional; without them order and name
 * pair results within one step.
 */
export const gemini: Codec<'gemini'> = {
  format: 'gemini',
  title: 'Gemini',
  tokens: GEMINI_TOKENS,
  resultsApart: false,
  recognises,
  misfit,
  read,
  write,
  results,
}

/** A part's kind is given by its field name instead of a type. */
function recognises(message: JsonRecord): boolean {
  const { parts, role } = message
  if (!Array.isArray(parts) || hasTypedPart(message)) return false
  return role === 'model' || recordsOf(parts).length > 0
}

function misfit(message: JsonRecord): string | undefined {
  if (!Array.isArray(message.parts)) return 'no Gemini content (no "parts")'
  return message.role === undefined || message.role === 'model' ? undefined : unknownRole(message)
}

/** Calls that are not answered yet: found by id, or by name in their order for an answer without an id. */
class OpenCalls {
  readonly #byId: Map<string, Call[]>
  readonly #byName: Map<string, Call[]>
  readonly #taken = new Set<Call>()

  constructor(calls: readonly Call[] = []) {
    const last = [...calls].reverse()
    this.#byId = grouped(last, ({ id }) => id)
    this.#byName = grouped(last, ({ name }) => name)
  }

  /** Takes the first matching call. */
  take(id: string | undefined, name: string): Call | undefined {
    const meant = (id === undefined ? this.#byName.get(name) : this.#byId.get(id)) ?? []
    for (let call = meant.pop(); call !== undefined; call = meant.pop()) {
      if (this.#taken.has(call)) continue
      this.#taken.add(call)
      return call
    }
    return undefined
  }
}

function read(contents: readonly MessageAt[], losses: Losses): NeutralPiece[] {
  let open = new OpenCalls()
  return contents.flatMap(({ at, value: content }) => {
    const { parts: list, role } = content
    losses.unread(at, content, ['parts'], 'a content')
    const parts = losses.parts(at, list, 'parts')
    const blocks = parts.flatMap((part, position) => readPart(part, position, at, losses))
    if (role === 'model' || role === 'system') {
      for (const { functionResponse } of parts)
        if (functionResponse !== undefined) losses.add(at, `result of the ${role}`)
    }
    if (role === 'model') {
      const piece = answered(blocks, at)
      open = new OpenCalls(piece.kind === 'assistant' ? callsIn(piece.value) : [])
      return [piece]
    }
    if (role === 'system') return [said('system', blocks, at)]
    const results = parts.flatMap((part) => {
      const response = asRecord(part.functionResponse)
      if (response !== undefined) return [returned(readResult(response, open, at, losses))]
      if (part.functionResponse !== undefined) losses.add(at, 'result that is no object')
      return []
    })
    return blocks.length === 0 && results.length > 0 ? results : [...results, said('user', blocks, at)]
  })
}

/** One of these is what a part is. */
const KINDS = ['functionCall', 'functionResponse', 'text', 'inlineData', 'fileData']

function readPart(part: JsonRecord, position: number, at: number, losses: Losses): Block[] {
  const { thoughtSignature } = part
  const kind = KINDS.find((field) => part[field] !== undefined)
  if (kind !== undefined)
    losses.unread(at, part, [kind, 'thought', 'thoughtSignature'], `a part with "${kind}"`)
  const options = withOptions(thoughtSignature === undefined ? undefined : { google: { thoughtSignature } })
  const call = asRecord(part.functionCall)
  if (call !== undefined) {
    const id = asString(call.id) || `${NO_ID}${at}.${position}`
    const name = asString(call.name) ?? ''
    losses.unread(at, call, ['name', 'args'], 'a call')
    return [{ kind: 'call', id, name, input: { form: 'value', value: call.args }, ...options }]
  }
  if (part.functionResponse !== undefined) return []
  if (typeof part.text === 'string') {
    // A signature can come with an empty text.
    const isReasoning = part.thought === true || (part.text === '' && thoughtSignature !== undefined)
    if (isReasoning) return [{ kind: 'reasoning', text: part.text, ...options }]
    return textBlocks(part.text).map((text) => ({ ...text, ...options }))
  }
  const file = readFile(part)
  if (file !== undefined) return [{ ...file, ...options }]
  losses.content(at, `part with ${JSON.stringify(Object.keys(part)[0] ?? null)}`)
  return []
}

function readFile({ fileData, inlineData }: JsonRecord): File | undefined {
  const inline = asRecord(inlineData)
  const stored = asRecord(fileData)
  const data = asString(inline?.data)
  const url = asString(stored?.fileUri)
  const name = (inline ?? stored)?.displayName
  if (data !== undefined) return withName(fileWith(data, asString(inline?.mimeType) ?? ''), name)
  return url === undefined ? undefined : withName(fileAt(url, asString(stored?.mimeType)), name)
}

/** Reads a result, and takes the call that it answers from `open`. */
function readResult(answer: JsonRecord, open: OpenCalls, at: number, losses: Losses): Result {
  const id = asString(answer.id) || undefined
  const name = asString(answer.name) ?? ''
  const call = open.take(id, name)
  losses.unread(at, answer, ['name', 'response', 'parts'], 'a result')
  const files = losses.parts(at, answer.parts, 'parts of a result').flatMap((part) => {
    const file = readFile(part)
    if (file === undefined) losses.add(at, 'part of a result')
    return file ?? []
  })
  return {
    callId: id ?? call?.id ?? NO_ID,
    name,
    parts: [...readResponse(answer.response), ...files],
    isError: isRecord(answer.response) && 'error' in answer.response,
    at,
  }
}

/** Fields whose value is the whole response, if there is no other field. */
const WHOLE = new Set(['output', 'error'])
/** Fields of which this is true if the value is a string. */
const TEXTS = new Set(['output', 'error', 'result', 'content', 'text', 'stdout'])

function readResponse(response: unknown): ResultPart[] {
  if (!isRecord(response)) return response === undefined ? [] : [{ kind: 'json', value: response }]
  const [entry, ...more] = Object.entries(response)
  if (entry === undefined || more.length > 0) return [{ kind: 'json', value: response }]
  const [field, value] = entry
  if (typeof value === 'string' && TEXTS.has(field)) return textBlocks(value)
  return [{ kind: 'json', value: WHOLE.has(field) ? value : response }]
}

interface Content extends JsonRecord {
  role: 'user' | 'model'
  parts: JsonRecord[]
}

function write(messages: readonly Message[], losses: Losses): Written {
  const { system, others } = takeSystem(messages, losses, 'Gemini')
  const contents: Content[] = []
  for (const message of others) {
    losses.speaker(message)
    const role = message.role === 'assistant' ? 'model' : 'user'
    const parts = message.blocks.flatMap((block) => writePart(block, message, losses))
    if (parts.length > 0) push(contents, { role, parts })
    else if (message.role !== 'tool') losses.empty(message)
    contents.push(...results(inOrderOfCalls(message), losses))
  }
  return { messages: contents, ...(system === undefined ? {} : { system }) }
}

function results(list: readonly Result[], losses: Losses): Content[] {
  const parts = list.map((result) => writeResult(result, losses))
  return parts.length === 0 ? [] : [{ role: 'user', parts }]
}

/**
 * Adds a content. Gemini accepts calls only after a content of the user, so consecutive contents of the model
 * are merged.
 */
function push(contents: Content[], content: Content): void {
  const last = contents.at(-1)
  const continues = content.role === 'model' && last?.role === 'model'
  if (continues && !last.parts.some((part) => part.functionCall !== undefined))
    last.parts.push(...content.parts)
  else contents.push(content)
}

/** Sorts results in the order of their calls: without ids, models pair them by order. */
function inOrderOfCalls(message: Message): Result[] {
  const places = new Map(callsIn(message).map(({ id }, place) => [id, place]))
  const placeOf = ({ callId }: Result) => places.get(callId) ?? -1
  return [...message.results].sort((a, b) => placeOf(a) - placeOf(b))
}

const SIGNED = ['google.thoughtSignature']

function writePart(block: Block, message: Message, losses: Losses): JsonRecord[] {
  const at = placeOf(block, message)
  const isAssistants = message.role === 'assistant'
  const { thoughtSignature } = asRecord(block.options?.google) ?? {}
  const signature = thoughtSignature === undefined ? {} : { thoughtSignature }
  if (block.kind === 'reasoning' && isAssistants) {
    const isOwn = block.options === undefined || thoughtSignature !== undefined
    if (isOwn && (block.text !== '' || thoughtSignature !== undefined))
      return [{ text: block.text, thought: true, ...signature }]
  }
  const part = writeContent(block, at, losses, isAssistants)
  if (part === undefined) return losses.block(at, block)
  losses.options(at, block.options, SIGNED)
  return [{ ...part, ...signature }]
}

function writeContent(
  block: Block,
  at: number,
  losses: Losses,
  isAssistants: boolean,
): JsonRecord | undefined {
  if (block.kind === 'text') {
    losses.refusal(at, block)
    return { text: block.text }
  }
  if (block.kind === 'file') return writeFile(block, at, losses)
  if (block.kind !== 'call' || !isAssistants) return undefined
  return { functionCall: { id: block.id, name: block.name, args: inputObject(block, at, losses) } }
}

/** The Gemini API has no place for the name of a file (Vertex AI has: `displayName`). */
function writeFile(file: File, at: number, losses: Losses): JsonRecord | undefined {
  const mimeType = known(file.mediaType)
  const data = dataOf(file)
  if (mimeType === undefined || (data ?? file.url) === undefined) return undefined
  losses.fileName(at, file)
  if (data !== undefined) return { inlineData: { mimeType, data } }
  return { fileData: { mimeType, fileUri: file.url } }
}

function writeResult(result: Result, losses: Losses): JsonRecord {
  const { at, callId: id, isError, name, options } = result
  // The AI SDK repeats a call's signature on its result.
  losses.options(at, options, SIGNED)
  const files = filesIn(result).flatMap((file) => {
    const part = writeFile(file, at, losses)
    if (part === undefined) losses.file(at, file, ' in a result')
    return part ?? []
  })
  const response = isError ? { error: returnedValue(result) } : responseOf(returnedValue(result))
  return {
    functionResponse: {
      ...(id === '' ? {} : { id }),
      name: name ?? '',
      response,
      ...(files.length === 0 ? {} : { parts: files }),
    },
  }
}

function returnedValue(result: Result): unknown {
  const [only] = result.parts
  return result.parts.length === 1 && only?.kind === 'json' ? only.value : resultText(result)
}

/** An object is used as the response itself, unless it could be mistaken for a wrapped value. */
function responseOf(value: unknown): JsonRecord {
  const fields = isRecord(value) ? Object.keys(value) : []
  const isOwn =
    isRecord(value) &&
    fields.length > 0 &&
    !('error' in value) &&
    !(fields.length === 1 && TEXTS.has(fields[0] ?? ''))
  return isOwn ? value : { output: value ?? null }
}
