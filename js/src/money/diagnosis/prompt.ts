import { asRecord, asString, isRecord, type JsonRecord, recordsOf } from '../../base/json.js'
import { messagesIn, systemIn, unmarked } from '../../base/request-body.js'
import type { Format } from '../../generated/types.js'
import { formatOf } from '../../history/format.js'
import { estimateByBytes } from '../../tokens/byte-estimate.js'
import { Sizes } from '../sizes.js'

/** The parts of a prompt in cache order: a change invalidates only what follows it. */
export const LAYERS = ['tools', 'system', 'settings', 'messages'] as const
export type Layer = (typeof LAYERS)[number]

/** A piece of a prompt: a tool, a text of the system prompt, a setting, or a block of a message. */
export interface Part {
  /** Equal for parts with equal content, in all prompts. */
  id: number
  layer: Layer
  /** An estimate. */
  tokens: number
  /** The name of a tool or setting. */
  name?: string
  /** The position of its message. */
  message?: number
}

/** The body of a request, split into the pieces that a cache compares. */
export interface Prompt {
  parts: readonly Part[]
  messages: readonly object[]
  format: Format
  tokens: number
  model: string | null
  /** The cache marks, in the order of the parts. */
  marks: readonly Mark[]
}

/** A mark that asks the provider to cache a prompt up to it. */
export interface Mark {
  /** Number of parts up to it. */
  upTo: number
  /** Whether what is cached lives an hour, and not the provider's shorter time. */
  isHour: boolean
}

/** Reads bodies. Content shared by several bodies is measured once. */
export class PromptReader {
  readonly #ids = new Map<string, number>()
  readonly #known = new Map<string, readonly Omit<Part, 'message'>[]>()
  readonly #format: Format
  readonly #sizes: Sizes

  /** @param bodies All bodies to read. Their format is detected from the longest one. */
  constructor(bodies: readonly object[]) {
    const histories = bodies.map((body) => messagesOf(body as JsonRecord))
    const longest = histories.reduce((one, other) => (other.length > one.length ? other : one), [])
    this.#format = formatOf(longest)
    this.#sizes = new Sizes(this.#format, undefined)
  }

