// A provider that speaks Chat Completions on this machine: strict about what it is sent, with a prompt cache, usage, streams,
// and a model that works through a script.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Context, off } from 'trimtab'
import { PRICES, requestCost } from 'trimtab/money'
import { problems } from '../node/oracle.js'
import type { Fields } from '../node/oracle-chat.js'

export interface ChatMessage {
  role: string
  content?: string | null
  tool_call_id?: string
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
}

interface Body {
  model: string
  messages: ChatMessage[]
  tools?: object[]
  stream?: boolean
}

/** What one conversation cost, and how its requests went. */
export interface Account {
  requests: number
  cost: number
  /** Tokens of all requests together. */
  tokens: number
  /** Requests that changed or dropped what had been sent before. */
  rewrites: number
  last: ChatMessage[]
  /** The same as JSON. */
  sent: string[]
}

export const STEPS = 60
export const RECALL_STEP = 45
const PARALLEL = 7

/** What the tool `read_file` answers: some 4,000 characters that no other call answers. */
export function fileText(thread: string, path: string): string {
  return `${path} of ${thread}\n${Array.from({ length: 80 }, (_, i) => `line ${i}: ${thread} ${path} ${(i * 7919) % 1000} and so on`).join('\n')}\n`
}

const call = (id: string, name: string, args: object) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: JSON.stringify(args) },
})

/** The thread that a request belongs to: the first word of its first prompt. */
function threadOf(messages: readonly ChatMessage[]): string {
  const prompt = messages.find(({ role }) => role === 'user')?.content
  return (typeof prompt === 'string' ? prompt : JSON.stringify(prompt)).match(/thread-\w+/)?.[0] ?? ''
}

/** What the model answers at a step: one call, now and then two at once, once a recall, and a word at the end. */
function answer(messages: readonly ChatMessage[], canRecall: boolean): ChatMessage {
  const step = messages.filter(({ role }) => role === 'assistant').length
  const thread = threadOf(messages)
  if (step >= STEPS) return { role: 'assistant', content: `${thread} is done.` }
  const stub = messages.find(
    ({ role, content }) => role === 'tool' && /recall [0-9a-f]{8}/.test(String(content)),
  )
  const reference = /recall ([0-9a-f]{8})/.exec(String(stub?.content))?.[1]
  if (canRecall && step === RECALL_STEP && reference !== undefined)
    return { role: 'assistant', content: null, tool_calls: [call(`${thread}_r`, 'recall', { reference })] }
  const calls = [call(`${thread}_${step}`, 'read_file', { path: `src/${step}.ts` })]
  if (step % PARALLEL === 3) calls.push(call(`${thread}_${step}b`, 'read_file', { path: `lib/${step}.ts` }))
  return { role: 'assistant', content: `Step ${step}.`, tool_calls: calls }
}

/** A server with its accounts; the address is that of an API. */
export class Provider implements AsyncDisposable {
  readonly refused: string[] = []
  readonly accounts = new Map<string, Account>()
  /** Statuses to answer the next requests with, in place of an answer. */
  readonly failures: number[] = []
  /** Whether the model calls `recall` when it sees a reference. */
  canRecall = true
  /** Streams stop in the middle until this many requests were cut off. */
  hangs = 0
  readonly #tokens = new Context(off(), { format: 'openai-chat' })
  readonly #counts = new Map<string, number>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    this.#tokens[Symbol.dispose]()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Body
    const failure = this.failures.shift()
    const found = problems(body.messages as unknown as Fields[], 'openai-chat')
    if (failure !== undefined || found.length > 0) {
      if (failure === undefined) this.refused.push(...found)
      response.writeHead(failure ?? 400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ error: { message: found.join('; ') || 'try again', type: 'error', code: null } }),
      )
      return
    }
    const message = answer(body.messages, this.canRecall)
    if (body.stream === true && this.hangs > 0) {
      this.hangs--
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(chunkOf(body, { role: 'assistant', content: 'Let me ' }))}\n\n`)
      return
    }
    const usage = this.#charge(body.messages, message)
    if (body.stream === true) return stream(response, body, message, usage)
    response.writeHead(200, { 'content-type': 'application/json' })
    const finish_reason = message.tool_calls === undefined ? 'stop' : 'tool_calls'
    const choices = [{ index: 0, message, finish_reason }]
    response.end(JSON.stringify({ ...chunkOf(body, {}), object: 'chat.completion', choices, usage }))
  }

  /** Counts a request: what it has in common with the last one of its thread is read from the cache. */
  #charge(messages: ChatMessage[], message: ChatMessage): object {
    const thread = threadOf(messages)
    const account = this.accounts.get(thread) ?? {
      requests: 0,
      cost: 0,
      tokens: 0,
      rewrites: 0,
      last: [],
      sent: [],
    }
    const sent = messages.map((each) => JSON.stringify(each))
    const changed = account.sent.findIndex((text, i) => text !== sent[i])
    const common = changed === -1 ? account.sent.length : changed
    const counts = messages.map((each, i) => this.#count(each, sent[i] as string))
    const sum = (list: number[]) => list.reduce((all, count) => all + count, 0)
    const tokens = sum(counts)
    const cached = sum(counts.slice(0, common))
    account.requests++
    account.tokens += tokens
    account.cost += requestCost({ cached, written: tokens - cached }, PRICES.anthropic)
    if (changed !== -1) account.rewrites++
    account.last = messages
    account.sent = sent
    this.accounts.set(thread, account)
    return {
      prompt_tokens: tokens,
      completion_tokens: this.#count(message, JSON.stringify(message)),
      total_tokens: tokens,
      prompt_tokens_details: { cached_tokens: cached },
    }
  }

  #count(message: ChatMessage, text: string): number {
    const known = this.#counts.get(text)
    if (known !== undefined) return known
    const count = this.#tokens.usage([message]).total
    this.#counts.set(text, count)
    return count
  }
}

/** Its id is that of the answer: agents know messages by it. */
function chunkOf({ model, messages }: Body, delta: object, finish_reason: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason }]
  return {
    id: `chatcmpl-${messages.length}`,
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model,
    choices,
  }
}

/** A stream in the pieces that providers cut it into. */
function stream(response: ServerResponse, body: Body, message: ChatMessage, usage: object): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (data: object) => response.write(`data: ${JSON.stringify(data)}\n\n`)
  send(chunkOf(body, { role: 'assistant', content: '' }))
  for (const piece of message.content?.match(/.{1,5}/gs) ?? []) send(chunkOf(body, { content: piece }))
  for (const [
    index,
    {
      id,
      type,
      function: { name, arguments: text },
    },
  ] of (message.tool_calls ?? []).entries()) {
    send(chunkOf(body, { tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }))
    for (const piece of text.match(/.{1,9}/gs) ?? [])
      send(chunkOf(body, { tool_calls: [{ index, function: { arguments: piece } }] }))
  }
  send(chunkOf(body, {}, message.tool_calls === undefined ? 'stop' : 'tool_calls'))
  send({ ...chunkOf(body, {}), choices: [], usage })
  response.end('data: [DONE]\n\n')
}
