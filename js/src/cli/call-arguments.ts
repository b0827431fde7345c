import { asRecord, asString, type JsonRecord, recordsOf } from '../base/json.js'
import type { BlockFacts } from '../index.js'

const SHOWN_CHARS = 200

/** The start of what a result's tool was called with, for tools whose arguments say neither path nor command. */
export function argumentsOf(messages: readonly object[], { callId, message }: BlockFacts): string | null {
  if (callId === null) return null
  // Ids can come again: the call is the nearest one before the result, or in its message.
  for (let index = message; index >= 0; index -= 1) {
    const found = argumentsIn(messages[index], callId)
    if (found !== undefined) return found === '{}' ? null : found.slice(0, SHOWN_CHARS)
  }
  return null
}

/** In whatever format: a call has its id under one of three names, and its arguments under one of four. */
function argumentsIn(message: unknown, callId: string): string | undefined {
  for (const holder of callsIn(asRecord(message) ?? {})) {
    if ((holder.call_id ?? holder.toolCallId ?? holder.id) !== callId) continue
    const named = asRecord(holder.function) ?? asRecord(holder.custom) ?? holder
    const value = named.arguments ?? named.input ?? named.args ?? named.action ?? named.operation
    if (value !== undefined) return asString(value) ?? jsonText(value)
  }
  return undefined
}

/** The objects of a message that can be a call: itself, its parts, its list of calls. */
function callsIn(message: JsonRecord): JsonRecord[] {
  const body = asRecord(message.data) ?? asRecord(message.kwargs) ?? message
  const parts = recordsOf(body.parts).map((part) => asRecord(part.functionCall) ?? part)
  return [body, ...recordsOf(body.tool_calls), ...recordsOf(body.content), ...parts]
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // Nested too deeply to be written: there is nothing to show of it.
    return '{}'
  }
}
