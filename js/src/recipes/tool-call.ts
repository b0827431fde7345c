import { checkJson, refuse } from '../base/check.js'
import { asRecord, type JsonRecord } from '../base/json.js'

/** A tool call of any supported provider or framework, without the message around it. */
export type AnyToolCall =
  | { id?: string | undefined; function: { name: string; arguments?: unknown } }
  | { id?: string | undefined; name: string; input?: unknown }
  // In Gemini's SDK the name is optional.
  | { id?: string | undefined; name?: string | undefined; args?: unknown }
  | { call_id: string; name: string; arguments?: unknown }
  | { toolCallId: string; toolName: string; input?: unknown }

/** The facts of a call, independent of the provider. */
export interface ToolCallFacts {
  /** Empty if the provider gave none. */
  id: string
  name: string
  /** JSON text. */
  arguments: string
}

/** Reads a call of any provider. */
export function readToolCall(call: AnyToolCall): ToolCallFacts {
  const fields: JsonRecord = asRecord(call) ?? {}
  const inner = asRecord(fields.function) ?? {}
  const id = fields.toolCallId ?? fields.call_id ?? fields.id ?? ''
  const name = inner.name ?? fields.toolName ?? fields.name
  if (typeof id !== 'string' || typeof name !== 'string' || name === '') {
    return refuse('toolCall', 'a call with id and name, as the model wrote it', call)
  }
  const given = inner.arguments ?? fields.arguments ?? fields.input ?? fields.args ?? {}
  return { id, name, arguments: typeof given === 'string' ? given : checkJson('toolCall', given) }
}
