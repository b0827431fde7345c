// A local provider that speaks Anthropic's Messages API. It refuses invalid requests, thinking that is bound
// to another conversation, and modified thinking, with the provider's messages; its model follows a script.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BindingProvider, type Block, type Message } from '../node/binding.js'
import { problems } from '../node/oracle.js'
import { type Answer, eventsOf } from './anthropic-stream.js'

export interface Body {
  model: string
  max_tokens: number
  system?: string | object[]
  stream?: boolean
  tools?: object[]
  thinking?: { type: string }
  messages: Message[]
  thread?: { type: 'create' } | { type: 'continue'; previous_message_id: string }
}

/** A refusal of the provider with its HTTP status. */
export interface Refusal {
  status: number
  message: string
  code?: string
}

export const BOUND = 'The block is bound to a different conversation'

export class AnthropicProvider implements AsyncDisposable {
  /** Messages of the refusals. */
  readonly refused: string[] = []
  /** The messages of each answered request, including those that the thread holds. */
  readonly requests: Message[][] = []
  /** Number of messages in the body of each of these requests. */
  readonly sent: number[] = []
  readonly #bound = new BindingProvider()
  readonly #threads = new Map<string, Body | 'continued'>()
  /** Thinking blocks as they were generated, by signature. */
  readonly #made = new Map<string, string>()
  readonly #steps: number
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  /** @param steps Number of steps with tool calls before the final answer. */
  constructor(steps: number) {
    this.#steps = steps
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Body
    const { body, refusal: lost } = this.#whole(asked)
    const isKnown = /^\/v1\/messages(\?beta=true)?$/.test(request.url ?? '')
    const refusal = isKnown ? (lost ?? this.#refusal(body)) : { status: 404, message: 'Not found' }
    const isStream = refusal === undefined && body.stream === true
    const type = isStream ? 'text/event-stream' : 'application/json'
    response.writeHead(refusal?.status ?? 200, { 'content-type': type })
    if (refusal === undefined) {
      this.sent.push(asked.messages.length)
      const answer = this.#answer(body)
      return void response.end(isStream ? eventsOf(answer) : JSON.stringify(answer))
    }
    this.refused.push(refusal.message)
    const details = refusal.code === undefined ? {} : { details: { error_code: refusal.code } }
    const error = { type: 'invalid_request_error', message: refusal.message, ...details }
    response.end(JSON.stringify({ type: 'error', error }))
  }

  /** Drops all threads; the real provider keeps them for five minutes at most. */
  forget(): void {
    this.#threads.clear()
  }

  /** The request with the messages that its thread holds. Each answer of a thread can be continued once. */
  #whole(body: Body): { body: Body; refusal?: Refusal } {
    const { thread } = body
    if (thread?.type !== 'continue') return { body }
    const refuse = (status: number, code: string) => ({ body, refusal: { status, code, message: code } })
    const held = this.#threads.get(thread.previous_message_id)
    if (held === undefined) return refuse(404, 'thread_not_found')
    if (held === 'continued') return refuse(409, 'thread_already_continued')
    const begins = ({ model, system, tools }: Body) => prefixOf(model, system, tools)
    if (begins(body) !== begins(held)) return refuse(400, 'thread_fingerprint_mismatch')
    return { body: { ...body, messages: [...held.messages, ...body.messages] } }
  }

  /** The reason to refuse a complete request. */
  #refusal({ model, max_tokens, system, tools, messages }: Body): Refusal | undefined {
    const refuse = (message: string) => ({ status: 400, message })
    if (typeof model !== 'string') return refuse('model: Field required')
    if (!Number.isInteger(max_tokens)) return refuse('max_tokens: Field required')
    const broken = problems(messages, 'anthropic')[0]
    if (broken !== undefined) return refuse(`messages.${broken}`)
    const wrong = new Set(this.#bound.refuses(messages, prefixOf(model, system, tools)))
    for (const [place, block] of thinkingIn(messages)) {
      const signature = String(block.signature ?? block.data)
      if (this.#made.get(signature) !== JSON.stringify(block))
        return refuse(`${place}: thinking or redacted_thinking blocks cannot be modified`)
      if (wrong.has(signature)) return refuse(`${place}: ${BOUND}`)
    }
    return undefined
  }

  /** The model's next step: thinking with one or two calls, or the final text. */
  #answer(body: Body): Answer {
    const { model, system, tools, messages, thread } = body
    this.requests.push(messages)
    const step = messages.filter(({ role }) => role === 'assistant').length + 1
    // Concurrent conversations name themselves in their first prompt.
    const name = /thread-\w+/.exec(JSON.stringify(messages[0]))?.[0] ?? ''
    const content =
      step <= this.#steps ? working(`${name}${step}`, step) : [{ type: 'text', text: 'The build is mended.' }]
    for (const [, block] of thinkingIn([{ role: 'assistant', content }]))
      this.#made.set(String(block.signature ?? block.data), JSON.stringify(block))
    this.#bound.answers(messages, { role: 'assistant', content }, prefixOf(model, system, tools))
    const stop_reason = step <= this.#steps ? 'tool_use' : 'end_turn'
    const usage = { input_tokens: JSON.stringify(messages).length >> 2, output_tokens: 100 }
    const id = `msg_${name}${step}`
    if (thread !== undefined)
      this.#threads.set(id, { ...body, messages: [...messages, { role: 'assistant', content }] })
    if (thread?.type === 'continue') this.#threads.set(thread.previous_message_id, 'continued')
    return { id, type: 'message', role: 'assistant', model, content, stop_reason, usage }
  }
}

const prefixOf = (model: string, system: unknown, tools: unknown) => JSON.stringify([model, system, tools])

function thinkingIn(messages: readonly Message[]): [place: string, Block][] {
  return messages.flatMap(({ content }, i) =>
    (typeof content === 'string' ? [] : content).flatMap((block, j): [string, Block][] =>
      /thinking/.test(block.type) ? [[`messages.${i}.content.${j}`, block]] : [],
    ),
  )
}

/**
 * Content of a step. Every fourth step has two calls, with redacted thinking between the text and the calls.
 */
function working(id: string, step: number): Block[] {
  const thinking = { type: 'thinking', thinking: `Step ${id}: ${'hm, '.repeat(60)}`, signature: `sig${id}` }
  const call = (id: string) => ({ type: 'tool_use', id, name: 'bash', input: { command: `make part${id}` } })
  const calls = [call(`toolu_${id}`)]
  if (step % 4 !== 0) return [thinking, ...calls]
  const redacted = { type: 'redacted_thinking', data: `data${id}` }
  const text = { type: 'text', text: `Part ${id} next.` }
  return [thinking, text, redacted, ...calls, call(`toolu_${id}b`)]
}
