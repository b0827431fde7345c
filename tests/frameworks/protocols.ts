// How providers are spoken to: what a request holds, and how an answer is written, whole and as a stream.
import type { Format } from 'trimtab'

export interface Call {
  id: string
  name: string
  args: object
}

/** What the model answers, whatever the protocol. */
export interface Answer {
  text: string
  calls: Call[]
}

/** Tokens of a request, as the account counts them. */
export interface Tokens {
  input: number
  cached: number
  output: number
}

/** An event of a stream: its name where the protocol names events, and its data. */
type Event = [name: string | undefined, data: object | string]

export interface Protocol {
  format: Format
  /** Whether a path of the server is this protocol's. */
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
  stream?: boolean
}

const pieces = (text: string, length: number): string[] =>
  text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []

/** Its id is that of the answer: agents know messages by it. */
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
    const response = this.whole(answer, tokens, body) as { output: { type: string }[] }
    const events = [
      { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } },
      ...response.output.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item },
        ...(item.type === 'message'
          ? pieces(answer.text, 5).map((delta) => ({
              type: 'response.output_text.delta',
              output_index,
              content_index: 0,
              delta,
            }))
          : []),
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response },
    ]
    return events.map((event, sequence_number) => [event.type, { ...event, sequence_number }])
  },
}

const PROTOCOLS = [chat, responses]

export function protocolOf(path: string): Protocol | undefined {
  return PROTOCOLS.find((protocol) => protocol.speaks(path))
}

/** What goes over the wire for a stream. */
export const wireOf = ([name, data]: Event): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
