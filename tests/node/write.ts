import type { Format } from 'trimtab'
import type { Call, Turn } from './conversation.js'

/** Conversations written in each format, valid by the providers' references. */
export type Message = Record<string, unknown>
export type { Format }

export const FORMATS: readonly Format[] = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'ai-sdk',
  'ai-sdk-ui',
  'gemini',
  'langchain',
]

type Writer = (turn: Turn, number: number) => Message[]

const WRITERS: Record<Format, Writer> = {
  'openai-chat': writeOpenAi,
  'openai-responses': writeResponses,
  anthropic: writeAnthropic,
  'ai-sdk': writeAiSdk,
  'ai-sdk-ui': writeAiSdkUi,
  gemini: writeGemini,
  langchain: writeLangChain,
}

/**
 * Writes a conversation in a format; `isInstructed` adds instructions within it, if the format allows them.
 */
export function write(turns: readonly Turn[], format: Format, isInstructed = false): Message[] {
  const messages: Message[] = [prompt('start', format)]
  turns.forEach((turn, number) => {
    const written = turn.prompt ? [prompt(`go on ${number}`, format)] : WRITERS[format](turn, number)
    // Gemini accepts calls only after a turn of the user.
    if (format === 'gemini' && !turn.prompt && messages.at(-1)?.role === 'model')
      messages.push(prompt('and?', format))
    const follows = !turn.prompt && messages.at(-1)?.role === 'user'
    if (isInstructed && format === 'anthropic' && follows && number % 3 === 1)
      messages.push({ role: 'system', content: `Be brief, ${number}.` })
    messages.push(...written)
  })
  return messages
}

function prompt(text: string, format: Format): Message {
  switch (format) {
    case 'ai-sdk-ui':
      return { id: 'u', role: 'user', parts: [{ type: 'text', text }] }
    case 'gemini':
      return { role: 'user', parts: [{ text }] }
    case 'langchain':
      return { type: 'human', content: text }
    default:
      return { role: 'user', content: text }
  }
}

function resultContent(call: Call, image: (data: string) => object): unknown {
  const { images, parts, result } = call
  if (images === 0 && !parts) return result
  const text = result.trim() === '' ? [] : [{ type: 'text', text: result }]
  const list = [...text, ...imagesOf(call, image)]
  return list.length === 0 ? result : list
}

/** Images of a result, identical for the same path, so that there are duplicates. */
const imagesOf = ({ images, path }: Call, image: (data: string) => object): object[] =>
  Array.from({ length: images }, (_, i) => image(`iVBORw0KGgo${path}${i}=`))

const pngUrl = (data: string) => `data:image/png;base64,${data}`
const chatImage = (data: string) => ({ type: 'image_url', image_url: { url: pngUrl(data) } })
const anthropicImage = (data: string) => {
  const source = { type: 'base64', media_type: 'image/png', data }
  return { type: 'image', source }
}
const responsesImage = (data: string) => ({ type: 'input_image', image_url: pngUrl(data) })
const mediaPart = (data: string) => ({ type: 'media', data, mediaType: 'image/png' })
const inlineImage = (data: string) => ({ inlineData: { mimeType: 'image/png', data } })

