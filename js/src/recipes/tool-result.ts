import {
  checkJson,
  checkOptions,
  DATA,
  oneOf,
  readable,
  refuse,
  refuseWith,
  withMethods,
} from '../base/check.js'
import { reasonOf } from '../base/error.js'
import { FORMATS } from '../base/format.js'
import { isRecord, type JsonRecord } from '../base/json.js'
import { isNotJson } from '../base/not-json.js'
import { warned } from '../base/seed-texts.js'
import { wellFormed } from '../base/text.js'
import { writeAnswers } from '../formats/convert.js'
import type { Format } from '../generated/types.js'
import type { ResultTracker } from './result-tracker.js'
import { type AnyToolCall, readToolCall, type ToolCallFacts } from './tool-call.js'

/** A tool's result. Fields that begin with `_` are for the host only: the model does not see them. */
export interface ToolResultObject {
  /** The text for the model. Without it, the model gets the error, or else all fields as JSON. */
  content?: unknown
  /** Whether the tool succeeded. */
  success?: boolean | undefined
  /** Whether the tool failed, as in the tools of `trimtab/tools` and MCP. */
  isError?: boolean | undefined
  error?: unknown
  suggestion?: unknown
  /** Whether the result is removed from the conversation after its turn. Allowed for any tool. */
  _ephemeral?: boolean | undefined
  /** The same, for the tools of `trimtab/tools`, whose content already contains the warning. */
  ephemeral?: boolean | undefined
  /** The warning about the removal, placed before the content. */
  _ephemeral_warning?: string | undefined
  [field: string]: unknown
}

/**
 * The formats that have a message for a tool result; in `ai-sdk-ui` a result is part of the assistant's
 * message.
 */
export type ToolResultFormat = Exclude<Format, 'ai-sdk-ui'>

/** Options of {@link processToolResult}. */
export interface ProcessToolResultOptions<F extends ToolResultFormat = ToolResultFormat> {
  /** The call, as received from the model. */
  toolCall: AnyToolCall
  result: string | ToolResultObject
  /** Replaces a result with a pointer if it repeats one that the model sees. */
  tracker?: ResultTracker | undefined
  /** The format of the message. Default `openai-chat`. */
  format?: F | undefined
}

/** A tool result in the form of document "ReadTool Improvements". */
export interface ToolMessage extends EphemeralMark {
  role: 'tool'
  tool_call_id: string
  name: string
  content: string
}

interface EphemeralMark {
  metadata?: { ephemeral: true }
}

/** The message of a tool result by format; each is one of the provider's own message types. */
export interface ToolMessages {
  'openai-chat': ToolMessage
  'openai-responses': { type: 'function_call_output'; call_id: string; output: string } & EphemeralMark
  anthropic: {
    role: 'user'
    content: { type: 'tool_result'; tool_use_id: string; content: string; is_error?: true }[]
  } & EphemeralMark
  'ai-sdk': {
    role: 'tool'
    content: {
      type: 'tool-result'
      toolCallId: string
      toolName: string
      output: { type: 'text' | 'error-text'; value: string }
    }[]
  } & EphemeralMark
  gemini: {
    role: 'user'
    parts: { functionResponse: { id?: string; name: string; response: Record<string, string> } }[]
  } & EphemeralMark
  /** The plain form; `new ToolMessage(message)` makes an instance of it. */
  langchain: {
    type: 'tool'
    tool_call_id: string
    name: string
    content: string
    status: 'success' | 'error'
  } & EphemeralMark
}

/** The message of a tool result in a format. */
export type ToolMessageOf<F extends ToolResultFormat> = F extends keyof ToolMessages
  ? ToolMessages[F]
  : object

const OPTIONS = {
  toolCall: DATA,
  result: DATA,
  tracker: withMethods<ResultTracker>('what createResultTracker() gives', 'track', 'skip'),
  format: oneOf(FORMATS.filter((format) => format !== 'ai-sdk-ui')),
}

/**
 * Returns the message for a tool's result: document "ReadTool Improvements". An ephemeral result is preceded
 * by its warning and a blank line, and marked with `metadata.ephemeral`, which `cleanupEphemeralMessages` and
 * the ephemeral pass use. Any other result that repeats one the model sees, according to the tracker, becomes
 * a pointer to it.
 *
 * The mark is a field of the message in every format. The providers' APIs have no such field: a host that
 * sends its messages unprocessed must remove it first.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function processToolResult<F extends ToolResultFormat = 'openai-chat'>(
  options: ProcessToolResultOptions<F>,
): ToolMessageOf<F> {
  options = checkOptions(options, OPTIONS, 'processToolResult')
  const { result, tracker } = options
  const format = (options.format ?? 'openai-chat') as F
  const call = readToolCall(options.toolCall)
  if (typeof result !== 'string' && !isRecord(result))
    refuse('result', 'a string or an object with `content`', result)
  const fields: ToolResultObject = typeof result === 'string' ? {} : result
  const isError = fields.success === false || fields.isError === true || result instanceof Error
  const text = textOf(result)
  if (fields._ephemeral === true || fields.ephemeral === true) {
    tracker?.skip(call)
    const content = warned(text, fields._ephemeral_warning)
    return { ...written(call, content, isError, format), metadata: { ephemeral: true } }
  }
  return written(call, tracker?.track(call, text) ?? text, isError, format)
}

function textOf(result: string | ToolResultObject): string {
  if (typeof result === 'string') return result
  const { content, suggestion } = result
  const error = result instanceof Error ? result : result.error
  if (typeof content === 'string') return content
  if (typeof error === 'string' || error instanceof Error) {
    const reason = reasonOf(error)
    return wellFormed(typeof suggestion === 'string' ? `Error: ${reason}\n${suggestion}` : `Error: ${reason}`)
  }
  const fields = Object.entries(result).filter(([name]) => !name.startsWith('_'))
  // A `Date` has its own JSON, and a `Map` has none: their fields would say nothing.
  const isOwn = typeof result.toJSON === 'function' || isNotJson(result)
  const shown = content ?? (isOwn ? result : Object.fromEntries(fields))
  readable('result', () => refuseNotJson(shown))
  return checkJson('result', shown)
}

/** Throws if a tool's value holds an object whose JSON would not have its content. */
function refuseNotJson(value: unknown, path = 'result', seen = new Set<object>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  if (typeof (value as JsonRecord).toJSON === 'function') return
  seen.add(value)
  if (!Array.isArray(value) && isNotJson(value))
    refuseWith(
      path,
      `${path} has no JSON (${value.constructor.name}): give its content as text or plain JSON`,
    )
  for (const [key, field] of Object.entries(value)) refuseNotJson(field, `${path}.${key}`, seen)
}

/** Writes a result as a message, with the format's own writer. */
function written<F extends ToolResultFormat>(
  { id, name }: ToolCallFacts,
  content: string,
  isError: boolean,
  format: F,
): ToolMessageOf<F> {
  const [message] = writeAnswers([{ id, name, content, isError }], format)
  // The document's message contains the tool's name.
  const named = format === 'openai-chat' ? { ...message, name } : message
  return named as unknown as ToolMessageOf<F>
}
