import type { Format } from 'trimtab'

/**
 * Checks that providers make on a conversation, written from their documentation and not from the code under
 * test. A call may lack a result, since sessions may end there, but a result is never in the wrong place.
 */
type Json = Record<string, unknown>

export function problemsOf(messages: readonly object[], format: Format): string[] {
  return format === 'anthropic' ? anthropicProblems(messages as Json[]) : chatProblems(messages as Json[])
}

const ANTHROPIC_USER_BLOCKS = new Set(['text', 'image', 'document', 'tool_result'])
const ANTHROPIC_ASSISTANT_BLOCKS = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use'])

function anthropicProblems(messages: Json[]): string[] {
  const problems: string[] = []
  const callIds = new Set<string>()
  let expected = new Set<string>()
  messages.forEach((message, index) => {
    const say = (what: string): number => problems.push(`message ${index}: ${what}`)
    if (message.role !== 'user' && message.role !== 'assistant') say(`role ${String(message.role)}`)
    if (typeof message.content === 'string') {
      if (message.content.trim() === '') say('empty content')
      expected = new Set()
      return
    }
    const blocks = (message.content ?? []) as Json[]
    if (blocks.length === 0) say('no content')
    const called = new Set<string>()
    let behindOthers = false
    for (const block of blocks) {
      const known = message.role === 'user' ? ANTHROPIC_USER_BLOCKS : ANTHROPIC_ASSISTANT_BLOCKS
      if (!known.has(String(block.type))) say(`block ${String(block.type)} of a ${String(message.role)}`)
      if (block.type === 'text' && String(block.text ?? '').trim() === '') say('text block without text')
      if (block.type === 'thinking' && !block.signature) say('thinking without a signature')
      if (block.type === 'tool_use') {
        const id = String(block.id)
        if (!/^[a-zA-Z0-9_-]+$/.test(id)) say(`call id ${id}`)
        if (callIds.has(id)) say(`call id ${id} again`)
        if (typeof block.input !== 'object' || block.input === null) say('input that is no object')
        callIds.add(id)
        called.add(id)
      }
      if (block.type === 'tool_result') {
        if (!expected.delete(String(block.tool_use_id)))
          say(`result ${String(block.tool_use_id)} without its call`)
        if (behindOthers) say('result behind other blocks')
        problems.push(...resultProblems(block, index))
      } else behindOthers = true
    }
    expected = message.role === 'assistant' ? called : new Set()
  })
  return problems
}

function resultProblems(block: Json, index: number): string[] {
  if (typeof block.content === 'string' || block.content === undefined) return []
  const items = block.content as Json[]
  return items.flatMap((item) =>
    item.type === 'text' || item.type === 'image'
      ? []
      : [`message ${index}: ${String(item.type)} in a result`],
  )
}

const CHAT_ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

function chatProblems(messages: Json[]): string[] {
  const problems: string[] = []
  let open: string[] = []
  messages.forEach((message, index) => {
    const say = (what: string): number => problems.push(`message ${index}: ${what}`)
    const { role, content } = message
    if (!CHAT_ROLES.has(String(role))) say(`role ${String(role)}`)
    if (role === 'tool') {
      const at = open.indexOf(String(message.tool_call_id))
      if (at === -1) say(`result ${String(message.tool_call_id)} without its call`)
      else open.splice(at, 1)
    } else open = []
    if (role === 'assistant') {
      const calls = (message.tool_calls ?? []) as Json[]
      if (message.tool_calls !== undefined && calls.length === 0) say('empty tool_calls')
      if ((content === null || content === undefined || content === '') && calls.length === 0)
        say('no content')
      open = calls.map((call) => String(call.id))
      for (const call of calls) {
        const body = (call.function ?? call.custom) as Json | undefined
        if (typeof body?.name !== 'string') say('call without a name')
        if (call.type === 'function' && typeof body?.arguments !== 'string') say('arguments that are no text')
      }
    } else if (content === null || content === undefined) say('no content')
    if (Array.isArray(content)) {
      if (content.length === 0) say('empty list of parts')
      const allowed = role === 'user' ? ['text', 'image_url', 'input_audio', 'file'] : ['text']
      for (const part of content as Json[]) {
        if (!allowed.includes(String(part.type))) say(`part ${String(part.type)} of a ${String(role)}`)
      }
    }
  })
  return problems
}
