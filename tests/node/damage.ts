import fc from 'fast-check'
import type { Message } from './write.js'

/** What happens to histories: crashes, hand-made edits, merges and filters that know nothing of pairs. */
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

export function damage(messages: readonly Message[], all: readonly Damage[]): Message[] {
  return all.reduce((list, one) => (list.length === 0 ? list : apply(list, one)), [...messages])
}

function apply(messages: Message[], { kind, at, other }: Damage): Message[] {
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
      return messages.with(i, blank(first, other))
    default:
      return messages.with(i, inside(first, kind, other))
  }
}

const blanks = ['', [], null, ' \n', [{ type: 'text', text: '' }]]

function blank(message: Message, other: number): Message {
  return { ...message, content: blanks[other % blanks.length] }
}

/** Changes one entry of the list of calls or blocks. */
function inside(message: Message, kind: string, other: number): Message {
  const key = Array.isArray(message.tool_calls) ? 'tool_calls' : 'content'
  const list = message[key]
  if (!Array.isArray(list) || list.length === 0) return message
  const i = other % list.length
  if (kind === 'drop-block') return { ...message, [key]: list.toSpliced(i, 1) }
  if (kind === 'duplicate-block') return { ...message, [key]: list.toSpliced(i, 0, structuredClone(list[i])) }
  const { id: _, tool_use_id: __, ...rest } = list[i] as Record<string, unknown>
  return { ...message, [key]: list.with(i, rest) }
}
