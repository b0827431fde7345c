import type { Format } from 'trimtab'
import type { Call, Turn } from './conversation.js'

/** Conversations written down in each format, valid for their provider: from the providers' references. */
export type Message = Record<string, unknown>
export type { Format }

export const FORMATS: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic']

type Writer = (turn: Turn, number: number) => Message[]

const WRITERS: Record<Format, Writer> = {
  'openai-chat': writeOpenAi,
  'openai-responses': writeResponses,
  anthropic: writeAnthropic,
}

export function write(turns: readonly Turn[], format: Format): Message[] {
  const messages: Message[] = [prompt('start', format)]
  turns.forEach((turn, number) => {
    messages.push(...(turn.prompt ? [prompt(`go on ${number}`, format)] : WRITERS[format](turn, number)))
  })
  return messages
}

function prompt(text: string, _format: Format): Message {
  return { role: 'user', content: text }
}

const content = ({ parts, result }: Call) =>
  parts && result !== '' ? [{ type: 'text', text: result }] : result

function writeOpenAi({ text, reasoning, calls }: Turn, number: number): Message[] {
  const id = (i: number) => `call_${number}_${i}`
  const tool_calls = calls.map((call, i) => ({
    id: id(i),
    type: 'function',
    function: { name: call.tool, arguments: JSON.stringify({ path: `src/file${call.path}.ts` }) },
  }))
  const answer: Message = { role: 'assistant', content: calls.length > 0 ? text : `${text}.` }
  if (reasoning) answer.reasoning_content = 'let me think'
  if (calls.length > 0) answer.tool_calls = tool_calls
  const results = calls.map((call, i) => ({
    role: 'tool',
    tool_call_id: id(i),
    content: content(call),
    ...(call.ephemeral ? { metadata: { ephemeral: true } } : {}),
  }))
  return [answer, ...results.reverse()]
}

function writeAnthropic({ text, reasoning, calls }: Turn, number: number): Message[] {
  const id = (i: number) => `toolu_${number}_${i}`
  const blocks: object[] = []
  if (reasoning) blocks.push({ type: 'thinking', thinking: 'let me think', signature: 'c2ln' })
  if (calls.length === 0 || text.trim() !== '') blocks.push({ type: 'text', text: `${text}.` })
  calls.forEach((call, i) => {
    blocks.push({ type: 'tool_use', id: id(i), name: call.tool, input: { path: `src/file${call.path}.ts` } })
  })
  const answer = { role: 'assistant', content: blocks }
  if (calls.length === 0) return [answer]
  const results = calls.map((call, i) => ({
    type: 'tool_result',
    tool_use_id: id(i),
    content: content(call),
  }))
  const marked = calls.some((call) => call.ephemeral) ? { metadata: { ephemeral: true } } : {}
  return [answer, { role: 'user', content: results, ...marked }]
}

const path = (call: Call) => ({ path: `src/file${call.path}.ts` })
const marked = (call: Call) => (call.ephemeral ? { metadata: { ephemeral: true } } : {})
/** What is said beside calls can be nothing; a last word cannot. */
const says = ({ text, calls }: Turn) => (calls.length === 0 || text.trim() !== '' ? [`${text}.`] : [])

function writeResponses(turn: Turn, number: number): Message[] {
  const id = (i: number) => `call_${number}_${i}`
  const isShell = (call: Call) => call.tool === 'weird'
  const items: Message[] = []
  if (turn.reasoning) items.push({ type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'b3Bh' })
  for (const text of says(turn))
    items.push({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
  turn.calls.forEach((call, i) => {
    items.push(
      isShell(call)
        ? { type: 'shell_call', call_id: id(i), action: { commands: ['ls'] } }
        : { type: 'function_call', call_id: id(i), name: call.tool, arguments: JSON.stringify(path(call)) },
    )
  })
  const output = (call: Call) => {
    if (isShell(call)) return [{ stdout: call.result, stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
    return call.parts ? [{ type: 'input_text', text: call.result }] : call.result
  }
  const results = turn.calls.map((call, i) => ({
    type: isShell(call) ? 'shell_call_output' : 'function_call_output',
    call_id: id(i),
    output: output(call),
    ...marked(call),
  }))
  return [...items, ...results.reverse()]
}
