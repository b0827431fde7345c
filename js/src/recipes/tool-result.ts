import { TrimtabError } from '../base/error.js'
import { checkOptions } from '../base/options.js'
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
): ToolMessages[F] {
  checkOptions(options, ['toolCall', 'result', 'tracker', 'format'], 'processToolResult')
  const { result, tracker } = options
  const write = writerOf(options.format ?? 'openai-chat') as Writer<F>
  const call = readToolCall(options.toolCall)
  const fields = typeof result === 'string' ? {} : checkResult(result)
  const isError = fields.success === false || fields.isError === true
  const text = textOf(result)
  if (fields._ephemeral === true || fields.ephemeral === true) {
    tracker?.skip(call)
    const warning = fields._ephemeral_warning
    const content = typeof warning === 'string' ? `${warning}\n\n${text}` : text
    return { ...write(call, content, isError), metadata: { ephemeral: true } }
  }
  return write(call, tracker?.track(call, text) ?? text, isError)
}

function checkResult(result: unknown): ToolResultObject {
  if (typeof result === 'object' && result !== null && !Array.isArray(result))
    return result as ToolResultObject
  const message = `result must be a text or an object with \`content\`, found ${JSON.stringify(result) ?? 'nothing'}`
  throw new TrimtabError('invalid_option', message, { argument: 'result' })
}

function textOf(result: string | ToolResultObject): string {
  if (typeof result === 'string') return result
  const { content, error, suggestion } = result
  if (typeof content === 'string') return content
  if (typeof error === 'string') {
    return typeof suggestion === 'string' ? `Error: ${error}\n${suggestion}` : `Error: ${error}`
  }
  const fields = Object.entries(result).filter(([name]) => !name.startsWith('_'))
  try {
    return JSON.stringify(content ?? Object.fromEntries(fields))
  } catch (cause) {
    const message = `result must be a text or plain JSON: ${String(cause)}`
    throw new TrimtabError('invalid_option', message, { argument: 'result', cause })
  }
}

function writerOf(format: ToolResultFormat): Writer<ToolResultFormat> {
  if (Object.hasOwn(WRITERS, format)) return WRITERS[format]
  const known = Object.keys(WRITERS).join(', ')
  const message = `format ${JSON.stringify(format)} is not possible: a result has a message of its own in ${known}`
  throw new TrimtabError('invalid_option', message, { argument: 'format' })
}

type Writer<F extends ToolResultFormat> = (
  call: ToolCallFacts,
  content: string,
  isError: boolean,
) => ToolMessages[F]

const WRITERS: { [F in ToolResultFormat]: Writer<F> } = {
  'openai-chat': ({ id, name }, content) => ({ role: 'tool', tool_call_id: id, name, content }),
  'openai-responses': ({ id }, output) => ({ type: 'function_call_output', call_id: id, output }),
  anthropic: ({ id }, content, isError) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }],
  }),
  'ai-sdk': ({ id, name }, value, isError) => ({
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: isError ? 'error-text' : 'text', value },
      },
    ],
  }),
  gemini: ({ id, name }, text, isError) => ({
    role: 'user',
    parts: [
      {
        functionResponse: {
          ...(id === '' ? {} : { id }),
          name,
          response: isError ? { error: text } : { output: text },
        },
      },
    ],
  }),
  langchain: ({ id, name }, content, isError) => ({
    type: 'tool',
    tool_call_id: id,
    name,
    content,
    status: isError ? 'error' : 'success',
  }),
}
