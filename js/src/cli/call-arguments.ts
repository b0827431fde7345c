import { asRecord, asString, type JsonRecord, recordsOf } from '../base/json.js'
import type { BlockFacts } from '../index.js'

const SHOWN_CHARS = 200

/** Returns the start of a call's arguments, for results of tools whose arguments name neither a path nor a command. */
export function argumentsOf(messages: readonly object[], { callId, message }: BlockFacts): string | null {
  if (callId === null) return null
  // Ids can repeat: the call is the nearest one before the result, or in the same message.
  for (let index = message; index >= 0; index -= 1) {
    const found = argumentsIn(messages[index], callId)
    if (found !== undefined) return found === '{}' ? null : found.slice(0, SHOWN_CHARS)
  }
  return null
}

/** Finds a call's arguments in a message of any format: three names for the id, five for the arguments. */
function argumentsIn(message: unknown, callId: string): string | undefined {
  for (const holder of callsIn(asRecord(message) ?? {})) {
    if ((holder.call_id ?? holder.toolCallId ?? holder.id) !== callId) continue
    const named = asRecord(holder.function) ?? asRecord(holder.custom) ?? holder
    const value = named.arguments ?? named.input ?? named.args ?? named.action ?? named.operation
    if (value !== undefined) return asString(value) ?? jsonText(value)
  }
  return undefined
}

/** Objects of a message that can be a call: the message, its parts, its list of calls. */
function callsIn(message: JsonRecord): JsonRecord[] {
  const body = asRecord(message.data) ?? asRecord(message.kwargs) ?? message
  const parts = recordsOf(body.parts).map((part) => asRecord(part.functionCall) ?? part)
  return [body, ...recordsOf(body.tool_calls), ...recordsOf(body.content), ...parts]
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // Nested too deeply for JSON: nothing is shown.
    return '{}'
  }
}
