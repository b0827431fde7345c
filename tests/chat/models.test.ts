import { cacheAware, readMessages } from 'trimtab'
import { describe, expect, test } from 'vitest'
import { Conversation } from '../../www/src/chat/agent/conversation.js'
import { memoryPlace } from '../../www/src/chat/agent/places.js'
import { runTurn } from '../../www/src/chat/agent/run-turn.js'
import { workbenchFor } from '../../www/src/chat/agent/tools.js'
import {
  type Connection,
  connectionOf,
  keyFor,
  type ProviderId,
} from '../../www/src/chat/models/connection.js'
import { type Fetch, networkModel } from '../../www/src/chat/models/network-model.js'
import type { ModelServer, Received } from './model-server.js'
import { checkedServer } from './turns.js'

const server = await checkedServer()

const KEY = 'sk-secret-1234'

function connectionTo(provider: ProviderId, fields: Partial<Connection> = {}): Connection {
  return { provider, address: `${server.origin}/v1`, model: 'small', key: KEY, window: 32_000, ...fields }
}

interface Bench {
  conversation: Conversation
  say(text: string, signal?: AbortSignal): Promise<void>
}

/** A conversation in the given format, whose turns are answered by the provider of the connection. */
function bench(
  connection: Connection,
  format: Conversation['format'] = 'openai-chat',
  fetch: Fetch = globalThis.fetch,
): Bench {
  const conversation = new Conversation({ id: 'one', title: 'One', format, policy: cacheAware() })
  const { tools, system } = workbenchFor(conversation, memoryPlace())
  return {
    conversation,
    async say(text, signal = new AbortController().signal) {
      conversation.say('user', text, 1000)
      await runTurn(conversation, {
        model: networkModel(connection, fetch),
        tools,
        system,
        signal,
        now: () => 2000,
      })
    },
  }
}

const textsOf = ({ messages, format }: Conversation): string[] => {
  const history = readMessages(messages, { format })
  return history.blocks().map((block) => `${block.kind}: ${history.textOf(block)}`)
}

const read = (path: string) => ({ calls: [{ name: 'read_file', arguments: { file_paths: [path] } }] })

const PROVIDERS = ['openai', 'anthropic', 'gemini'] as const

