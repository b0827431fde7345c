import { type Fields, type Json, openai } from './oracle-chat.js'

/**
 * Validity of AI SDK and LangChain histories, written from their sources and error messages, not from the
 * engine.
 */

const asList = (value: Json): Fields[] => (Array.isArray(value) ? (value as Fields[]) : [])
const asRecord = (value: Json): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

const OUTPUTS: Record<string, (value: Json) => boolean> = {
  text: (value) => typeof value === 'string',
  'error-text': (value) => typeof value === 'string',
  json: (value) => value !== undefined,
  'error-json': (value) => value !== undefined,
  content: Array.isArray,
  'execution-denied': () => true,
}

/**
 * AI SDK: "Tool result is missing for tool call" (`MissingToolResultsError`), unless the provider executes
 * the call, or the SDK does so before it sends the last message; "The messages do not match the
 * ModelMessage[] schema"; providers require results directly after their calls, and content after empty texts
 * are removed.
 */
export function aiSdk(messages: Fields[]): string[] {
  const found: string[] = []
  let open = new Set<Json>()
  let caller = 0
  const close = () => {
    if (open.size > 0) found.push(`${caller}: unanswered call`)
    open = new Set()
  }
  messages.forEach(({ role, content }, i) => {
    const parts = asList(content)
    const isEmpty = (part: Fields) => part.type === 'text' && part.text === '' && !part.providerOptions
    if (Array.isArray(content) ? parts.every(isEmpty) : content === '') found.push(`${i}: no content`)
    if (role !== 'tool') close()
    for (const part of parts.filter(({ type }) => type === 'tool-result' && role !== 'assistant')) {
      if (role !== 'tool') found.push(`${i}: result of the user`)
      else if (!part.toolCallId) found.push(`${i}: result without id`)
      else if (!open.delete(part.toolCallId)) found.push(`${i}: result without open call`)
    }
    for (const { output } of parts.filter(({ type }) => type === 'tool-result')) {
      const { type, value } = asRecord(output)
      if (OUTPUTS[String(type)]?.(value) !== true) found.push(`${i}: output of type ${String(type)}`)
    }
    const calls = parts.filter(({ type, providerExecuted }) => type === 'tool-call' && !providerExecuted)
    if (calls.length > 0 && role !== 'assistant') found.push(`${i}: call of the user`)
    if (role !== 'assistant') return
    const awaited = calls.filter((call) => !isApproved(call, parts, messages, i))
    if (awaited.some(({ toolCallId }) => !toolCallId)) found.push(`${i}: call without id`)
    open = new Set(awaited.map(({ toolCallId }) => toolCallId))
    if (open.size < awaited.length) found.push(`${i}: same id twice`)
    caller = i
  })
  close()
  return found
}

/** Whether the SDK executes a call before it sends a request: it was approved in the last message. */
function isApproved(call: Fields, beside: Fields[], messages: Fields[], i: number): boolean {
  if (i + 2 !== messages.length || messages[i + 1]?.role !== 'tool') return false
  const answers = asList(messages[i + 1]?.content)
  const names = ({ toolCallId }: Fields) => toolCallId === call.toolCallId
  return (
    beside.some((part) => part.type === 'tool-approval-request' && names(part)) &&
    answers.some(({ type }) => type === 'tool-approval-response') &&
    !answers.some((part) => part.type === 'tool-result' && names(part))
  )
}

/**
 * AI SDK: "Message must contain at least one part", except the assistant's; "Type validation failed" if an
 * answered part lacks the output or error that its state requires; "Tool result is missing for tool call" for
 * an unanswered part.
 */
export function aiSdkUi(messages: Fields[]): string[] {
  const found: string[] = []
  messages.forEach((message, i) => {
    const parts = asList(message.parts)
    if (parts.length === 0 && message.role !== 'assistant') found.push(`${i}: no content`)
    if (message.role !== 'assistant') return
    const isTool = ({ type }: Fields) => type === 'dynamic-tool' || /^tool-/.test(String(type))
    const tools = parts.filter(isTool)
    if (tools.some(({ toolCallId }) => !toolCallId)) found.push(`${i}: call without id`)
    const ids = tools.flatMap(({ toolCallId }) => (toolCallId ? [toolCallId] : []))
    if (new Set(ids).size < ids.length) found.push(`${i}: same id twice`)
    for (const part of tools) {
      const { state, providerExecuted } = part
      if (hasOtherShape(part)) found.push(`${i}: answer of another shape`)
      const isDone = /^output-/.test(String(state)) || providerExecuted === true
      const runsFirst = state === 'approval-responded' && i === messages.length - 1
      if (!isDone && !runsFirst) found.push(`${i}: unanswered call`)
    }
  })
  return found
}

function hasOtherShape({ state, output, errorText }: Fields): boolean {
  if (state === 'output-error') return typeof errorText !== 'string' || (output ?? undefined) !== undefined
  return state === 'output-available' && (output === undefined || (errorText ?? undefined) !== undefined)
}

/**
 * LangChain passes messages on to a provider: the rules of chat messages apply, and an empty list of calls
 * means none. LangGraph: "Found AIMessages with tool_calls that do not have a corresponding ToolMessage."
 */
export function langchain(messages: Fields[]): string[] {
  return openai(
    messages.map((message) => {
      const body = asRecord(message.data ?? message.kwargs ?? message)
      const calls = asList(body.tool_calls)
      const copies = asRecord(body.additional_kwargs)
      const isCopied = asList(copies.tool_calls).length > 0 || copies.function_call !== undefined
      const role = roleOf(message)
      // LangChain passes an assistant's empty text on to providers, which refuse it.
      const isSilent = role === 'assistant' && body.content === '' && calls.length === 0 && !isCopied
      return {
        role,
        content: isSilent ? null : body.content,
        tool_call_id: body.tool_call_id,
        ...(calls.length > 0 ? { tool_calls: calls as Json } : {}),
        ...(isCopied ? { function_call: {} } : {}),
      }
    }),
  )
}

const ROLES: Record<string, string> = { human: 'user', ai: 'assistant', tool: 'tool', function: 'function' }

function roleOf(message: Fields): string {
  const own: unknown = message
  const asked = (own as { _getType?: () => string })._getType?.()
  const named = Array.isArray(message.id) ? String(message.id.at(-1)) : String(asked ?? message.type)
  return ROLES[named.replace(/Message(Chunk)?$/, '').toLowerCase()] ?? 'system'
}
