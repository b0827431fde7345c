import type { Fields, Json } from './oracle-chat.js'

/**
 * Validity of OpenAI Responses and Gemini histories, written from their rules and error messages, not from
 * the engine.
 */

const asList = (value: Json): Fields[] => (Array.isArray(value) ? (value as Fields[]) : [])
const asRecord = (value: Json): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/**
 * Calls that the host answers, by the type of their output. A local shell call is answered like a function
 * call.
 */
const CALLS: Record<string, string> = {
  function_call: 'function',
  local_shell_call: 'function',
  custom_tool_call: 'custom',
  shell_call: 'shell',
  apply_patch_call: 'patch',
  computer_call: 'computer',
}
const NEEDS_OUTPUT = ['function_call', 'custom_tool_call', 'local_shell_call', 'shell_call']
const OF_THE_MODEL = ['reasoning', 'item_reference', 'compaction']

/**
 * OpenAI Responses: "No tool output found for function call"; "No tool call found for function call output
 * with call_id", also if the call comes later; "Duplicate 'call_id'"; "Invalid 'input[4].call_id': empty
 * string"; "Duplicate item found with id"; "Item of type 'reasoning' was provided without its required
 * following item".
 */
export function responses(items: Fields[]): string[] {
  const found: string[] = []
  const open = new Map<string, number>()
  const called = new Set<string>()
  const ids = new Set<Json>()
  let reasoned: number | undefined
  items.forEach((item, i) => {
    const type = typeof item.type === 'string' ? item.type : 'message'
    const isModels = item.role === 'assistant' || type.endsWith('_call') || OF_THE_MODEL.includes(type)
    if (reasoned !== undefined && !isModels) found.push(`${reasoned}: reasoning alone`)
    if (type === 'reasoning') reasoned ??= i
    else reasoned = undefined
    const answered = type.endsWith('_output') ? type.slice(0, -'_output'.length) : undefined
    const kind = CALLS[answered ?? type]
    const key = `${kind} ${item.call_id ?? (answered && item.id)}`
    if (answered === undefined && item.id) {
      if (ids.has(item.id)) found.push(`${i}: same item twice`)
      ids.add(item.id)
    }
    if (kind === undefined) return
    if (answered === undefined) {
      if (!item.call_id) found.push(`${i}: call without id`)
      else if (called.has(key)) found.push(`${i}: same id twice`)
      called.add(key)
      open.set(key, i)
      return
    }
    if (!item.call_id && !item.id) found.push(`${i}: result without id`)
    else if (!open.delete(key)) found.push(`${i}: result without open call`)
    const isEmpty = typeof item.output !== 'string' && asList(item.output).length === 0
    if (isEmpty && NEEDS_OUTPUT.includes(answered)) found.push(`${i}: no content`)
  })
  if (reasoned !== undefined) found.push(`${reasoned}: reasoning alone`)
  return [...found, ...[...open.values()].map((i) => `${i}: unanswered call`)]
}

/**
 * Gemini: "the number of function response parts is equal to the number of function call parts of the
 * function call turn"; "function response turn comes immediately after a function call turn"; "function call
 * turn comes immediately after a user turn or after a function response turn"; a response has the name of its
 * call, and its id if it has one; `response` is an object; "contents.parts must not be empty"; "empty text
 * parameter"; "required oneof field 'data' must have one initialized field".
 */
export function gemini(contents: Fields[]): string[] {
  const found: string[] = []
  let open: Fields[] = []
  contents.forEach((content, i) => {
    const parts = asList(content.parts)
    const isModels = content.role === 'model'
    if (parts.length === 0) found.push(`${i}: no content`)
    for (const part of parts) {
      const isEmpty = part.text === '' && part.thoughtSignature === undefined
      if (isEmpty || Object.keys(part).length === 0) found.push(`${i}: empty text`)
    }
    const having = (key: string) => parts.filter((part) => part[key]).map((part) => asRecord(part[key]))
    const answers = having('functionResponse')
    if (isModels && answers.length > 0) found.push(`${i}: result of the model`)
    found.push(...unmatched(isModels ? [] : answers, open, i))
    for (const { response } of answers)
      if (asRecord(response) !== response) found.push(`${i}: response is no object`)
    const calls = having('functionCall')
    if (!isModels && calls.length > 0) found.push(`${i}: call of the user`)
    open = isModels ? calls : []
    const ids = open.flatMap(({ id }) => (id ? [id] : []))
    if (new Set(ids).size < ids.length) found.push(`${i}: same id twice`)
    if (open.length > 0 && (i === 0 || contents[i - 1]?.role === 'model'))
      found.push(`${i}: calls after the model`)
  })
  if (open.length > 0) found.push(`${contents.length - 1}: unanswered call`)
  return found
}

/** Matches responses with the calls before them, by id first and then by name. */
function unmatched(answers: Fields[], calls: Fields[], i: number): string[] {
  const found: string[] = []
  const open = [...calls]
  const take = (fits: (call: Fields) => boolean, answer: Fields) => {
    const at = open.findIndex(fits)
    if (at < 0) found.push(`${i}: result without open call`)
    else if (open.splice(at, 1)[0]?.name !== answer.name) found.push(`${i}: another name`)
  }
  for (const answer of answers.filter(({ id }) => id)) take((call) => call.id === answer.id, answer)
  for (const answer of answers.filter(({ id }) => !id)) take((call) => call.name === answer.name, answer)
  return open.length > 0 ? [...found, `${i - 1}: unanswered call`] : found
}
