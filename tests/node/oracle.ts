import type { Format } from 'trimtab'
import { anthropic, type Json, openai } from './oracle-chat.js'

/** When a provider accepts a history: written from the providers' rules, not from the engine. */

const ORACLES: Record<Format, (messages: { [key: string]: Json }[]) => string[]> = {
  'openai-chat': openai,
  'openai-responses': responses,
  anthropic,
  'ai-sdk': aiSdk,
  'ai-sdk-ui': aiSdkUi,
  gemini,
  langchain,
}

export function problems(messages: readonly object[], format: Format): string[] {
  return ORACLES[format](messages as unknown as { [key: string]: Json }[])
}

const asList = (value: Json): { [key: string]: Json }[] => (Array.isArray(value) ? (value as never) : [])

/**
 * OpenAI Responses: each call has its output and each output its call, of the same type; a reasoning item keeps an item
 * of the model's behind it.
 */
function responses(items: { [key: string]: Json }[]): string[] {
  const found: string[] = []
  const open = new Set<string>()
  let reasoned = false
  items.forEach((item, i) => {
    const type = typeof item.type === 'string' ? item.type : 'message'
    if (reasoned && !type.endsWith('_call') && item.role !== 'assistant') found.push(`${i}: reasoning alone`)
    reasoned = type === 'reasoning'
    if (type.endsWith('_call')) open.add(`${type} ${item.call_id}`)
    if (type.endsWith('_output')) {
      if (!open.delete(`${type.slice(0, -'_output'.length)} ${item.call_id}`))
        found.push(`${i}: no open call`)
      if (typeof item.output !== 'string' && asList(item.output).length === 0) found.push(`${i}: no output`)
    }
  })
  if (open.size > 0 || reasoned) found.push('end: unanswered')
  return found
}

const asRecord = (value: Json): { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

const OUTPUTS: Record<string, (value: Json) => boolean> = {
  text: (value) => typeof value === 'string',
  'error-text': (value) => typeof value === 'string',
  json: (value) => value !== undefined,
  'error-json': (value) => value !== undefined,
  content: Array.isArray,
}

/** AI SDK: every call has its result before the next turn, each output the value that its type wants. */
function aiSdk(messages: { [key: string]: Json }[]): string[] {
  const found: string[] = []
  const open = new Set<Json>()
  messages.forEach((message, i) => {
    const parts = asList(message.content)
    if (Array.isArray(message.content) && parts.length === 0) found.push(`${i}: empty content`)
    for (const part of parts) {
      if (part.type === 'tool-call') open.add(part.toolCallId)
      if (part.type !== 'tool-result') continue
      if (!open.delete(part.toolCallId)) found.push(`${i}: no open call`)
      const { type, value } = asRecord(part.output)
      if (OUTPUTS[String(type)]?.(value) !== true) found.push(`${i}: output of type ${String(type)}`)
    }
    if (message.role !== 'assistant' && open.size > 0) found.push(`${i}: unanswered`)
  })
  if (open.size > 0) found.push('end: unanswered')
  return found
}

/** AI SDK: a message has parts, and an answered part the output or the error that its state wants. */
function aiSdkUi(messages: { [key: string]: Json }[]): string[] {
  return messages.flatMap((message, i) => {
    const parts = asList(message.parts)
    const isWrong = (part: { [key: string]: Json }) => {
      if (part.state === 'output-error') return typeof part.errorText !== 'string' || 'output' in part
      return part.state === 'output-available' && (part.output === undefined || 'errorText' in part)
    }
    return parts.length === 0 || parts.some(isWrong) ? [`${i}: parts`] : []
  })
}

/**
 * Gemini: as many results as calls right after them, of the same names and ids; calls only after a content of the
 * user's; a response is an object; no content is empty.
 */
function gemini(contents: { [key: string]: Json }[]): string[] {
  const found: string[] = []
  let open = ''
  contents.forEach((content, i) => {
    const parts = asList(content.parts)
    if (parts.length === 0) found.push(`${i}: empty`)
    const named = (key: string) =>
      parts
        .filter((part) => key in part)
        .map((part) => [asRecord(part[key]).name, asRecord(part[key]).id].join(':'))
        .sort()
        .join()
    if (named('functionResponse') !== open) found.push(`${i}: not answered one by one`)
    for (const { functionResponse } of parts) {
      const { response } = asRecord(functionResponse)
      if (functionResponse !== undefined && Object.keys(asRecord(response)).length === 0)
        found.push(`${i}: response is no object`)
    }
    open = named('functionCall')
    if (open !== '' && contents[i - 1]?.role === 'model') found.push(`${i}: calls after the model's content`)
  })
  if (open !== '') found.push('end: unanswered')
  return found
}

/** LangChain sends on to a provider: the rules of chat messages, with an empty list of calls for none. */
function langchain(messages: { [key: string]: Json }[]): string[] {
  const roles: Record<string, string> = { tool: 'tool', ToolMessage: 'tool', human: 'user' }
  const chat = messages.map((message) => {
    const body = asRecord(message.data ?? message.kwargs ?? message)
    const kind = Array.isArray(message.id) ? message.id.at(-1) : message.type
    const calls = asList(body.tool_calls)
    const { content, tool_call_id } = body
    const role = roles[String(kind)] ?? 'assistant'
    // LangChain passes an assistant's empty text on to providers that refuse it.
    const isSilent = role === 'assistant' && content === '' && calls.length === 0
    return {
      role,
      content: isSilent ? null : content,
      tool_call_id,
      tool_calls: calls.length > 0 ? (calls as Json) : undefined,
    }
  })
  return openai(chat)
}
