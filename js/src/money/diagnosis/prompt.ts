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
  /** Number of parts up to the last cache mark; `null` if the request has none. */
  marked: number | null
  /** The life requested by the marks, in seconds; `null` if there is none. */
  markSeconds: number | null
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
    messages.forEach((message, at) => {
      const layer = at < leading ? 'system' : 'messages'
      if (at === leading) parts.push(...settings)
      for (const part of this.#message(message, layer)) parts.push({ ...part, message: at })
    })
    if (leading === messages.length) parts.push(...settings)
    return {
      parts,
      messages,
      format,
      tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
      model: asString(fields.model) ?? null,
      ...marksOf(fields, messages, parts),
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

function marksOf(
  body: JsonRecord,
  messages: readonly JsonRecord[],
  parts: readonly Part[],
): Pick<Prompt, 'marked' | 'markSeconds'> {
  const mark = asRecord(body.cache_control)
  if (mark !== undefined) return { marked: parts.length, markSeconds: secondsOf(mark) }
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at] as JsonRecord
    const blocks = blocksOf(message)
    const last = blocks.findLastIndex((block) => markOf(block) !== undefined)
    if (last === -1) continue
    const isWhole = blocks[last] === message
    const marked = isWhole
      ? parts.findLastIndex((part) => part.message === at)
      : parts.findIndex((part) => part.message === at) + last
    return { marked: marked + 1, markSeconds: secondsOf(markOf(blocks[last])) }
  }
  const system = recordsOf(body.system)
  const marked = system.findLastIndex((block) => markOf(block) !== undefined)
  const tools = toolsOf(body)
  if (marked !== -1)
    return { marked: tools.length + marked + 1, markSeconds: secondsOf(markOf(system[marked])) }
  const tool = tools.findLastIndex((one) => markOf(one) !== undefined)
  if (tool === -1) return { marked: null, markSeconds: null }
  return { marked: tool + 1, markSeconds: secondsOf(markOf(tools[tool])) }
}

function blocksOf(message: JsonRecord): unknown[] {
  const list = message.content ?? message.parts
  return markOf(message) === undefined && Array.isArray(list) ? list : [message]
}

/** The mark of a block, or of the last block within a result. */
function markOf(block: unknown): JsonRecord | undefined {
  if (!isRecord(block)) return undefined
  return asRecord(block.cache_control) ?? asRecord(recordsOf(block.content).at(-1)?.cache_control)
}

function secondsOf(mark: JsonRecord | undefined): number | null {
  if (mark === undefined) return null
  return mark.ttl === '1h' ? 3600 : 300
}
