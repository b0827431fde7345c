// The registry of conversations that every adapter uses.
import { cacheAware, clearOldToolUses, type Policy, recallTool } from 'trimtab'
import { trimtab as aiSdk } from 'trimtab/ai-sdk'
import { trimtab as langChain } from 'trimtab/langchain'
import { describe, expect, test } from 'vitest'
import { type AdapterOptions, Conversations } from '../../js/dist/adapters/conversations.js'
import { commonStart } from '../../js/dist/base/common-start.js'

const POLICY = clearOldToolUses({
  trigger: { type: 'tool_uses', value: 4 },
  keep: { type: 'tool_uses', value: 2 },
})
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const use = (id: string): object[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: id, content: `${id} `.padEnd(3000, 'output\n') },
]
const opening = (thread: string): object[] => [
  { role: 'system', content: 'You work.' },
  { role: 'user', content: thread },
]
const session = (thread: string, uses: number): object[] => [
  ...opening(thread),
  ...Array.from({ length: uses }, (_, i) => use(`${thread}${i}`)).flat(),
]
const stubs = (messages: readonly object[]): string[] =>
  JSON.stringify(messages).match(/recall [0-9a-f]{8}/g) ?? []
const warned = (options: AdapterOptions = {}) => {
  const warnings: string[] = []
  const conversations = new Conversations(POLICY, {
    ...options,
    onWarning: ({ code }) => warnings.push(code),
  })
  return { conversations, warnings }
}

test('interleaved threads without ids keep separate views', () => {
  using conversations = new Conversations(POLICY)
  using alone = new Conversations(POLICY)
  for (let uses = 1; uses < 20; uses++) {
    for (const thread of ['thread-a', 'thread-b', 'thread-c']) {
      const { messages } = conversations.request(copy(session(thread, uses)))
      if (thread === 'thread-b') expect(messages).toEqual(alone.request(session(thread, uses)).messages)
    }
  }
})

test.each([undefined, 'openai-chat'] as const)(
  'a branch keeps the decisions about the common messages, with format %s',
  (format) => {
    using conversations = new Conversations(POLICY, {}, format)
    const whole = conversations.request(session('thread-a', 12)).messages
    const left = session('thread-a', 12).slice(0, 20)
    const branch = conversations.request([...left, { role: 'user', content: 'Do that otherwise.' }]).messages
    expect(branch.slice(0, 15)).toEqual(whole.slice(0, 15))
    expect(stubs(branch).length).toBeGreaterThan(2)
  },
)

test('conversations that share an id are kept apart and cause one warning', () => {
  const { conversations, warnings } = warned()
  for (let uses = 1; uses < 8; uses++)
    for (const thread of ['thread-a', 'thread-b']) {
      const { messages } = conversations.request(session(thread, uses), { id: 'same' })
      expect(JSON.stringify(messages)).not.toContain(thread === 'thread-a' ? 'thread-b' : 'thread-a')
    }
  expect(warnings).toEqual(['shared_id'])
  conversations[Symbol.dispose]()
})

test('a missing recall tool causes one warning if a stub refers to it', () => {
  const read = { name: 'read_file' }
  const long = session('thread-a', 9)
  const warningsFor = (tools: readonly object[], messages = long, policy: Policy = POLICY): string[] => {
    const warnings: string[] = []
    using conversations = new Conversations(policy, { onWarning: ({ code }) => warnings.push(code) })
    for (let i = 0; i < 2; i++) conversations.request(messages, { tools })
    return warnings
  }
  expect(warningsFor([read])).toEqual(['no_recall'])
  expect(warningsFor([read, { name: 'recall' }])).toEqual([])
  expect(warningsFor([])).toEqual([])
  expect(warningsFor([read], session('thread-a', 1))).toEqual([])
  expect(warningsFor([read], long, { ...POLICY, recall: false })).toEqual([])
})

test('LangChain may pass tools as Chat Completions has them', async () => {
  const read = { type: 'function', function: { name: 'read_file' } }
  const messages = session('thread-a', 9)
  for (const [tools, expected] of [
    [[read, recallTool('openai-chat')], []],
    [[read], ['no_recall']],
  ] as const) {
    const warnings: string[] = []
    using chain = langChain(POLICY, { onWarning: ({ code }) => warnings.push(code) })
    await chain.middleware.wrapModelCall({ messages, model: {}, tools }, (request) => request)
    expect(warnings).toEqual(expected)
  }
})

test('AI SDK and LangChain may give `recall` another name', async () => {
  const renamed = { ...recallTool(), name: 'get_back' }
  const messages = session('thread-a', 9)
  for (const [tools, expected] of [
    [[{ name: 'read_file' }, renamed], []],
    [[{ name: 'read_file' }], ['no_recall', 'no_recall']],
  ] as const) {
    const warnings: string[] = []
    const options: AdapterOptions = { onWarning: ({ code }) => warnings.push(code) }
    using sdk = aiSdk(POLICY, options)
    await sdk.middleware.transformParams({
      params: { prompt: messages, tools: [...tools] },
      model: { modelId: 'm' },
    })
    using chain = langChain(POLICY, options)
    await chain.middleware.wrapModelCall({ messages, model: {}, tools }, (request) => request)
    expect(warnings).toEqual(expected)
  }
})

