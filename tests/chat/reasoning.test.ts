// What providers require back of an answer with calls, in the next request: signatures and reasoning. In a chat of the
// provider's own format, and after the model was changed in a chat of another one.
import { validate } from 'trimtab'
import { describe, expect, test } from 'vitest'
import type { Conversation } from '../../www/src/chat/agent/conversation.js'
import { PROVIDER_IDS, PROVIDERS, type ProviderId } from '../../www/src/chat/models/connection.js'
import type { Fetch } from '../../www/src/chat/models/network-model.js'
import { type Answering, answerBy, chatIn, checkedServer } from './turns.js'

const server = await checkedServer()

/** A model of each provider that requires something back with its calls. */
const STRICT: Readonly<Record<ProviderId, string>> = {
  openai: 'gemini-3-pro-preview',
  anthropic: 'claude-opus-4-5',
  gemini: 'gemini-3-pro-preview',
}

const answerWith = (conversation: Conversation, provider: ProviderId, options: Partial<Answering> = {}) =>
  answerBy(conversation, provider, { model: STRICT[provider], address: `${server.origin}/v1`, ...options })

const read = (path: string) => ({ name: 'read_file', arguments: { file_paths: [path] } })

/** What a body of a request says, without the system prompt of Chat Completions. */
function sentTo(provider: ProviderId, body: Record<string, unknown>): object[] {
  const messages = body[provider === 'gemini' ? 'contents' : 'messages'] as { role: string }[]
  return messages.filter(({ role }) => role !== 'system')
}

