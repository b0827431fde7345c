// A conversation in Anthropic's message threads, against a server that stores what it was sent and refuses
// wrong continuations.
import { Context, cacheAware, MessageThread, type Policy, rollingContext, type ThreadRequest } from 'trimtab'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Block, Message } from '../node/binding.js'
import { AnthropicProvider, BOUND } from './anthropic-provider.js'

const STEPS = 40
const model = 'claude-opus-5-5'

let provider: AnthropicProvider
beforeEach(async () => {
  provider = await new AnthropicProvider(STEPS).start()
})
afterEach(() => provider[Symbol.asyncDispose]())

interface Answer {
  id: string
  content: Block[]
  error?: { message: string; details?: { error_code: string } }
}

async function send(
  { thread, messages }: { thread: object | null; messages: readonly object[] },
  system = 'You mend builds.',
): Promise<Answer> {
  const body = {
    model,
    max_tokens: 4096,
    system,
    tools: [],
    messages,
    ...(thread === null ? {} : { thread }),
  }
  const response = await fetch(`${provider.address}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  return (await response.json()) as Answer
}

/** The history after a step: with the answer and the results of its calls. */
function appended(history: Message[], content: Block[]): Message[] {
  const calls = content.filter(({ type }) => type === 'tool_use')
  const results = calls.map(({ id }): Block => {
    const text = `${id}: warning: unused variable\n`.repeat(150)
    return { type: 'tool_result', tool_use_id: id, content: text }
  })
  const answer = { role: 'assistant', content }
  return results.length === 0
    ? [...history, answer]
    : [...history, answer, { role: 'user', content: results }]
}

const START: Message[] = [{ role: 'user', content: 'Mend the build.' }]

/** Runs a loop to its end; `before` may give the pause and the prefix of a step. */
async function loop(
  policy: Policy,
  before: (step: number) => { idle?: number; prefix?: string } = () => ({}),
): Promise<{ kinds: (string | undefined)[]; requests: ThreadRequest<Message>[] }> {
  const thread = new MessageThread(new Context(policy, { model }))
  const requests: ThreadRequest<Message>[] = []
  for (let history = START; history.at(-1)?.role === 'user'; ) {
    const request = thread.project(history, before(requests.length))
    requests.push(request)
    const answer = await send(request)
    expect(answer.error).toBeUndefined()
    expect(provider.requests.at(-1)).toEqual(request.view)
    thread.answered(answer)
    history = appended(history, answer.content)
  }
  return { kinds: requests.map(({ thread: param }) => param?.type), requests }
}

const count = (kinds: (string | undefined)[], kind: string) => kinds.filter((one) => one === kind).length

describe('MessageThread', () => {
  test('continues one thread while the view only grows, and sends only new messages', async () => {
    const { kinds } = await loop({})
    expect(kinds).toEqual(['create', ...Array.from({ length: STEPS }, () => 'continue')])
    expect(provider.sent).toEqual(kinds.map(() => 1))
  })

  test.each<[string, Policy]>([
    ['cacheAware', cacheAware({ model })],
    ['batches of 8,000 tokens', { age: { maxToolOutputAge: 2 }, clearAtLeast: 8000, recall: false }],
  ])('%s: clearing a batch starts a new thread with the whole view', async (_, policy) => {
    const { kinds, requests } = await loop(policy)
    expect(count(kinds, 'create')).toBeGreaterThan(2)
    for (const { thread, messages, view, report } of requests.slice(1)) {
      const isBatch = report.cache?.firstDifference !== null
      expect(thread?.type).toBe(isBatch ? 'create' : 'continue')
      expect(messages).toEqual(isBatch ? view : view.slice(-1))
    }
  })

  test('starts a new thread after five minutes and for another system prompt', async () => {
    const { kinds } = await loop({}, (step) =>
      step === 5 ? { idle: 300 } : step === 9 ? { prefix: 'x' } : {},
    )
    expect(kinds.flatMap((kind, step) => (kind === 'create' ? [step] : []))).toEqual([0, 5, 9])
  })

  test('creates the thread again after the server lost it', async () => {
    const thread = new MessageThread(new Context({}, { model }))
    const first = await send(thread.project(START))
    thread.answered(first)
    const history = appended(START, first.content)
    provider.forget()
    const lost = await send(thread.project(history))
    expect(lost.error?.details?.error_code).toBe('thread_not_found')
    thread.lost()
    const again = thread.project(history)
    expect(again.thread).toEqual({ type: 'create' })
    expect((await send(again)).error).toBeUndefined()
  })

  test('the server refuses an invalid continuation', async () => {
    const thread = new MessageThread(new Context({}, { model }))
    const first = await send(thread.project(START))
    thread.answered(first)
    const { thread: param, view } = thread.project(appended(START, first.content))
    // All messages once more.
    expect((await send({ thread: param, messages: view })).error?.message).toMatch(/^messages\./)
    // Two requests that continue the same answer.
    const rest = { thread: param, messages: view.slice(2) }
    const second = await send(rest)
    expect(second.error).toBeUndefined()
    expect((await send(rest)).error?.details?.error_code).toBe('thread_already_continued')
    // Another system prompt; then the same in a new thread, whose thinking was generated after the first
    // system prompt.
    const next = { thread: { type: 'continue', previous_message_id: second.id }, messages: [] }
    const differs = await send(next, 'Another.')
    expect(differs.error?.details?.error_code).toBe('thread_fingerprint_mismatch')
    const anew = await send({ thread: { type: 'create' }, messages: view }, 'Another.')
    expect(anew.error?.message).toContain(BOUND)
  })

  test('starts a new thread for a fork and for an answer that the host changed', () => {
    const thread = new MessageThread(new Context({}, { model }))
    const answer = { id: 'msg_1', content: [{ type: 'text', text: 'What?' }] }
    thread.project(START)
    thread.answered(answer)
    const goOn = (content: readonly object[]) =>
      thread.project([...START, { role: 'assistant', content }, { role: 'user', content: 'go on' }]).thread
    expect(goOn(answer.content)).toEqual({ type: 'continue', previous_message_id: 'msg_1' })
    expect(goOn([{ type: 'text', text: 'Which?' }])).toEqual({ type: 'create' })
    expect(goOn(answer.content)).toEqual({ type: 'continue', previous_message_id: 'msg_1' })
    expect(thread.project([{ role: 'user', content: 'Something else.' }]).thread).toEqual({ type: 'create' })
  })

  test('starts a new thread after a refusal, uses none for a compaction, and refuses an invalid answer', () => {
    const thread = new MessageThread(new Context(rollingContext(), { model }))
    thread.project(START)
    thread.answered({ id: 'msg_1', content: [], stop_reason: 'refusal' })
    expect(thread.project([...START, { role: 'assistant', content: [] }]).thread).toEqual({ type: 'create' })
    const compaction = { type: 'compaction', content: 'So far.', encrypted_content: 'x' }
    const compacted = [
      ...START,
      { role: 'assistant', content: [compaction] },
      { role: 'user', content: 'go' },
    ]
    const { thread: none, messages } = thread.project(compacted)
    expect([none, messages]).toEqual([null, compacted])
    expect(() => thread.answered({ id: 7 as unknown as string, content: [] })).toThrow('answer.id')
    expect(() => thread.answered({ id: 'a', content: 'x' as never })).toThrow('answer.content')
  })
})