  read(body: object): Prompt {
    const fields = body as JsonRecord
    const messages = messagesOf(fields)
    const format = this.#format
    const isPrompt = ({ role }: JsonRecord) => role === 'system' || role === 'developer'
    const first = messages.findIndex((message) => !isPrompt(message))
    const leading = first === -1 ? messages.length : first
    const parts: Part[] = [
      ...toolsOf(fields).map((tool) => this.#part('tools', tool, nameOf(tool))),
      ...systemOf(fields).map((text) => this.#part('system', text)),
    ]
    const settings = settingsOf(fields, format).map(([name, value]) => ({
      ...this.#part('settings', { [name]: value }, name),
      tokens: 0,
    }))
    const places: Place[] = []
    messages.forEach((message, at) => {
      const layer = at < leading ? 'system' : 'messages'
      if (at === leading) parts.push(...settings)
      const first = parts.length
      for (const part of this.#message(message, layer)) parts.push({ ...part, message: at })
      places.push({ first, end: parts.length })
    })
    if (leading === messages.length) parts.push(...settings)
    return {
      parts,
      messages,
      format,
      tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
      model: asString(fields.model) ?? null,
      marks: marksOf(fields, messages, places, parts.length),
    }
  }

  free(): void {
    this.#sizes.free()
  }

  #part(layer: Layer, value: unknown, name?: string): Part {
    const text = unmarked(value)
    const named = name === undefined ? {} : { name }
    return { id: this.#id(layer + text), layer, tokens: estimateByBytes(text), ...named }
  }

  #message(message: JsonRecord, layer: Layer): readonly Omit<Part, 'message'>[] {
    const key = layer + unmarked(message)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const texts = piecesOf(message)
    const length = texts.reduce((sum, text) => sum + text.length, 0)
    const size = this.#sizes.of(message)
    // The engine measures a message as a whole, because it can estimate images.
    const read = texts.map((text) => ({
      id: this.#id(layer + text),
      layer,
      tokens: (size * text.length) / length,
    }))
    this.#known.set(key, read)
    return read
  }

  #id(text: string): number {
    const id = this.#ids.get(text) ?? this.#ids.size
    this.#ids.set(text, id)
    return id
  }
}

function messagesOf(body: JsonRecord): JsonRecord[] {
  const { input } = body
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return recordsOf(messagesIn(body))
}

function toolsOf({ config, tools }: JsonRecord): JsonRecord[] {
  const listed = recordsOf(tools ?? asRecord(config)?.tools)
  return listed.flatMap((tool) => {
    const declared = tool.functionDeclarations ?? tool.function_declarations
    return Array.isArray(declared) ? recordsOf(declared) : [tool]
  })
}

function nameOf(tool: JsonRecord): string {
  return asString(tool.name) ?? asString(asRecord(tool.function)?.name) ?? asString(tool.type) ?? 'tool'
}

function systemOf(body: JsonRecord): unknown[] {
  const list = systemIn(body)
  if (list === undefined || list === null || list === '') return []
  return Array.isArray(list) ? list : [{ type: 'text', text: list }]
}

/**
 * Settings that a cache places between system prompt and messages:
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching.
 */
function settingsOf(body: JsonRecord, format: Format): [string, unknown][] {
  const names = format === 'anthropic' ? ['tool_choice', 'thinking'] : ['response_format', 'text']
  return names.flatMap((name): [string, unknown][] => (body[name] == null ? [] : [[name, body[name]]]))
}

/** Splits a message into blocks; a string is one block of text. */
function piecesOf(message: JsonRecord): string[] {
  const { content, parts, role, ...others } = message
  const { cache_control: _mark, ...rest } = others
  const list = content ?? parts
  const blocks = typeof list === 'string' ? [{ type: 'text', text: list }] : list
  if (!Array.isArray(blocks)) return [unmarked(message)]
  const beside = Object.keys(rest).length === 0 ? [] : [unmarked({ role, ...rest })]
  const pieces = [...blocks.map((block) => String(role) + unmarked(block)), ...beside]
  return pieces.length === 0 ? [unmarked(message)] : pieces
}

/** Number of parts before a message, and up to its end. */
interface Place {
  first: number
  end: number
}

function marksOf(
  body: JsonRecord,
  messages: readonly JsonRecord[],
  places: readonly Place[],
  count: number,
): Mark[] {
  const [tools, system] = [toolsOf(body), recordsOf(body.system)]
  const placed: [upTo: number, block: unknown][] = [
    ...tools.map((tool, at): [number, unknown] => [at + 1, tool]),
    ...system.map((text, at): [number, unknown] => [tools.length + at + 1, text]),
    ...messages.flatMap((message, at) => placedBlocks(message, places[at] as Place)),
    // A mark of the whole body is on the last block.
    [count, body],
  ]
  return placed.flatMap(([upTo, block]) => {
    const mark = markOf(block)
    return mark === undefined ? [] : [{ upTo, isHour: mark.ttl === '1h' }]
  })
}

/** The blocks of a message with the number of parts up to each. */
function placedBlocks(message: JsonRecord, { first, end }: Place): [number, unknown][] {
  const list = message.content ?? message.parts
  if (markOf(message) !== undefined || !Array.isArray(list)) return [[end, message]]
  return list.map((block, index) => [first + index + 1, block])
}

/** The mark of a block, or of the last block within a result. */
function markOf(block: unknown): JsonRecord | undefined {
  if (!isRecord(block)) return undefined
  return asRecord(block.cache_control) ?? asRecord(recordsOf(block.content).at(-1)?.cache_control)
}
