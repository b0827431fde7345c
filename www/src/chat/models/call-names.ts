import { type Fields, isFields, listOf, textOf } from './wire.js'

/** Names of tools that every provider takes. */
const TAKEN = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * Returns a name that every provider takes. A model may call a tool by any name: the call gets an error as its result,
 * and stays in the history.
 */
function takenName(name: unknown): string {
  const given = textOf(name)
  if (TAKEN.test(given)) return given
  return given.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64) || 'unnamed'
}

/** Fields of a part, or of what it holds, that name a tool: in Chat Completions, Gemini's format and Anthropic's. */
const HOLDERS = ['function', 'functionCall', 'functionResponse'] as const
/** Lists of a message that hold its calls and results. */
const LISTS = ['tool_calls', 'parts', 'content'] as const

/** Returns messages whose calls have names that the provider takes. Messages with such names are the same objects. */
export const withTakenNames = (messages: readonly object[]): object[] => messages.map(messageWithNames)

/** Messages that were looked at, with what is sent: a history is sent again with each request. */
const known = new WeakMap<object, object>()

function messageWithNames(message: object): object {
  const before = known.get(message)
  if (before !== undefined) return before
  let made = message as Fields
  for (const list of LISTS) {
    const parts = listOf(made[list])
    const next = parts.map(withTakenName)
    if (next.some((part, at) => part !== parts[at])) made = { ...made, [list]: next }
  }
  known.set(message, made)
  return made
}

function withTakenName(part: Fields): Fields {
  if (part.type === 'tool_use') return renamed(part)
  for (const holder of HOLDERS) {
    const held = part[holder]
    if (!isFields(held)) continue
    const next = renamed(held)
    if (next !== held) return { ...part, [holder]: next }
  }
  return part
}

function renamed(called: Fields): Fields {
  const name = takenName(called.name)
  return name === called.name ? called : { ...called, name }
}