test('a conversation that receives its own view continues from the originals', () => {
  for (const stored of [(view: object[]) => view, (view: object[]) => copy(view)]) {
    using conversations = new Conversations(POLICY)
    using whole = new Conversations(POLICY)
    let held = session('thread-a', 6)
    for (let i = 6; i < 30; i++) {
      const { messages } = conversations.request(held)
      expect(messages).toEqual(whole.request(session('thread-a', i)).messages)
      held = [...stored(messages), ...use(`thread-a${i}`)]
    }
    const { messages } = conversations.request(held)
    for (const stub of stubs(messages))
      expect(conversations.answerRecall({ reference: stub }, messages)).toMatch(/^thread-a\d+ +(?:output\n)+/)
  }
})

test('recall returns no result of another conversation', () => {
  using conversations = new Conversations(POLICY)
  const { messages } = conversations.request(session('thread-a', 8))
  const [reference] = stubs(messages)
  conversations.request(session('thread-b', 8))
  expect(conversations.answerRecall({ reference }, session('thread-b', 8))).toMatch(/^Error: /)
  expect(conversations.answerRecall({ reference }, messages)).toMatch(/^thread-a0 output/)
})

test('the least recently used conversation is forgotten and can return', () => {
  const { conversations } = warned({ maxConversations: 2 })
  for (const thread of ['thread-a', 'thread-b', 'thread-c', 'thread-a']) {
    const request = conversations.request(session(thread, 6))
    expect(stubs(request.messages)).toHaveLength(3)
  }
  conversations[Symbol.dispose]()
})

test('usage of a superseded request or a forgotten conversation is ignored', () => {
  const { conversations, warnings } = warned({ maxConversations: 1 })
  const first = conversations.request(session('thread-a', 1))
  const second = conversations.request(session('thread-a', 2))
  first.calibrate({ input: 1_000_000, output: 1 })
  expect(conversations.request(session('thread-a', 2)).report.expectedTokens).toBeNull()
  conversations.request(session('thread-b', 1))
  second.calibrate({ input: 1_000_000, output: 1 })
  expect(warnings).toEqual([])
})

test.each([[undefined], [null], [{}], ['many'], [{ tokens: 3 }], [{ inputTokens: { total: undefined } }]])(
  'invalid usage %j fails no request',
  (usage) => {
    const { conversations } = warned()
    conversations.request(session('thread-a', 1)).calibrate(usage)
    expect(conversations.request(session('thread-a', 2)).report.expectedTokens).toBeNull()
  },
)

test('onRequest is called for each request', () => {
  const seen: [string | undefined, number][] = []
  using conversations = new Conversations(POLICY, {
    onRequest: ({ id, report }) => seen.push([id, report.edits.length]),
  })
  conversations.request(session('thread-a', 1), { id: 'x' })
  conversations.request(session('thread-a', 6), { id: 'x' })
  expect(seen).toEqual([
    ['x', 0],
    ['x', 3],
  ])
})

test('an unknown option or an invalid policy is refused by the constructor', () => {
  expect(() => new Conversations({}, { maxConversation: 3 } as never)).toThrow('maxConversations')
  expect(() => new Conversations({ cleer: true } as never)).toThrow('cleer')
})

test('messages are compared by content, not by identity', () => {
  const url = 'https://example.com/a.png'
  const message = () => ({
    role: 'user',
    bytes: new Uint8Array([1, 2]),
    url: new URL(url),
    at: new Date(3),
    parts: [{ a: 1 }],
  })
  const same = (one: unknown, other: unknown) => commonStart([one], [other]) === 1
  expect(same(message(), message())).toBe(true)
  expect(same({ a: 1, b: undefined }, { a: 1 })).toBe(true)
  for (const other of [
    { bytes: new Uint8Array([1, 3]) },
    { url: new URL(`${url}?`) },
    { at: new Date(4) },
    { parts: [] },
  ])
    expect(same(message(), { ...message(), ...other })).toBe(false)
  expect(same([1], { 0: 1 })).toBe(false)
})

describe('cacheAware after a pause', () => {
  const read = (i: number): object[] => {
    const name = 'read_file'
    const call = { id: `${i}`, type: 'function', function: { name, arguments: `{"path":"${i}.ts"}` } }
    const content = `${i} `.padEnd(6000, 'a line of code\n')
    return [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content },
    ]
  }
  const reads = Array.from({ length: 50 }, (_, i) => read(i))
  const played = (last: readonly object[], pause: number): number => {
    let clock = 0
    using conversations = new Conversations(cacheAware(), { now: () => clock })
    for (let uses = 1; uses < reads.length; uses++) {
      clock += 20_000
      conversations.request([...opening('x'), ...reads.slice(0, uses).flat()])
    }
    clock += pause
    return stubs(conversations.request([...opening('x'), ...last]).messages).length
  }

  test.each([
    ['a conversation that goes on', reads.flat()],
    ['a conversation that branches', [...reads.slice(0, 44), read(99)].flat()],
  ])('retired results are cleared only once the cache has expired: %s', (_, last) => {
    expect(played(last, 20_000)).toBe(0)
    expect(played(last, 299_000)).toBe(0)
    expect(played(last, 301_000)).toBeGreaterThan(0)
  })
})
