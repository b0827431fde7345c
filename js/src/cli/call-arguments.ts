import type { BlockFacts, Format } from '../index.js'
import { asRecord, asString, recordsOf } from '../transcripts/json.js'

const SHOWN_CHARS = 200

/** The start of what a result's tool was called with, for tools whose arguments say neither path nor command. */
export function argumentsOf(
  messages: readonly object[],
  format: Format,
  { callId, message }: BlockFacts,
): string | null {
  if (callId === null) return null
  // Ids can come again: the call is the nearest one before the result.
  for (let index = message - 1; index >= 0; index -= 1) {
    const found =
      format === 'anthropic' ? blockInput(messages[index], callId) : chatArguments(messages[index], callId)
    if (found !== undefined) return found === '{}' ? null : found.slice(0, SHOWN_CHARS)
  }
  return null
}

function blockInput(message: unknown, callId: string): string | undefined {
  const call = recordsOf(asRecord(message)?.content).find(
    (block) => block.type === 'tool_use' && block.id === callId,
  )
  return call === undefined ? undefined : inputText(call.input)
}

function inputText(input: unknown): string {
  try {
    return JSON.stringify(input ?? {})
  } catch {
    // Nested too deeply to be written: there is nothing to show of it.
    return '{}'
  }
}

function chatArguments(message: unknown, callId: string): string | undefined {
  const call = recordsOf(asRecord(message)?.tool_calls).find(({ id }) => id === callId)
  return asString(asRecord(call?.function)?.arguments) ?? asString(asRecord(call?.custom)?.input)
}
