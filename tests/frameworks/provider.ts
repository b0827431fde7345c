// A local provider that is strict about its requests, with a prompt cache, usage, streams and a scripted
// model. Its protocols are in protocols.ts.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Context, type Format, off } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { PRICES, requestCost } from 'trimtab/money'
import { problems } from '../node/oracle.js'
import {
  type Answer,
  type Body,
  type Call,
  type Protocol,
  protocolOf,
  type Tokens,
  wireOf,
} from './protocols.js'

export interface ChatMessage {
  role: string
  content?: string | null
  tool_call_id?: string
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
}

/** Cost and request counts of one conversation. */
export interface Account {
  format: Format
  requests: number
  cost: number
  /** Tokens of all requests together. */
  tokens: number
  /** Number of requests that changed or dropped what had been sent before. */
  rewrites: number
  /** The messages of the last request, as JSON. */
  sent: string[]
}

export const STEPS = 60
export const RECALL_STEP = 45
const PARALLEL = 7

/** Tools of the model: the call that reads a file, and the name of the recall tool. */
export interface Tools {
  read(path: string): Omit<Call, 'id'>
  recall: string
}

export const TOOLS: Tools = { read: (path) => ({ name: 'read_file', args: { path } }), recall: 'recall' }

/** Result of the tool `read_file`: about 4,000 characters that are unique to the call. */
export function fileText(thread: string, path: string): string {
  return `${path} of ${thread}\n${Array.from({ length: 80 }, (_, i) => `line ${i}: ${thread} ${path} ${(i * 7919) % 1000} and so on`).join('\n')}\n`
}

/** Id of the thread that a request belongs to: the word `thread-...` in its first prompt. */
function threadOf(messages: readonly ChatMessage[]): string {
  const prompt = messages.find(({ role }) => role === 'user')?.content
  return (typeof prompt === 'string' ? prompt : JSON.stringify(prompt)).match(/thread-\w+/)?.[0] ?? ''
}

/** The model's answer at a step: one call, in some steps two, once a recall, and a text at the end. */
function answer(messages: readonly ChatMessage[], tools: Tools, canRecall: boolean): Answer {
  const step = messages.filter(({ role }) => role === 'assistant').length
  const thread = threadOf(messages)
  if (step >= STEPS) return { text: `${thread} is done.`, calls: [] }
  const stub = messages.find(
    ({ role, content }) => role === 'tool' && /recall [0-9a-f]{8}/.test(String(content)),
  )
  const reference = /recall ([0-9a-f]{8})/.exec(String(stub?.content))?.[1]
  if (canRecall && step === RECALL_STEP && reference !== undefined)
    return { text: '', calls: [{ id: `${thread}_r`, name: tools.recall, args: { reference } }] }
  const calls: Call[] = [{ id: `${thread}_${step}`, ...tools.read(`src/${step}.ts`) }]
  if (step % PARALLEL === 3) calls.push({ id: `${thread}_${step}b`, ...tools.read(`lib/${step}.ts`) })
  return { text: `Step ${step}.`, calls }
}

