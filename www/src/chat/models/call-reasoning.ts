import { type Format, validate } from 'trimtab'
import { startOfTurn } from '../agent/turn.js'
import { type Fields, isFields, listOf } from './wire.js'

/** What a model requires with calls. */
type Required = 'text' | 'signature' | 'nothing'

/**
 * What Gemini takes in place of a signature for calls of other models:
 * https://ai.google.dev/gemini-api/docs/thought-signatures.
 */
const NOT_SIGNED = 'skip_thought_signature_validator'

/**
 * Adds to calls what a model requires of its own calls, if another model made them or it was lost with the page: a
 * request is refused without.
 *
 * @param format Chat Completions or Gemini's.
 */
export function withCallReasoning(
  messages: readonly object[],
  format: 'openai-chat' | 'gemini',
  model: string,
): readonly object[] {
  const required = requiredBy(model, format)
  if (required === 'nothing') return messages
  if (required === 'text') return messages.map((message) => withText(message as Fields))
  const start = startOfTurn(messages, format)
  return messages.map((message, at) => (at < start ? message : signed(message as Fields)))
}

/** Adds an empty reasoning to an answer with calls that has none. */
function withText(message: Fields): Fields {
  const { tool_calls, reasoning_content, reasoning, reasoning_details } = message
  const has = reasoning_content ?? reasoning ?? reasoning_details
  return tool_calls === undefined || has !== undefined ? message : { ...message, reasoning_content: '' }
}

/** Signs the first call of an answer, unless it is. */
function signed(message: Fields): Fields {
  const { parts, tool_calls: calls } = message
  if (Array.isArray(parts)) {
    const first = parts.findIndex((part) => isFields(part) && isFields(part.functionCall))
    const call = listOf(parts)[first]
    if (call === undefined || call.thoughtSignature !== undefined) return message
    return { ...message, parts: parts.with(first, { ...call, thoughtSignature: NOT_SIGNED }) }
  }
  const [call, ...others] = listOf(calls)
  if (call === undefined || call.extra_content !== undefined) return message
  const extra_content = { google: { thought_signature: NOT_SIGNED } }
  return { ...message, tool_calls: [{ ...call, extra_content }, ...others] }
}

const CALL = { id: 'a', type: 'function', function: { name: 'a', arguments: '{}' } }

/** Returns what a model requires with a call, according to the package: whether it refuses one without. */
function requiredBy(model: string, format: Format): Required {
  const chat = { role: 'assistant', content: null, tool_calls: [CALL] }
  if (isTaken(chat, model)) return 'nothing'
  if (format === 'gemini') return 'signature'
  return isTaken({ ...chat, reasoning_content: '' }, model) ? 'text' : 'signature'
}

function isTaken(call: object, model: string): boolean {
  const turn = [{ role: 'user', content: 'a' }, call, { role: 'tool', tool_call_id: 'a', content: 'a' }]
  return validate(turn, { format: 'openai-chat', model }).length === 0
}