/** Events of Chat Completions as a `fetch`, one answer after the other; the bodies of the requests. */
function openAiServer(answers: readonly (readonly object[])[]) {
  const bodies: Record<string, unknown>[] = []
  const send: Fetch = async (_, { body }) => {
    const events = answers[bodies.length] ?? []
    bodies.push(JSON.parse(String(body)) as Record<string, unknown>)
    const text = events.map((delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`).join('')
    const end = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\n`
    return new Response(text + end, { headers: { 'content-type': 'text/event-stream' } })
  }
  return { bodies, send }
}

const SIGNED = { google: { thought_signature: 'c2lnbmVk' } }
const CALL = {
  index: 0,
  id: 'c1',
  type: 'function',
  function: { name: 'read_file', arguments: '{"file_paths":["src/zone.ts"]}' },
}

test('a conversation takes the format of the model until its first message, and then keeps it', () => {
  const conversation = chatIn('openai-chat')
  conversation.startIn('anthropic')
  conversation.startIn('gemini')
  conversation.say('user', 'hello', 1000)
  conversation.startIn('openai-chat')
  expect(conversation.format).toBe('gemini')
  expect(conversation.messages).toEqual([{ role: 'user', parts: [{ text: 'hello' }] }])
  expect(conversation.history().messages).toHaveLength(1)
})

const STARTS = ['openai-chat', 'anthropic', 'gemini'] as const

describe.each(STARTS)('in a chat of the format %s', (format) => {
  test.each(PROVIDER_IDS)(
    'a model of %s gets in each request what it requires with its calls',
    async (provider) => {
      const conversation = chatIn(format)
      conversation.say('user', 'before', 1000)
      server.next({ kind: 'answers', said: { text: 'Hello.' } })
      await answerWith(conversation, provider)
      const said = (path: string, signature: string) => ({ reasoning: 'Hm.', signature, calls: [read(path)] })
      server.next(
        { kind: 'answers', said: said('src/zone.ts', 'Zmlyc3Q=') },
        { kind: 'answers', said: said('src/app.ts', 'c2Vjb25k') },
        { kind: 'answers', said: { text: 'Done.' } },
      )
      conversation.say('user', 'read both', 1000)
      await answerWith(conversation, provider)
      expect(conversation.failure).toBeNull()
      const target = PROVIDERS[provider].format
      for (const { body } of server.received) {
        expect(validate(sentTo(provider, body), { format: target, model: STRICT[provider] })).toEqual([])
      }
      const last = JSON.stringify(server.received.at(-1)?.body)
      if (provider === 'gemini')
        expect(last).toMatch(/"thoughtSignature":"Zmlyc3Q=".*"thoughtSignature":"c2Vjb25k"/)
      if (provider === 'anthropic') expect(last.match(/"signature":"c2lnbmVk"/g)).toHaveLength(2)
      // The thread shows no row for an empty mark, and each call has an id that the user's decisions can name.
      const blocks = conversation.history().messages.flatMap(({ blocks }) => blocks)
      const ids = blocks.flatMap(({ kind, callId }) => (kind === 'tool-call' ? [callId] : []))
      expect(new Set(ids).size).toBe(2)
      for (const id of ids) expect(id).toMatch(/^[\w-]{1,40}$/)
    },
  )
})

test('signed thinking of several blocks goes back in its order', async () => {
  const conversation = chatIn('openai-chat')
  const content = [
    { type: 'thinking', thinking: 'One.', signature: 'b25l' },
    { type: 'text', text: 'First.' },
    { type: 'redacted_thinking', data: 'dHdv' },
    { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { file_paths: ['src/zone.ts'] } },
  ]
  const answers = [content, [{ type: 'text', text: 'Done.' }]]
  const bodies: Record<string, unknown>[] = []
  const send: Fetch = async (_, { body }) => {
    const blocks = answers[bodies.length] ?? []
    bodies.push(JSON.parse(String(body)) as Record<string, unknown>)
    const events = [
      ...blocks.map((content_block, index) => ({ type: 'content_block_start', index, content_block })),
      { type: 'message_stop' },
    ]
    return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  conversation.say('user', 'go', 1000)
  await answerWith(conversation, 'anthropic', { send })
  expect(conversation.failure).toBeNull()
  const [, answer] = sentTo('anthropic', bodies[1] ?? {})
  expect(answer).toEqual({ role: 'assistant', content })
})

describe('an OpenAI-compatible server', () => {
  test.each([
    ["Gemini's signature of a call", [{ tool_calls: [{ ...CALL, extra_content: SIGNED }] }]],
    ['reasoning as reasoning_content', [{ reasoning_content: 'Hm.' }, { tool_calls: [CALL] }]],
    ['reasoning as reasoning', [{ reasoning: 'Hm.' }, { tool_calls: [CALL] }]],
    [
      'details of reasoning in parts',
      [
        { reasoning: 'H', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'H' }] },
        { reasoning: 'm.', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'm.' }] },
        { reasoning_details: [{ type: 'reasoning.text', index: 0, signature: 'c2lnbmVk' }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'ZGF0YQ==' }] },
        { tool_calls: [CALL] },
      ],
    ],
  ])('gets back %s, in chats of all formats', async (_, deltas) => {
    for (const format of STARTS) {
      const { bodies, send } = openAiServer([deltas, [{ content: 'Done.' }]])
      const conversation = chatIn(format)
      conversation.say('user', 'go', 1000)
      await answerWith(conversation, 'openai', { send, model: 'm' })
      expect(conversation.failure).toBeNull()
      const [, answer] = sentTo('openai', bodies[1] ?? {}) as Record<string, unknown>[]
      const given = Object.assign({}, ...deltas) as Record<string, unknown>
      if (given.reasoning_content !== undefined) expect(answer?.reasoning_content).toBe('Hm.')
      if (given.reasoning !== undefined) expect(answer?.reasoning).toBe('Hm.')
      if (given.reasoning_details !== undefined) {
        expect(answer?.reasoning_details).toEqual([
          { type: 'reasoning.text', index: 0, text: 'Hm.', signature: 'c2lnbmVk' },
          { type: 'reasoning.encrypted', index: 1, data: 'ZGF0YQ==' },
        ])
      }
      const { index: __, ...call } = (given.tool_calls as (typeof CALL)[])[0] ?? CALL
      expect(answer?.tool_calls).toEqual([call])
    }
  })

  test('of OpenAI gets none of these fields: it rejects what it does not know', async () => {
    const deltas = [
      {
        reasoning: 'Hm.',
        reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }],
        extra_content: SIGNED,
      },
      { tool_calls: [{ ...CALL, extra_content: SIGNED }] },
    ]
    const { bodies, send } = openAiServer([deltas, [{ content: 'Done.' }]])
    const conversation = chatIn('openai-chat')
    conversation.say('user', 'go', 1000)
    await answerWith(conversation, 'openai', { send, model: 'm', address: 'https://api.openai.com/v1' })
    const [, answer] = sentTo('openai', bodies[1] ?? {})
    const { index: _, ...call } = CALL
    expect(answer).toEqual({ role: 'assistant', content: null, tool_calls: [call] })
  })
})

test('a turn that another model began goes on with a model that requires reasoning with calls', async () => {
  const begun = [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'text' },
  ]
  const models = [
    ['gemini', 'gemini-3-pro-preview'],
    ['openai', 'google/gemini-3-pro-preview'],
    ['openai', 'deepseek-reasoner'],
  ] as const
  server.next({ kind: 'answers', said: { text: 'Done.' } })
  for (const [provider, model] of models) {
    const conversation = chatIn('openai-chat')
    conversation.append(begun)
    await answerWith(conversation, provider, { model })
    const messages = sentTo(provider, server.received.at(-1)?.body ?? {})
    expect(validate(messages, { format: PROVIDERS[provider].format, model })).toEqual([])
    // The history stays as it is.
    expect(conversation.messages.slice(0, 3)).toEqual(begun)
  }
})