/** An HTTP server with one account per thread; `address` is the base URL of the API. */
export class Provider implements AsyncDisposable {
  readonly refused: string[] = []
  readonly accounts = new Map<string, Account>()
  /** HTTP statuses to fail the next requests with. */
  readonly failures: number[] = []
  /** Text of each result when it first came, by the id of its call. */
  readonly results = new Map<string, string>()
  /** Whether the model calls `recall` when it sees a reference. */
  canRecall = true
  /** Number of streams that still stop in the middle until the client aborts them. */
  hangs = 0
  readonly #counters = new Map<Format, Context>()
  readonly #counts = new Map<string, number>()
  readonly #tools: Tools
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  constructor(tools = TOOLS) {
    this.#tools = tools
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  /** Origin of the server; its paths are those of the providers. */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get address(): string {
    return `${this.origin}/v1`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    for (const counter of this.#counters.values()) counter[Symbol.dispose]()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Body
    const path = (request.url ?? '').replace(/\?.*/, '')
    const protocol = protocolOf(path)
    if (protocol === undefined) return refuse(response, 404, `there is nothing at ${path}`)
    const messages = protocol.messagesOf(body)
    // Auxiliary requests of a program (a title, a summary) have no tools.
    if (this.#tools !== TOOLS && (body.tools ?? []).length === 0)
      return this.#send(response, protocol, body, path, { text: 'Reading', calls: [] }, NO_TOKENS)
    const failure = this.failures.shift()
    if (failure !== undefined) return refuse(response, failure, 'try again')
    const found = problems(messages, protocol.format)
    if (found.length > 0) {
      this.refused.push(...found)
      return refuse(response, 400, found.join('; '))
    }
    this.#answer(response, protocol, body, path)
  }

  #answer(response: ServerResponse, protocol: Protocol, body: Body, path: string): void {
    const messages = protocol.messagesOf(body)
    const chat = convertMessages(messages, 'openai-chat', { format: protocol.format })
      .messages as ChatMessage[]
    for (const { tool_call_id: id, content } of chat)
      if (id !== undefined && !this.results.has(id)) this.results.set(id, String(content))
    const answered = answer(chat, this.#tools, this.canRecall)
    const isStream = protocol.isStream(body, path)
    if (isStream && this.hangs > 0) {
      this.hangs--
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const events = protocol.stream({ text: 'Let me think.', calls: [] }, NO_TOKENS, body)
      for (const event of events.slice(0, 3)) response.write(wireOf(event))
      return
    }
    const tokens = this.#charge(threadOf(chat), messages, protocol.format, answered)
    this.#send(response, protocol, body, path, answered, tokens)
  }

  #send(
    response: ServerResponse,
    protocol: Protocol,
    body: Body,
    path: string,
    answered: Answer,
    tokens: Tokens,
  ): void {
    if (!protocol.isStream(body, path)) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(protocol.whole(answered, tokens, body)))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of protocol.stream(answered, tokens, body)) response.write(wireOf(event))
    response.end()
  }

  /** Counts a request: the common prefix with the last request of its thread is read from the cache. */
  #charge(thread: string, messages: readonly object[], format: Format, answered: Answer): Tokens {
    const account = this.accounts.get(thread) ?? {
      requests: 0,
      cost: 0,
      tokens: 0,
      rewrites: 0,
      format,
      sent: [],
    }
    const sent = messages.map((each) => JSON.stringify(each, withoutMarks))
    const changed = account.sent.findIndex((text, i) => text !== sent[i])
    const common = changed === -1 ? account.sent.length : changed
    const counts = messages.map((each, i) => this.#count(each, sent[i] as string, format))
    const sum = (list: number[]) => list.reduce((all, count) => all + count, 0)
    const input = sum(counts)
    const cached = sum(counts.slice(0, common))
    account.requests++
    account.tokens += input
    account.cost += requestCost({ cached, written: input - cached }, PRICES.anthropic)
    if (changed !== -1) account.rewrites++
    account.sent = sent
    this.accounts.set(thread, account)
    const said = { role: 'assistant', content: JSON.stringify(answered) }
    return { input, cached, output: this.#count(said, said.content, 'openai-chat') }
  }

  #count(message: object, text: string, format: Format): number {
    const known = this.#counts.get(text)
    if (known !== undefined) return known
    const counter = this.#counters.get(format) ?? new Context(off(), { format })
    this.#counters.set(format, counter)
    const count = counter.usage([message]).total
    this.#counts.set(text, count)
    return count
  }
}

/**
 * Ignores cache breakpoints, and the list form that a text needs to carry one: neither is part of the cached
 * content.
 */
function withoutMarks(key: string, value: unknown): unknown {
  if (key === 'cache_control') return undefined
  const [only, ...others]: { type?: string; text?: string }[] =
    key === 'content' && Array.isArray(value) ? value : []
  return only?.type === 'text' && others.length === 0 ? only.text : value
}

const NO_TOKENS: Tokens = { input: 0, cached: 0, output: 0 }

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message, type: 'error', code: null } }))
}
