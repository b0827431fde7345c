import { asRecord, type JsonRecord } from './json.js'

/** The messages in the body of a request, from the field names that providers use. */
export function messagesIn({ contents, input, messages }: JsonRecord): unknown[] | undefined {
  return [messages, contents, input].find(Array.isArray)
}

/** The system prompt beside the messages, from the field names that providers use: a text, or a list of parts. */
export function systemIn({ config, ...body }: JsonRecord): unknown {
  const { instructions, system, system_prompt, systemInstruction, system_instruction } = body
  const own = system ?? system_prompt ?? instructions ?? systemInstruction ?? system_instruction
  const content = own ?? asRecord(config)?.systemInstruction
  return asRecord(content)?.parts ?? content
}

/** JSON without cache marks, which move from request to request. */
export function unmarked(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  if (!text.includes('"cache_control"')) return text
  return JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner))
}
