import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Format } from 'trimtab'
import { problems } from '../node/oracle.js'

/** Content of an answer, independent of the protocol. */
interface Said {
  text?: string
  reasoning?: string
  calls?: { name: string; arguments: object }[]
  /** Gemini's signature, on the first call. */
  signature?: string
  /** Whether the answer ends at the token limit. */
  isCut?: boolean
}

/** Response of the server to one request. */
type Behaviour =
  | { kind: 'answers'; said: Said; pause?: number }
  /** Sends the whole content, then neither an end marker nor anything else. */
  | { kind: 'waits'; said: Said }
  /** Starts to answer, then closes the connection. */
  | { kind: 'breaks off'; said: Said }
  /** Sends an error in the middle of the stream. */
  | { kind: 'gives up'; said: Said; message: string }
  | { kind: 'refuses'; status: number; message: string; retryAfter?: number }
  | { kind: 'is no model' }
  | { kind: 'redirects'; to: string }

export interface Received {
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
  /** Whether the client closed the connection before the end of the answer. */
  isAborted: boolean
}

export interface ModelServer {
  readonly origin: string
  readonly received: Received[]
  /** Problems that the oracle finds in the received requests. */
  faults(): string[]
  /** Sets the responses to the next requests, in order; the last one is used for all further requests. */
  next(...behaviours: Behaviour[]): void
  close(): Promise<void>
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Starts a server that speaks the protocols of OpenAI, Anthropic and Gemini, including their failures. */
export async function startModelServer(): Promise<ModelServer> {
  const received: Received[] = []
  let behaviours: Behaviour[] = [{ kind: 'answers', said: { text: 'Hello.' } }]
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    response.setHeader('access-control-expose-headers', 'retry-after')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    const body = JSON.parse(await bodyOf(request)) as Record<string, unknown>
    const one = { path: request.url ?? '', headers: request.headers, body, isAborted: false }
    received.push(one)
    response.on('close', () => {
      one.isAborted = !response.writableEnded
    })
    const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0]
    if (behaviour !== undefined) await behave(behaviour, protocolOf(one.path), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    faults: () => received.flatMap(faultsOf),
    next: (...given) => {
      behaviours = given
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

type Protocol = 'openai' | 'anthropic' | 'gemini'

const protocolOf = (path: string): Protocol =>
  path.endsWith('/messages') ? 'anthropic' : path.includes('GenerateContent') ? 'gemini' : 'openai'

const FORMATS: Record<Protocol, [Format, string]> = {
  openai: ['openai-chat', 'messages'],
  anthropic: ['anthropic', 'messages'],
  gemini: ['gemini', 'contents'],
}

function faultsOf({ path, body }: Received): string[] {
  const [format, field] = FORMATS[protocolOf(path)]
  return problems(body[field] as object[], format).map((fault) => `${path}: ${fault}`)
}

async function behave(behaviour: Behaviour, protocol: Protocol, response: ServerResponse): Promise<void> {
  switch (behaviour.kind) {
    case 'refuses': {
      if (behaviour.retryAfter !== undefined) response.setHeader('retry-after', behaviour.retryAfter)
      response.writeHead(behaviour.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: behaviour.message } }))
      return
    }
    case 'is no model':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome!</p>')
      return
    case 'redirects':
      response.writeHead(307, { location: behaviour.to }).end()
      return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const events = EVENTS[protocol](behaviour.said)
  const shown = behaviour.kind === 'answers' ? events : events.slice(0, -2)
  for (const event of shown) {
    // Split in the middle of a line, and of a character, as in a real network.
    const bytes = Buffer.from(event)
    const half = Math.floor(bytes.length / 2)
    response.write(bytes.subarray(0, half))
    if (behaviour.kind === 'answers' && behaviour.pause !== undefined) await sleep(behaviour.pause)
    response.write(bytes.subarray(half))
  }
  if (behaviour.kind === 'gives up') response.write(data({ error: { message: behaviour.message } }))
  if (behaviour.kind === 'waits') return
  if (behaviour.kind === 'breaks off') setTimeout(() => response.destroy(), 50)
  else response.end()
}

const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`
const typed = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** Most parts that a long text is sent in. */
const MOST = 1000

/** The parts that a text streams in: words, or equal slices, whatever they cut, of a long text. */
const partsOf = (text = ''): string[] =>
  text.length > 10 * MOST
    ? Array.from({ length: MOST }, (_, at) =>
        text.slice((at * text.length) / MOST, ((at + 1) * text.length) / MOST),
      )
    : (text.match(/\S+\s*|\s+/g) ?? [])

const EVENTS: Record<Protocol, (said: Said) => string[]> = {
  openai({ text, reasoning, calls = [], isCut = false }) {
    const delta = (part: object, finish_reason: string | null = null) =>
      data({ choices: [{ index: 0, delta: part, finish_reason }] })
    return [
      ': a comment, as some proxies send them\n\n',
      ...partsOf(reasoning).map((part) => delta({ reasoning_content: part })),
      ...partsOf(text).map((part) => delta({ content: part })),
      ...calls.flatMap((call, index) => {
        const json = JSON.stringify(call.arguments)
        // Some servers use the same ids in every answer.
        const begin = {
          index,
          id: `call_${index}`,
          type: 'function',
          function: { name: call.name, arguments: '' },
        }
        const parts = [json.slice(0, 5), ...partsOf(json.slice(5))]
        return [begin, ...parts.map((part) => ({ index, function: { arguments: part } }))].map((one) =>
          delta({ tool_calls: [one] }),
        )
      }),
      delta({}, isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'),
      'data: [DONE]\n\n',
    ]
  },
  anthropic({ text, reasoning, calls = [], isCut = false }) {
    const events: { type: string; [field: string]: unknown }[] = [{ type: 'message_start', message: {} }]
    let index = 0
    const block = (content_block: object, deltas: object[]) => {
      events.push({ type: 'content_block_start', index, content_block })
      for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta })
      events.push({ type: 'content_block_stop', index })
      index += 1
    }
    if (reasoning !== undefined) {
      const thoughts = partsOf(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking }))
      block({ type: 'thinking', thinking: '', signature: '' }, [
        ...thoughts,
        { type: 'signature_delta', signature: 'c2lnbmVk' },
      ])
    }
    if (text !== undefined)
      block(
        { type: 'text', text: '' },
        partsOf(text).map((part) => ({ type: 'text_delta', text: part })),
      )
    for (const call of calls) {
      const json = JSON.stringify(call.arguments)
      const id = `toolu_${Math.random().toString(36).slice(2)}`
      block({ type: 'tool_use', id, name: call.name, input: {} }, [
        ...[json.slice(0, 5), ...partsOf(json.slice(5))].map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      ])
    }
    const stop_reason = isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn'
    events.push({ type: 'ping' }, { type: 'message_delta', delta: { stop_reason } }, { type: 'message_stop' })
    return events.map(typed)
  },
  gemini({ text, reasoning, calls = [], signature, isCut = false }) {
    const part = (one: object, finishReason?: string) =>
      data({ candidates: [{ content: { role: 'model', parts: [one] }, finishReason }] })
    return [
      ...partsOf(reasoning).map((thought) => part({ text: thought, thought: true })),
      ...partsOf(text).map((word) => part({ text: word })),
      ...calls.map(({ name, arguments: args }, at) =>
        part({
          functionCall: { name, args },
          ...(signature !== undefined && at === 0 ? { thoughtSignature: signature } : {}),
        }),
      ),
      part({ text: '' }),
      part({ text: '' }, isCut ? 'MAX_TOKENS' : 'STOP'),
    ]
  },
}
