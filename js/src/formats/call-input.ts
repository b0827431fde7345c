import { asText, TrimtabError } from '../base/error.js'
import { isBlank, isRecord, type JsonRecord } from '../base/json.js'
import type { Losses } from './lost.js'
import type { Call, CallInput } from './neutral.js'

/** The arguments of a call whose format has them as a text; some clients put the value there. */
export function inputOf(value: unknown, form: 'json' | 'free'): CallInput {
  if (value === undefined || value === null) return { form, text: '' }
  return typeof value === 'string' ? { form, text: value } : { form: 'value', value }
}

/** The arguments of a call as JSON text: as written by the model, or serialised from the value. */
export function inputText({ input }: Call, at: number): string {
  if (input.form === 'json') return input.text
  return jsonText(input.form === 'free' ? { input: input.text } : (input.value ?? {}), at)
}

/** The arguments of a call as an object. Arguments that are not an object are kept as text. */
export function inputObject({ input }: Call, at: number, losses: Losses): JsonRecord {
  if (input.form === 'free') {
    losses.add(at, 'form of a free input (now an argument "input")')
    return { input: input.text }
  }
  const value = input.form === 'json' ? parsed(input.text) : (input.value ?? {})
  if (isRecord(value)) return value
  losses.add(at, 'form of arguments that are no JSON object (now text under "arguments")')
  return { arguments: input.form === 'json' ? input.text : jsonText(value, at) }
}

/** Models sometimes write invalid JSON; `undefined` then. */
function parsed(text: string): unknown {
  if (isBlank(text)) return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * Serialises a value.
 *
 * @throws TrimtabError `unreadable_message` for a value without JSON: a cycle, a bigint, nesting beyond the
 *   stack.
 */
export function jsonText(value: unknown, index: number): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (cause) {
    const message = `message ${index}: a value in it cannot be written as JSON (${asText(cause)})`
    throw new TrimtabError('unreadable_message', message, { index, cause })
  }
}
