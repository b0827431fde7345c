// Protocols of the providers: contents of requests, and encoding of answers, whole and as streams.
import type { Format } from 'trimtab'

export interface Call {
  id: string
  name: string
  args: object
}

/** An answer of the model, independent of the protocol. */
export interface Answer {
  text: string
  calls: Call[]
}

/** Tokens of a request as the account counts them. */
export interface Tokens {
  input: number
  cached: number
  output: number
}

/** Event of a stream: its name, if the protocol has names, and its data. */
type Event = [name: string | undefined, data: object | string]

export interface Protocol {
  format: Format
  /** Whether the protocol serves this path. */
  speaks(path: string): boolean
  messagesOf(body: Body): object[]
  isStream(body: Body, path: string): boolean
  whole(answer: Answer, tokens: Tokens, body: Body): object
  stream(answer: Answer, tokens: Tokens, body: Body): Event[]
}

export interface Body {
  model?: string
  messages?: object[]
  input?: object[]
  contents?: object[]
  tools?: object[]
  stream?: boolean
}

const pieces = (text: string, length: number): string[] =>
  text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []

/** Id of an answer; agents identify messages by it. */
const idOf = (prefix: string, body: Body): string =>
  `${prefix}-${(body.messages ?? body.input ?? body.contents ?? []).length}`

const chatCall = ({ id, name, args }: Call) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: JSON.stringify(args) },
})

function chatChunk(body: Body, delta: object, finish_reason: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason }]
  const head = { id: idOf('chatcmpl', body), object: 'chat.completion.chunk', created: 1_760_000_000 }
  return { ...head, model: body.model, choices }
}

const chatUsage = ({ input, cached, output }: Tokens) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input,
  prompt_tokens_details: { cached_tokens: cached },
})

const chatFinish = ({ calls }: Answer) => (calls.length === 0 ? 'stop' : 'tool_calls')

const chat: Protocol = {
  format: 'openai-chat',
  speaks: (path) => path.endsWith('/chat/completions'),
  messagesOf: ({ messages = [] }) => messages,
  isStream: ({ stream }) => stream === true,
  whole(answer, tokens, body) {
    const calls = answer.calls.length === 0 ? {} : { tool_calls: answer.calls.map(chatCall) }
    const message = { role: 'assistant', content: answer.text || null, ...calls }
    const choices = [{ index: 0, message, finish_reason: chatFinish(answer) }]
    return { ...chatChunk(body, {}), object: 'chat.completion', choices, usage: chatUsage(tokens) }
  },
  stream: (answer, tokens, body) =>
    [
      chatChunk(body, { role: 'assistant', content: '' }),
      ...pieces(answer.text, 5).map((content) => chatChunk(body, { content })),
      ...answer.calls.flatMap((call, index) => {
        const { id, type, function: named } = chatCall(call)
        const start = { index, id, type, function: { name: named.name, arguments: '' } }
        const parts = pieces(named.arguments, 9).map((text) => ({ index, function: { arguments: text } }))
        return [start, ...parts].map((each) => chatChunk(body, { tool_calls: [each] }))
      }),
      chatChunk(body, {}, chatFinish(answer)),
      { ...chatChunk(body, {}), choices: [], usage: chatUsage(tokens) },
      '[DONE]',
    ].map((data): Event => [undefined, data]),
}