describe.each(PROVIDERS)('a model of the provider %s', (provider) => {
  test('reasons, calls tools over several requests, and answers', async () => {
    server.next(
      {
        kind: 'answers',
        said: { reasoning: 'First the zones.', text: 'I read it.', ...read('src/zone.ts') },
      },
      { kind: 'answers', said: { calls: [...read('src/app.ts').calls, ...read('nowhere.ts').calls] } },
      { kind: 'answers', said: { text: 'Äpfel und 🍏: all is read.' } },
    )
    const { conversation, say } = bench(connectionTo(provider))
    await say('read both')
    expect(conversation.failure).toBeNull()
    const texts = textsOf(conversation)
    expect(texts.at(-1)).toBe('text: Äpfel und 🍏: all is read.')
    expect(texts.some((text) => text.includes('getTime() - offset'))).toBe(true)
    expect(server.received).toHaveLength(3)
    // Each request holds everything before it, and the tools.
    expect(JSON.stringify(server.received[2]?.body)).toContain('getTime() - offset')
    expect(JSON.stringify(server.received[0]?.body)).toContain('update_section')
    expect(JSON.stringify(server.received[0]?.body)).toContain('You are a coding agent')
  })

  test('continues a conversation in the format of another provider', async () => {
    server.next(
      { kind: 'answers', said: { text: 'One.', ...read('src/zone.ts') } },
      { kind: 'answers', said: { text: 'Two.' } },
    )
    for (const format of ['openai-chat', 'anthropic', 'gemini'] as const) {
      const { conversation, say } = bench(connectionTo(provider), format)
      server.next(
        { kind: 'answers', said: { text: 'One.', ...read('src/zone.ts') } },
        { kind: 'answers', said: { text: 'Two.' } },
      )
      await say('begin')
      expect(conversation.failure).toBeNull()
      expect(conversation.format).toBe(format)
      expect(textsOf(conversation).at(-1)).toBe('text: Two.')
    }
  })

  test('gives a readable error if there is no answer, and answers the next request', async () => {
    const { conversation, say } = bench(connectionTo(provider))
    const host = server.origin.replace('http://', '')
    const failures: string[] = []
    const meets = async (behaviour: Parameters<ModelServer['next']>[0]) => {
      server.next(behaviour)
      await say('again')
      failures.push(conversation.failure ?? '')
    }
    await meets({ kind: 'refuses', status: 401, message: `no such key: ${KEY}` })
    await meets({ kind: 'refuses', status: 429, message: 'slow down', retryAfter: 20 })
    await meets({ kind: 'refuses', status: 529, message: 'Overloaded' })
    await meets({ kind: 'breaks off', said: { text: 'Half an' } })
    await meets({ kind: 'gives up', said: { text: 'Half an' }, message: 'the engine stalled' })
    await meets({ kind: 'is no model' })
    await meets({ kind: 'redirects', to: 'https://example.com/' })
    await meets({ kind: 'answers', said: {} })
    expect(failures).toEqual([
      `${host} does not accept the key (401). It says: no such key: •••`,
      `${host} limits how often it may be asked (429). It asks to wait 20 seconds. It says: slow down`,
      `${host} is overloaded (529). It says: Overloaded`,
      `The answer broke off: ${host} closed the connection before its end.`,
      `${host} broke the answer off: the engine stalled`,
      `${host} answered with text/html, not with a stream. Is the address right?`,
      `No answer from ${host}: it cannot be reached, sends the request elsewhere, or does not let web pages ask it (CORS).`,
      'The model ended its answer without saying anything.',
    ])
    await meets({ kind: 'answers', said: { text: 'Here I am.' } })
    expect(failures.at(-1)).toBe('')
    expect(textsOf(conversation).at(-1)).toBe('text: Here I am.')
  })

  test('keeps the part of an answer that broke off, and sends it with the next prompt', async () => {
    server.next(
      { kind: 'breaks off', said: { text: 'Half an answer comes' } },
      { kind: 'answers', said: { text: 'Whole.' } },
    )
    const { conversation, say } = bench(connectionTo(provider))
    await say('tell me')
    expect(conversation.draft?.text).toContain('Half')
    await say('and now?')
    expect(conversation.draft).toBeNull()
    expect(JSON.stringify(server.received.at(-1)?.body)).toContain('Half')
    expect(textsOf(conversation)).toContainEqual(expect.stringMatching(/^text: Half/))
    expect(server.faults()).toEqual([])
  })

  test('aborts its request when it is stopped, and keeps the partial answer', async () => {
    server.next({ kind: 'answers', said: { text: 'one two three four five six seven eight' }, pause: 40 })
    const stop = new AbortController()
    const { conversation, say } = bench(connectionTo(provider))
    conversation.subscribe(() => {
      if (conversation.draft?.text.includes('three')) stop.abort()
    })
    await say('count', stop.signal)
    expect(conversation.failure).toBeNull()
    expect(textsOf(conversation).at(-1)).toMatch(/^text: one two three/)
    expect(conversation.notes.map(({ kind }) => kind)).toEqual(['stopped'])
    await expect.poll(() => server.received.at(-1)?.isAborted).toBe(true)
  })

  test('adds a note to an answer that reached the token limit', async () => {
    server.next({ kind: 'answers', said: { text: 'So much to', isCut: true } })
    const { conversation, say } = bench(connectionTo(provider))
    await say('tell all')
    expect(conversation.notes.map(({ kind }) => kind)).toEqual(['cut'])
  })
})

