import type { Format } from 'trimtab'

/** When a provider accepts a history: written from the providers' rules, not from the engine. */
type Json = { [key: string]: Json } | Json[] | string | number | boolean | null | undefined

const ORACLES: Record<Format, (messages: { [key: string]: Json }[]) => string[]> = {
  'openai-chat': openai,
  'openai-responses': responses,
  anthropic,
}

export function problems(messages: readonly object[], format: Format): string[] {
  return ORACLES[format](messages as unknown as { [key: string]: Json }[])
}

const asList = (value: Json): { [key: string]: Json }[] => (Array.isArray(value) ? (value as never) : [])

/**
 * OpenAI: an assistant message with `tool_calls` must be followed by tool messages answering each id, tool messages
 * answer a call before them, `tool_calls` is not empty, an assistant without calls says something.
 */
function openai(messages: { [key: string]: Json }[]): string[] {
  const found: string[] = []
  let open = new Set<Json>()
  messages.forEach((message, i) => {
    if (message.role !== 'tool' && open.size > 0) {
      found.push(`${i}: unanswered ${[...open].join()}`)
      open = new Set()
    }
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) found.push(`${i}: answers no open call`)
      const { content } = message
      if (typeof content !== 'string' && asList(content).length === 0) found.push(`${i}: no content`)
    }
    if (message.role === 'assistant') {
      if (Array.isArray(message.tool_calls) && message.tool_calls.length === 0)
        found.push(`${i}: no calls in tool_calls`)
      if (message.tool_calls === undefined && !message.content) found.push(`${i}: says nothing`)
      open = new Set(asList(message.tool_calls).map((call) => call.id))
    }
  })
  if (open.size > 0) found.push('end: unanswered')
  return found
}

/**
 * Anthropic: each `tool_use` has its `tool_result` in the next message, results before other blocks, no empty content
 * and no empty text block.
 */
function anthropic(messages: { [key: string]: Json }[]): string[] {
  const found: string[] = []
  let open = new Set<Json>()
  messages.forEach((message, i) => {
    const { content } = message
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)
    if (blocks.length === 0) found.push(`${i}: empty content`)
    let otherSeen = false
    for (const block of blocks) {
      if (block.type === 'tool_result') {
        const fits = message.role === 'user' && !otherSeen && open.delete(block.tool_use_id)
        if (!fits) found.push(`${i}: result out of place`)
      } else {
        otherSeen = true
        if (block.type === 'text' && !block.text) found.push(`${i}: empty text`)
      }
    }
    if (open.size > 0) found.push(`${i}: calls without results right after`)
    open = new Set(blocks.filter((block) => block.type === 'tool_use').map((block) => block.id))
  })
  if (open.size > 0) found.push('end: unanswered')
  return found
}

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