const responses: Protocol = {
  format: 'openai-responses',
  speaks: (path) => path.endsWith('/responses'),
  messagesOf: ({ input = [] }) => input,
  isStream: ({ stream }) => stream === true,
  whole: ({ text, calls }, { input, cached, output }, body) => {
    const id = idOf('resp', body)
    const content = [{ type: 'output_text', text, annotations: [] }]
    const message = { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content }
    const items = calls.map(({ id: call_id, name, args }) => ({
      type: 'function_call',
      id: `fc_${call_id}`,
      call_id,
      name,
      arguments: JSON.stringify(args),
      status: 'completed',
    }))
    return {
      id,
      object: 'response',
      created_at: 1_760_000_000,
      model: body.model,
      status: 'completed',
      output: [...(text === '' ? [] : [message]), ...items],
      usage: {
        input_tokens: input,
        output_tokens: output,
        total_tokens: input + output,
        input_tokens_details: { cached_tokens: cached },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    }
  },
  stream(answer, tokens, body) {
    const response = this.whole(answer, tokens, body) as { output: ResponsesItem[] }
    const events = [
      { type: 'response.created', response: { ...response, output: [], status: 'in_progress', usage: null } },
      ...response.output.flatMap((item, output_index) => itemEvents(item, output_index)),
      { type: 'response.completed', response },
    ]
    return events.map((event, sequence_number) => [event.type, { ...event, sequence_number }])
  },
}

type ResponsesItem = { id: string } & (
  | { type: 'message'; content: [{ text: string }] }
  | { type: 'function_call'; arguments: string }
)

function itemEvents(item: ResponsesItem, output_index: number): { type: string }[] {
  const place = { output_index, item_id: item.id }
  const empty = item.type === 'message' ? { content: [] } : { arguments: '' }
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, ...empty, status: 'in_progress' } },
    ...(item.type === 'message'
      ? textEvents(item.content[0], { ...place, content_index: 0 })
      : argumentEvents(item.arguments, place)),
    { type: 'response.output_item.done', output_index, item },
  ] as { type: string }[]
}

function textEvents(part: { text: string }, place: object): object[] {
  return [
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...pieces(part.text, 5).map((delta) => ({
      type: 'response.output_text.delta',
      ...place,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
  ]
}

function argumentEvents(text: string, place: object): object[] {
  return [
    ...pieces(text, 9).map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
    { type: 'response.function_call_arguments.done', ...place, arguments: text },
  ]
}

const anthropicUsage = ({ input, cached, output }: Tokens) => ({
  input_tokens: 0,
  cache_creation_input_tokens: input - cached,
  cache_read_input_tokens: cached,
  output_tokens: output,
})

interface AnthropicMessage {
  content: ({ type: 'text'; text: string } | { type: 'tool_use'; input: object })[]
  stop_reason: string
}

const anthropic: Protocol = {
  format: 'anthropic',
  speaks: (path) => path.endsWith('/messages'),
  messagesOf: ({ messages = [] }) => messages,
  isStream: ({ stream }) => stream === true,
  whole: ({ text, calls }, tokens, body) => ({
    id: idOf('msg', body),
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
    ],
    stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: anthropicUsage(tokens),
  }),
  stream(answer, tokens, body) {
    const { content, stop_reason, ...message } = this.whole(answer, tokens, body) as AnthropicMessage
    const blocks = content.flatMap((block, index) => {
      const isText = block.type === 'text'
      const start = isText ? { ...block, text: '' } : { ...block, input: {} }
      const deltas = isText
        ? pieces(block.text, 5).map((text) => ({ type: 'text_delta', text }))
        : pieces(JSON.stringify(block.input), 9).map((text) => ({
            type: 'input_json_delta',
            partial_json: text,
          }))
      return [
        { type: 'content_block_start', index, content_block: start },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]
    })
    const delta = { stop_reason, stop_sequence: null }
    const events = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      ...blocks,
      { type: 'message_delta', delta, usage: { output_tokens: tokens.output } },
      { type: 'message_stop' },
    ]
    return events.map((event) => [event.type, event])
  },
}

const geminiAnswer = (parts: object[], { input, cached, output }: Tokens) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
  usageMetadata: {
    promptTokenCount: input,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  },
})

const gemini: Protocol = {
  format: 'gemini',
  speaks: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  messagesOf: ({ contents = [] }) => contents,
  isStream: (_, path) => path.endsWith(':streamGenerateContent'),
  whole: ({ text, calls }, tokens) =>
    geminiAnswer([...(text === '' ? [] : [{ text }]), ...calls.map(geminiCall)], tokens),
  stream: ({ text, calls }, tokens) =>
    [...pieces(text, 5).map((piece) => ({ text: piece })), ...calls.map(geminiCall)].map(
      (part): Event => [undefined, geminiAnswer([part], tokens)],
    ),
}

/** Gemini calls without ids. */
const geminiCall = ({ name, args }: Call) => ({ functionCall: { name, args } })

const PROTOCOLS = [chat, responses, anthropic, gemini]

export function protocolOf(path: string): Protocol | undefined {
  return PROTOCOLS.find((protocol) => protocol.speaks(path))
}

/** Encodes an event of a stream for the wire. */
export const wireOf = ([name, data]: Event): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
