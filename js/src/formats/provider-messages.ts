import { isBlank, type JsonRecord } from '../base/json.js'
import type { Arranged } from './arrange.js'

export interface AnthropicMessage {
  role: 'user' | 'assistant'
  content: string | JsonRecord[]
}

/**
 * Arranges messages as Anthropic requires: all results of an assistant message are in the following user
 * message, before its other blocks. Further user content is added to that message, so that roles alternate
 * wherever they did in the recording.
 */
export function toAnthropicMessages(
  arranged: readonly Arranged<JsonRecord[], JsonRecord, string | JsonRecord[]>[],
): AnthropicMessage[] {
  const messages: AnthropicMessage[] = []
  let results: JsonRecord[] = []
  let said: (string | JsonRecord[])[] = []
  const flush = (): void => {
    const message = userMessage(results, said)
    if (message !== undefined) messages.push(message)
    results = []
    said = []
  }
  for (const item of arranged) {
    if (item.kind === 'other') said.push(item.value)
    else if (item.kind === 'orphan') results.push(item.value)
    else {
      flush()
      messages.push({ role: 'assistant', content: item.value })
      results = item.results
    }
  }
  flush()
  return messages
}

function userMessage(results: JsonRecord[], said: (string | JsonRecord[])[]): AnthropicMessage | undefined {
  const [only] = said
  if (results.length === 0 && said.length === 1 && typeof only === 'string')
    return { role: 'user', content: only }
  const content = [...results, ...said.flatMap(asBlocks)]
  return content.length === 0 ? undefined : { role: 'user', content }
}

function asBlocks(content: string | JsonRecord[]): JsonRecord[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/**
 * Arranges messages as Chat requires: one `tool` message per result, directly after the assistant message.
 */
export function toChatMessages(
  arranged: readonly Arranged<JsonRecord, JsonRecord, JsonRecord>[],
): JsonRecord[] {
  return arranged.flatMap((item) =>
    item.kind === 'assistant' ? [item.value, ...item.results] : [item.value],
  )
}

/** Whether a block is a blank text; providers reject it. */
export function isEmptyTextBlock(block: JsonRecord): boolean {
  return block.type === 'text' && (typeof block.text !== 'string' || isBlank(block.text))
}
