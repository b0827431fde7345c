/**
 * Validity of OpenAI Chat Completions and Anthropic Messages histories, written from their rules and error
 * messages, not from the engine. Problems are `<position>: <what>`.
 */
export type Json = { [key: string]: Json } | Json[] | string | number | boolean | null | undefined
export type Fields = { [key: string]: Json }

const asList = (value: Json): Fields[] => (Array.isArray(value) ? (value as Fields[]) : [])
const isBlank = (value: Json) => typeof value !== 'string' || value.trim() === ''
const isObject = (value: Json) => typeof value === 'object' && value !== null

/**
 * OpenAI: "An assistant message with 'tool_calls' must be followed by tool messages responding to each
 * 'tool_call_id'"; "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'";
 * "Duplicate value for 'tool_call_id'"; "Invalid 'messages[1].tool_calls': empty array"; "Invalid value for
 * 'content': expected a string, got null", unless an assistant message has calls, a refusal or audio.
 */
export function openai(messages: Fields[]): string[] {
  const found: string[] = []
  let open = new Set<Json>()
  let caller = 0
  const close = () => {
    if (open.size > 0) found.push(`${caller}: unanswered call`)
    open = new Set()
  }
  messages.forEach((message, i) => {
    const { role, content, tool_calls } = message
    const hasContent = typeof content === 'string' || asList(content).length > 0
    if (role === 'tool') {
      if (!message.tool_call_id) found.push(`${i}: result without id`)
      if (!open.delete(message.tool_call_id)) found.push(`${i}: result without open call`)
      if (!hasContent) found.push(`${i}: no content`)
      return
    }
    close()
    const calls = role === 'assistant' ? asList(tool_calls) : []
    if (Array.isArray(tool_calls) && tool_calls.length === 0) found.push(`${i}: no calls in tool_calls`)
    if (calls.some((call) => !call.id)) found.push(`${i}: call without id`)
    open = new Set(calls.map((call) => call.id))
    caller = i
    if (open.size < calls.length) found.push(`${i}: same id twice`)
    const instead = calls.length > 0 || !isBlank(message.refusal) || isObject(message.audio)
    const isSilent = role === 'assistant' && (instead || isObject(message.function_call))
    if (!hasContent && !(isSilent && !Array.isArray(content))) found.push(`${i}: no content`)
  })
  close()
  return found
}

/**
 * Anthropic: "`tool_use` ids were found without `tool_result` blocks immediately after" (also if a text is
 * between them, in either message); "unexpected `tool_use_id` found in `tool_result` blocks"; "each tool_use
 * must have a single result"; "`tool_use` ids must be unique"; "tool_use.id: String should match pattern";
 * "`tool_result` blocks can only be in `user` messages"; "all messages must have non-empty content except for
 * the optional final assistant message"; "text content blocks must be non-empty", nor white space only; "The
 * final block in an assistant message cannot be `thinking`"; "first message must use the "user" role", or
 * begin with a compaction. Content before the last compaction with content is ignored, unless the compaction
 * is signed: "The `compaction` block is not the first block". Instructions within the conversation follow the
 * user and precede the model: "messages.0: use the top-level 'system' parameter".
 */
export function anthropic(all: Fields[]): string[] {
  const found: string[] = []
  const isCompaction = (block: Fields) => block.type === 'compaction' && typeof block.content === 'string'
  const start = all.findLastIndex(({ content }) => asList(content).some(isCompaction))
  const compaction = asList(all[start]?.content).findLastIndex(isCompaction)
  const isSigned = asList(all[start]?.content)[compaction]?.signature !== undefined
  if (isSigned && (start > 0 || compaction > 0)) found.push(`${start}: signed compaction not first`)
  const messages = all.slice(Math.max(0, start))
  const ids = new Set<Json>()
  let open = new Set<Json>()
  if (start === -1 && messages[0]?.role === 'assistant') found.push('0: assistant first')
  messages.forEach((message, at) => {
    const i = at + Math.max(0, start)
    const isLast = at === messages.length - 1
    const { content, role } = message
    if (role === 'system' && !isInstruction(messages, at)) found.push(`${i}: system out of place`)
    const isDirective = role === 'system' && message.output_config !== undefined
    const mayBeEmpty =
      isDirective || (isLast && role === 'assistant' && !(typeof content === 'string' && content !== ''))
    const blocks = asList(content)
    if (typeof content === 'string' ? isBlank(content) : blocks.length === 0)
      if (!mayBeEmpty) found.push(`${i}: no content`)
    found.push(...checkResults(blocks, role, open).map((what) => `${i}: ${what}`))
    if (open.size > 0) found.push(`${i - 1}: unanswered call`)
    found.push(...checkCalls(blocks, role, ids).map((what) => `${i}: ${what}`))
    const calls = blocks.filter((block) => role === 'assistant' && block.type === 'tool_use')
    open = new Set(calls.map((block) => block.id))
    const texts = [...blocks, ...blocks.flatMap((block) => asList(block.content))]
    if (texts.some((block) => block.type === 'text' && isBlank(block.text))) found.push(`${i}: empty text`)
    if (role === 'assistant' && /thinking/.test(String(blocks.at(-1)?.type)))
      found.push(`${i}: ends in reasoning`)
  })
  if (open.size > 0) found.push(`${all.length - 1}: unanswered call`)
  return found
}

/**
 * "role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result", and
 * "must precede an 'assistant' message or end the array"; "the directive-only form is accepted at any
 * position". Consecutive ones count as one.
 */
function isInstruction(messages: Fields[], at: number): boolean {
  if (messages[at]?.output_config !== undefined) return true
  const before = messages.slice(0, at).findLast(({ role }) => role !== 'system')
  const behind = messages.slice(at).find(({ role }) => role !== 'system')
  const isServers = /_tool_result$/.test(String(asList(before?.content).at(-1)?.type))
  return (before?.role === 'user' || isServers) && (behind === undefined || behind.role === 'assistant')
}

/** Checks results, and removes answered calls from `open`. */
function checkResults(blocks: Fields[], role: Json, open: Set<Json>): string[] {
  const found: string[] = []
  blocks.forEach((block, position) => {
    if (block.type !== 'tool_result') return
    if (role !== 'user') found.push('result of the assistant')
    else if (!block.tool_use_id) found.push('result without id')
    else if (!open.delete(block.tool_use_id)) found.push('result without open call')
    else if (blocks.slice(0, position).some((other) => other.type !== 'tool_result'))
      found.push('result behind other blocks')
  })
  return found
}

function checkCalls(blocks: Fields[], role: Json, ids: Set<Json>): string[] {
  const found: string[] = []
  let called = false
  for (const block of blocks) {
    if (block.type === 'text' && called) found.push('text behind a call')
    if (block.type !== 'tool_use') continue
    called = true
    if (role !== 'assistant') found.push('call of the user')
    else if (!block.id) found.push('call without id')
    else if (ids.has(block.id)) found.push('same id twice')
    else if (!/^[a-zA-Z0-9_-]+$/.test(String(block.id))) found.push('id with other characters')
    ids.add(block.id)
  }
  return found
}
