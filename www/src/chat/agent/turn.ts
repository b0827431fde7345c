import type { Format } from 'trimtab'

/** Fields of a message that a page's model reads. */
interface Said {
  readonly role?: unknown
  readonly content?: unknown
  readonly parts?: unknown
}

/**
 * Returns the index from which the current turn begins: after the last prompt, which is no result.
 *
 * @param format Of a model: OpenAI's Chat Completions, Anthropic's or Gemini's.
 */
export function startOfTurn(messages: readonly object[], format: Format): number {
  return messages.findLastIndex((message) => isPrompt(message, format)) + 1
}

function isPrompt({ role, content, parts }: Said, format: Format): boolean {
  if (role !== 'user') return false
  const list: unknown = format === 'gemini' ? parts : content
  return !Array.isArray(list) || !list.some(isResult)
}

/** Whether a part of a message is the result of a call: Anthropic's or Gemini's. */
export const isResult = (part: unknown): boolean =>
  typeof part === 'object' &&
  part !== null &&
  ('functionResponse' in part || ('type' in part && part.type === 'tool_result'))