describe('a request to a provider', () => {
  const sent = async (provider: ProviderId, fields: Partial<Connection> = {}): Promise<Received> => {
    const { say } = bench(connectionTo(provider, fields))
    await say('hello')
    return server.received.at(-1) as Received
  }

  test('has the API key in the header of the provider', async () => {
    server.next({ kind: 'answers', said: { text: 'Hello.' } })
    expect((await sent('openai')).headers.authorization).toBe(`Bearer ${KEY}`)
    expect((await sent('anthropic')).headers['x-api-key']).toBe(KEY)
    expect((await sent('gemini')).headers['x-goog-api-key']).toBe(KEY)
    expect((await sent('gemini')).path).toBe('/v1/models/small:streamGenerateContent?alt=sse')
    expect((await sent('openai', { key: '' })).headers.authorization).toBeUndefined()
  })

  test("marks the system prompt and the newest message for Anthropic's prompt cache", async () => {
    server.next({ kind: 'answers', said: { text: 'Hello.' } })
    const { body } = await sent('anthropic')
    expect(JSON.stringify(body.system)).toContain('"cache_control":{"type":"ephemeral"}')
    expect(body.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hello', cache_control: { type: 'ephemeral' } }] },
    ])
  })

  test('has signed thinking unchanged', async () => {
    server.next(
      { kind: 'answers', said: { reasoning: 'A deep thought.', ...read('src/zone.ts') } },
      { kind: 'answers', said: { text: 'Done.' } },
    )
    const { say } = bench(connectionTo('anthropic'), 'anthropic')
    await say('go')
    const messages = server.received[1]?.body.messages as { content: object[] }[]
    expect(messages[1]?.content[0]).toEqual({
      type: 'thinking',
      thinking: 'A deep thought.',
      signature: 'c2lnbmVk',
    })
  })

  test('fails with a readable error if the model ends within a call', async () => {
    const { conversation, say } = bench(connectionTo('openai'), 'openai-chat', async () => {
      const delta = {
        tool_calls: [{ index: 0, id: 'a', function: { name: 'read_file', arguments: '{"pa' } }],
      }
      const event = { choices: [{ delta, finish_reason: 'length' }] }
      return new Response(`data: ${JSON.stringify(event)}\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      })
    })
    await say('go')
    expect(conversation.failure).toBe('The model ended in the middle of a call of read_file.')
  })
})

test.each(PROVIDERS)(
  'a request of %s is recorded with the tokens of its system prompt and tools',
  async (provider) => {
    server.next({ kind: 'answers', said: { text: 'Hello.' } })
    const { conversation, say } = bench(connectionTo(provider))
    await say('hello')
    const body = server.received.at(-1)?.body ?? {}
    const said = JSON.stringify(body.messages ?? body.contents).length
    const besides = provider === 'openai' ? JSON.stringify(body).length : JSON.stringify(body).length - said
    const { overhead = 0, sent } = conversation.requests[0] ?? {}
    expect(overhead / (besides / 3.5)).toBeGreaterThan(0.85)
    expect(overhead / (besides / 3.5)).toBeLessThan(1.05)
    expect(sent).toBeLessThan(10)
  },
)

describe('connectionOf', () => {
  const given = { provider: 'openai', address: '', model: 'm', key: '', window: '' } as const

  test('applies defaults, and removes slashes at the end of the address', () => {
    expect(connectionOf(given, true)).toEqual({
      provider: 'openai',
      address: 'https://api.openai.com/v1',
      model: 'm',
      key: '',
      window: 128_000,
    })
    expect(
      connectionOf({ ...given, address: 'http://localhost:11434/v1//', window: '8,192' }, true),
    ).toMatchObject({
      address: 'http://localhost:11434/v1',
      window: 8192,
    })
  })

  test.each([
    [{ address: 'localhost:1' }, /must begin with https/],
    [{ address: 'no address' }, /must be a URL/],
    [{ address: 'javascript:alert(1)' }, /must begin with https/],
    [{ address: 'https://a:b@c.de' }, /must not hold a name/],
    [{ address: 'https://c.de/v1?key=1' }, /must end before/],
    [{ address: 'http://c.de/v1' }, /this machine only/],
    [{ model: ' ' }, /Which model/],
    [{ key: 'a\nb' }, /no key has/],
    [{ window: '12' }, /at least 1,000/],
  ])('refuses %j with a readable error', (fields, words) => {
    expect(connectionOf({ ...given, ...fields }, true)).toMatch(words)
  })
})

test.each([
  ['https://a.test/v2', 'k'],
  [' https://A.test:443/ ', 'k'],
  ['https://a.test:8443/v1', ''],
  ['http://a.test/v1', ''],
  ['https://a.test.example/v1', ''],
  ['https://a.te', ''],
  ['a.test', ''],
  ['', ''],
])('a key for https://a.test/v1 is that of the address %j: %j', (address, key) => {
  const before = {
    provider: 'openai',
    address: 'https://a.test/v1',
    model: 'm',
    key: 'k',
    window: 1000,
  } as const
  expect(keyFor(before, address)).toBe(key)
})