function writeOpenAi({ text, reasoning, calls }: Turn, number: number): Message[] {
  const id = (i: number) => `call_${number}_${i}`
  const tool_calls = calls.map((call, i) => ({
    id: id(i),
    type: 'function',
    function: { name: call.tool, arguments: JSON.stringify(args(call)) },
  }))
  const answer: Message = { role: 'assistant', content: calls.length > 0 ? text : `${text}.` }
  if (reasoning) answer.reasoning_content = 'let me think'
  if (calls.length > 0) answer.tool_calls = tool_calls
  const results = calls.map((call, i) => ({
    role: 'tool',
    tool_call_id: id(i),
    content: resultContent(call, chatImage),
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
    blocks.push({ type: 'tool_use', id: id(i), name: call.tool, input: args(call) })
  })
  const answer = { role: 'assistant', content: blocks }
  if (calls.length === 0) return [answer]
  const results = calls.map((call, i) => ({
    type: 'tool_result',
    tool_use_id: id(i),
    content: resultContent(call, anthropicImage),
  }))
  const marked = calls.some((call) => call.ephemeral) ? { metadata: { ephemeral: true } } : {}
  return [answer, { role: 'user', content: results, ...marked }]
}

const args = ({ tool, path, lines, body }: Call) => {
  const named = { path: `src/file${path}.ts`, ...lines }
  if (body === undefined) return named
  if (tool === 'bash') return { ...named, command: `cat <<'EOF'\n${body}` }
  if (tool === 'read_file' || tool === 'Read') return { ...named, explanation: body }
  return tool === 'edit_file'
    ? { ...named, edits: [{ old_string: body, new_string: 'x', at: 1.5 }] }
    : { ...named, body }
}
const marked = (call: Call) => (call.ephemeral ? { metadata: { ephemeral: true } } : {})
/** Text beside calls may be blank; a final text may not. */
const says = ({ text, calls }: Turn) => (calls.length === 0 || text.trim() !== '' ? [`${text}.`] : [])

function writeResponses(turn: Turn, number: number): Message[] {
  const id = (i: number) => `call_${number}_${i}`
  const isShell = (call: Call) => call.tool === 'weird'
  const items: Message[] = []
  if (turn.reasoning)
    items.push({ type: 'reasoning', id: `rs_${number}`, summary: [], encrypted_content: 'b3Bh' })
  for (const text of says(turn))
    items.push({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
  turn.calls.forEach((call, i) => {
    items.push(
      isShell(call)
        ? { type: 'shell_call', call_id: id(i), action: { commands: ['ls'] } }
        : { type: 'function_call', call_id: id(i), name: call.tool, arguments: JSON.stringify(args(call)) },
    )
  })
  const output = (call: Call) => {
    if (isShell(call)) return [{ stdout: call.result, stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
    const images = imagesOf(call, responsesImage)
    return call.parts || images.length > 0
      ? [...images, { type: 'input_text', text: call.result }]
      : call.result
  }
  const results = turn.calls.map((call, i) => ({
    type: isShell(call) ? 'shell_call_output' : 'function_call_output',
    call_id: id(i),
    output: output(call),
    ...marked(call),
  }))
  return [...items, ...results.reverse()]
}

const anyMarked = ({ calls }: Turn) =>
  calls.some((call) => call.ephemeral) ? { metadata: { ephemeral: true } } : {}

function writeAiSdk(turn: Turn, number: number): Message[] {
  const id = (i: number) => `call_${number}_${i}`
  const parts: object[] = says(turn).map((text) => ({ type: 'text', text }))
  if (turn.reasoning)
    parts.unshift({ type: 'reasoning', text: 'hm', providerOptions: { p: { signature: 'c2ln' } } })
  turn.calls.forEach((call, i) => {
    parts.push({ type: 'tool-call', toolCallId: id(i), toolName: call.tool, input: args(call) })
  })
  const answer = { role: 'assistant', content: parts }
  if (turn.calls.length === 0) return [answer]
  const results = turn.calls.map((call, i) => ({
    type: 'tool-result',
    toolCallId: id(i),
    toolName: call.tool,
    output: modelOutput(call),
  }))
  return [answer, { role: 'tool', content: results.reverse(), ...anyMarked(turn) }]
}

function modelOutput(call: Call): object {
  const { parts, path, result } = call
  const images = imagesOf(call, mediaPart)
  if (images.length > 0) return { type: 'content', value: [...images, { type: 'text', text: result }] }
  if (!parts) return { type: 'text', value: result, providerOptions: { p: { cached: true } } }
  const media = { type: 'media', data: 'AAAA', mediaType: 'image/png' }
  if (path === 0) return { type: 'content', value: [{ type: 'text', text: result }, media] }
  return path === 1
    ? { type: 'error-json', value: { lines: result } }
    : { type: 'json', value: { lines: result } }
}

function writeAiSdkUi(turn: Turn, number: number): Message[] {
  const parts: object[] = [{ type: 'step-start' }, ...says(turn).map((text) => ({ type: 'text', text }))]
  if (turn.reasoning) parts.push({ type: 'reasoning', text: 'hm' })
  turn.calls.forEach((call, i) => {
    const named =
      call.tool === 'grep' ? { type: 'dynamic-tool', toolName: 'grep' } : { type: `tool-${call.tool}` }
    const output = call.parts ? { lines: call.result } : call.result
    const answer =
      call.parts && call.path === 0
        ? { state: 'output-error', errorText: call.result }
        : { state: 'output-available', output }
    parts.push({ ...named, toolCallId: `call_${number}_${i}`, input: args(call), ...answer })
  })
  parts.push({ type: 'step-start' }, { type: 'text', text: 'so far' })
  return [{ id: `a${number}`, role: 'assistant', parts, ...anyMarked(turn) }]
}

function writeGemini(turn: Turn, number: number): Message[] {
  const id = (i: number) => (number % 2 === 0 ? { id: `call_${number}_${i}` } : {})
  const parts: object[] = says(turn).map((text) => ({ text }))
  if (turn.reasoning) parts.unshift({ text: 'hm', thought: true })
  turn.calls.forEach((call, i) => {
    const signed = turn.reasoning && i === 0 ? { thoughtSignature: 'c2ln' } : {}
    parts.push({ functionCall: { ...id(i), name: call.tool, args: args(call) }, ...signed })
  })
  const answer = { role: 'model', parts }
  if (turn.calls.length === 0) return [answer]
  const results = turn.calls.map((call, i) => ({
    functionResponse: {
      ...id(i),
      name: call.tool,
      response: geminiResponse(call),
      ...(call.images > 0 ? { parts: imagesOf(call, inlineImage) } : {}),
    },
  }))
  return [answer, { role: 'user', parts: results, ...anyMarked(turn) }]
}

function geminiResponse({ parts, path, result }: Call): object {
  if (!parts) return { output: result }
  return path === 0 ? { result } : { lines: result, count: 3 }
}

function writeLangChain(turn: Turn, number: number): Message[] {
  const id = (i: number) => `call_${number}_${i}`
  const form = (type: string, name: string, fields: object): Message => {
    if (number % 3 === 0) return { type, data: fields }
    if (number % 3 === 1)
      return { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', name], kwargs: fields }
    return { type, ...fields }
  }
  const tool_calls = turn.calls.map((call, i) => ({ id: id(i), name: call.tool, args: args(call) }))
  const text = says(turn).join('')
  const thinking = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }
  const content = turn.reasoning ? [thinking, { type: 'text', text: `${text}.` }] : text
  const results = turn.calls.map((call, i) =>
    form('tool', 'ToolMessage', {
      content: resultContent(call, chatImage),
      tool_call_id: id(i),
      name: call.tool,
      artifact: { raw: [1] },
      ...marked(call),
    }),
  )
  return [form('ai', 'AIMessage', { content, tool_calls, additional_kwargs: {} }), ...results.reverse()]
}
