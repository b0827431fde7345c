import fc from 'fast-check'
import type { Format, Message } from './write.js'

/**
 * Damage to a history from crashes, manual edits, merges, and filters that ignore pairs of calls and results.
 */
export interface Damage {
  kind: 'drop' | 'duplicate' | 'swap' | 'truncate' | 'blank' | 'drop-block' | 'duplicate-block' | 'lose-id'
  at: number
  other: number
}

export const damages = fc.array(
  fc.record<Damage>({
    kind: fc.constantFrom(
      'drop',
      'duplicate',
      'swap',
      'truncate',
      'blank',
      'drop-block',
      'duplicate-block',
      'lose-id',
    ),
    at: fc.nat(40),
    other: fc.nat(40),
  }),
  { minLength: 1, maxLength: 5 },
)

export function damage(messages: readonly Message[], all: readonly Damage[], format: Format): Message[] {
  return all.reduce((list, one) => (list.length === 0 ? list : apply(list, one, format)), [...messages])
}

function apply(messages: Message[], { kind, at, other }: Damage, format: Format): Message[] {
  const i = at % messages.length
  const j = other % messages.length
  const [first, second] = [messages[i] as Message, messages[j] as Message]
  switch (kind) {
    case 'drop':
      return messages.toSpliced(i, 1)
    case 'duplicate':
      return messages.toSpliced(j, 0, structuredClone(first))
    case 'swap':
      return messages.with(i, second).with(j, first)
    case 'truncate':
      return messages.slice(0, i + 1)
    case 'blank':
      return messages.with(i, blank(first, other, format))
    default:
      return messages.with(i, inside(first, kind, other, format))
  }
}

/** Contents without text that each format can hold. */
const BLANKS: Record<Format, unknown[]> = {
  'openai-chat': ['', [], null, ' \n', [{ type: 'text', text: '' }]],
  'openai-responses': ['', [{ type: 'output_text', text: '' }]],
  anthropic: ['', [], null, ' \n', [{ type: 'text', text: '' }]],
  'ai-sdk': ['', [], ' \n', [{ type: 'text', text: '' }]],
  'ai-sdk-ui': [[], [{ type: 'text', text: '' }]],
  gemini: [[], [{ text: '' }], [{}]],
  langchain: ['', [], null, ' \n', [{ type: 'text', text: '' }]],
}

function blank(message: Message, other: number, format: Format): Message {
  if (format === 'openai-responses' && 'output' in message)
    return { ...message, output: ['', [], undefined][other % 3] }
  if (format === 'openai-responses' && !('content' in message)) return message
  if (format === 'ai-sdk' && message.role === 'tool') return { ...message, content: [] }
  const key = format === 'ai-sdk-ui' || format === 'gemini' ? 'parts' : 'content'
  return change(message, key, () => BLANKS[format][other % BLANKS[format].length])
}

/** Changes a field of a message, or of the object with the fields of a serialized message. */
function change(message: Message, key: string, to: (value: unknown) => unknown): Message {
  const holder = ['data', 'kwargs'].find((name) => name in message)
  if (holder === undefined) return { ...message, [key]: to(message[key]) }
  const body = message[holder] as Message
  return { ...message, [holder]: { ...body, [key]: to(body[key]) } }
}

/**
 * Changes one entry of the list of calls or blocks, or the id of a message that is itself a call or a result.
 */
function inside(message: Message, kind: string, other: number, format: Format): Message {
  const body = (message.data ?? message.kwargs ?? message) as Message
  const key = ['tool_calls', 'parts', 'content'].find((name) => Array.isArray(body[name]))
  if (key === undefined) return kind === 'lose-id' && format !== 'ai-sdk' ? withoutId(message) : message
  return change(message, key, (value) => {
    const list = value as Message[]
    if (list.length === 0) return list
    const i = other % list.length
    if (kind === 'drop-block') return list.toSpliced(i, 1)
    if (kind === 'duplicate-block') return list.toSpliced(i, 0, structuredClone(list[i] as Message))
    return list.with(i, lost(list[i] as Message, format))
  })
}

function withoutId(message: Message): Message {
  const key = ['tool_call_id', 'call_id'].find((name) => name in message)
  return key === undefined ? message : { ...message, [key]: '' }
}

/** A block without its id; a part of a `UIMessage` loses its output instead, because it needs the id. */
function lost(block: Message, format: Format): Message {
  if (format === 'ai-sdk-ui') {
    if (!('toolCallId' in block)) return block
    const { output: _, errorText: __, ...rest } = block
    return { ...rest, state: 'input-available' }
  }
  const { id: _, tool_use_id: __, toolCallId: ___, ...rest } = block
  for (const key of ['functionCall', 'functionResponse']) {
    const { id, ...named } = (rest[key] ?? {}) as Message
    if (key in rest) rest[key] = id === undefined ? { ...named, name: 'other' } : named
  }
  return rest
}
