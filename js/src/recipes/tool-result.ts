import { checkJson, checkOptions, oneOf, refuse, withMethods } from '../base/check.js'
import { FORMATS } from '../base/format.js'
import { isRecord } from '../base/json.js'
import { writeAnswers } from '../formats/convert.js'
import type { Format } from '../generated/types.js'
import type { ResultTracker } from './result-tracker.js'
import { type AnyToolCall, readToolCall, type ToolCallFacts } from './tool-call.js'

/** What a tool gave back. Fields that begin with `_` are between tool and host: the model does not see them. */
export interface ToolResultObject {
  /** What the model reads; without it, the error, or else all fields as JSON. */
  content?: unknown
  /** Whether it worked. */
  success?: boolean
  /** The same the other way round, as the tools of `trimtab/tools` and MCP say it. */
  isError?: boolean
  error?: unknown
  suggestion?: unknown
  /** The result is to leave the conversation after its turn. Any tool may say so. */
  _ephemeral?: boolean
  /** The same from the tools of `trimtab/tools`, whose content has the warning already. */
  ephemeral?: boolean
  /** What to tell the model of that, in front of the content. */
  _ephemeral_warning?: string
  [field: string]: unknown
}

/** The formats that have a message for a tool result: in `ai-sdk-ui` it stands in the assistant's message. */
export type ToolResultFormat = Exclude<Format, 'ai-sdk-ui'>

/** What {@link processToolResult} takes. */
export interface ProcessToolResultOptions<F extends ToolResultFormat = ToolResultFormat> {
  /** The call, as the model wrote it. */
  toolCall: AnyToolCall
  result: string | ToolResultObject
  /** Makes a result that repeats one the model sees a pointer to it. */
  tracker?: ResultTracker
  /** What the message is written in. Default `openai-chat`. */
  format?: F
}

/** A tool result in the shape of document "ReadTool Improvements". */
export interface ToolMessage extends EphemeralMark {
  role: 'tool'
  tool_call_id: string
  name: string
  content: string
}

interface EphemeralMark {
  metadata?: { ephemeral: true }
}

/** The message of a tool result by format: each is one of the provider's own message types. */
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
  /** The plain form: `new ToolMessage(message)` makes an instance of it. */
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
  toolCall: null,
  result: null,
  tracker: withMethods<ResultTracker>('what createResultTracker() gives', 'track', 'skip'),
  format: oneOf(FORMATS.filter((format) => format !== 'ai-sdk-ui')),
}

/**
 * The message for a tool's result: document "ReadTool Improvements". An ephemeral result gets its warning in front, a
 * blank line between, and the mark `metadata.ephemeral`; `cleanupEphemeralMessages` and the ephemeral pass go by it. Any
 * other that repeats a result which the tracker knows to be seen becomes a pointer to that.
 *
 * The mark is a field of the message in every format. The providers' own interfaces know no such field: a host that
 * sends its messages as they are takes it out of what it sends.
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
  const fields = typeof result === 'string' ? {} : checkResult(result)
  const isError = fields.success === false || fields.isError === true
  const text = textOf(result)
  if (fields._ephemeral === true || fields.ephemeral === true) {
    tracker?.skip(call)
    const warning = fields._ephemeral_warning
    const content = typeof warning === 'string' ? `${warning}\n\n${text}` : text
    return { ...written(call, content, isError, format), metadata: { ephemeral: true } }
  }
  return written(call, tracker?.track(call, text) ?? text, isError, format)
}

function checkResult(result: unknown): ToolResultObject {
  return isRecord(result) ? result : refuse('result', 'a string or an object with `content`', result)
}

function textOf(result: string | ToolResultObject): string {
  if (typeof result === 'string') return result
  const { content, error, suggestion } = result
  if (typeof content === 'string') return content
  if (typeof error === 'string') {
    return typeof suggestion === 'string' ? `Error: ${error}\n${suggestion}` : `Error: ${error}`
  }
  const fields = Object.entries(result).filter(([name]) => !name.startsWith('_'))
  return checkJson('result', content ?? Object.fromEntries(fields))
}

/** The message of a result in a format, by the format's own writer. */
function written<F extends ToolResultFormat>(
  { id, name }: ToolCallFacts,
  content: string,
  isError: boolean,
  format: F,
): ToolMessageOf<F> {
  const [message] = writeAnswers([{ id, name, content, isError }], format)
  // The document's message names the tool.
  const named = format === 'openai-chat' ? { ...message, name } : message
  return named as unknown as ToolMessageOf<F>
}
