// What is taken in as it comes, and made valid: ids, names and arguments of calls, halves of surrogate pairs, types.
import { openToolCalls } from 'trimtab/tools'
import { describe, expect, test } from 'vitest'
import { answerTo } from '../../www/src/chat/agent/answer-to.js'
import type { Conversation } from '../../www/src/chat/agent/conversation.js'
import { PROVIDER_IDS, PROVIDERS, type ProviderId } from '../../www/src/chat/models/connection.js'
import { type Fetch, networkModel } from '../../www/src/chat/models/network-model.js'
import { answerBy, chatIn, checkedServer } from './turns.js'

const server = await checkedServer()

const answerWith = (conversation: Conversation, provider: ProviderId, send: Fetch = fetch) =>
  answerBy(conversation, provider, { address: `${server.origin}/v1`, send })

/** A server that answers in Chat Completions with one part after the other. */
function saying(...deltas: object[]): Fetch {
  const parts = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: 'stop' }]
  const text = parts.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`).join('')
  return async () => new Response(text, { headers: { 'content-type': 'Text/Event-Stream; Charset=UTF-8' } })
}

async function callsOf(...deltas: object[]) {
  const connection = {
    provider: 'openai',
    address: 'https://a.test',
    model: 'm',
    key: '',
    window: 32_000,
  } as const
  const model = networkModel(connection, saying(...deltas))
  const asked = { messages: [], system: '', tools: [], signal: new AbortController().signal }
  for await (const event of model.answer(asked)) {
    if (event.type === 'answer') return openToolCalls(event.messages, { format: 'openai-chat' })
  }
  return []
}

const call = (fields: object, args: unknown = '{}') => ({
  tool_calls: [{ index: 0, ...fields, function: { name: 'shell', arguments: args } }],
})

test('a content type in any case is taken', async () => {
  expect(await callsOf(call({ id: 'a' }))).toHaveLength(1)
})

test('arguments that are an object instead of a text are taken', async () => {
  const [made] = await callsOf(call({ id: 'a' }, { command: 'ls' }))
  expect(JSON.parse(made?.arguments ?? '')).toEqual({ command: 'ls' })
})

test('a call without an id gets one that every provider takes', async () => {
  const [made] = await callsOf(call({}))
  expect(made?.id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/)
})

describe.each(PROVIDER_IDS)('for %s', (provider) => {
  const { format } = PROVIDERS[provider]
  const say = async (conversation: Conversation, text: string) => {
    conversation.say('user', text, 1000)
    await answerWith(conversation, provider)
  }

  test('a name of a tool that a provider refuses is sent in a form that it takes', async () => {
    for (const own of [format, 'openai-chat'] as const) {
      const conversation = chatIn(own)
      const names = ['functions.shell', 'a b', 'x'.repeat(90), 'ünter']
      server.next(
        { kind: 'answers', said: { calls: names.map((name) => ({ name, arguments: {} })) } },
        { kind: 'answers', said: { text: 'Done.' } },
      )
      await say(conversation, 'go')
      expect(conversation.failure).toBeNull()
      const body = JSON.stringify(server.received.at(-1)?.body)
      const sent = [...body.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name ?? '')
      expect(sent).toEqual(expect.arrayContaining(['functions_shell', 'a_b', 'x'.repeat(64), '_nter']))
      for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      // The model's own words are in the results, and in the history.
      expect(body).toContain('functions.shell')
      expect(JSON.stringify(conversation.messages)).toContain('"functions.shell"')
    }
  })

  test('half a surrogate pair is not sent: of a prompt, or of a session that was opened', async () => {
    const conversation = chatIn('openai-chat')
    conversation.append([
      { role: 'user', content: 'a \\ud83d and \ud83d "\ude00' },
      { role: 'assistant', content: '🍏' },
    ])
    server.next({ kind: 'answers', said: { text: 'Hello.' } })
    await say(conversation, 'half \ud83d pair')
    const body = JSON.stringify(server.received[0]?.body)
    expect(body).toContain('half \ufffd pair')
    expect(body).toContain('a \\\\ud83d and \ufffd \\"\ufffd')
    expect(body).toContain('🍏')
    expect(JSON.stringify(conversation.messages.at(-2))).toContain('half \ufffd pair')
  })

  test('an answer to a prompt that reached the token limit is not taken for a whole one (answerTo)', async () => {
    const connection = { provider, address: `${server.origin}/v1`, model: 'm', key: '', window: 32_000 }
    const model = networkModel(connection, fetch)
    const { signal } = new AbortController()
    server.next({ kind: 'answers', said: { text: 'The user wants the', isCut: true } })
    expect(await answerTo(model, 'Summarize', signal)).toBeNull()
    server.next({ kind: 'answers', said: { text: 'The user wants all.' } })
    expect(await answerTo(model, 'Summarize', signal)).toBe('The user wants all.')
  })

  test('a token limit that is reached while the model reasons is named', async () => {
    const conversation = chatIn(format)
    server.next({ kind: 'answers', said: { reasoning: 'So much to think', isCut: true } })
    await say(conversation, 'go')
    expect(conversation.failure).toBe('The answer reached its token limit before the model said anything.')
  })
})
