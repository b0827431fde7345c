import { TrimtabError } from '../base/error.js'
import { isBlank, isRecord, type JsonRecord } from '../base/json.js'
import type { Losses } from './lost.js'
import type { Call } from './neutral.js'

/** The arguments of a call as JSON text, as it was written or made of the value. */
export function inputText({ input }: Call, at: number): string {
  if (input.form === 'json') return input.text
  return jsonText(input.form === 'free' ? { input: input.text } : (input.value ?? {}), at)
}

/** The arguments of a call as an object. Those that are none are kept as text. */
export function inputObject({ input }: Call, at: number, losses: Losses): JsonRecord {
  if (input.form === 'free') return { input: input.text }
  const value = input.form === 'json' ? parsed(input.text) : (input.value ?? {})
  if (isRecord(value)) return value
  losses.add(at, 'form of arguments that are no JSON object (now text under "arguments")')
  return { arguments: input.form === 'json' ? input.text : jsonText(value, at) }
}

/** Models do write broken JSON; then the text is what there is. */
function parsed(text: string): unknown {
  if (isBlank(text)) return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** @throws TrimtabError `unreadable_message` for what has no JSON: a cycle, a bigint, nesting beyond the stack. */
export function jsonText(value: unknown, index: number): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (cause) {
    const message = `message ${index}: a value in it cannot be written as JSON (${String(cause)})`
    throw new TrimtabError('unreadable_message', message, { index, cause })
  }
}
