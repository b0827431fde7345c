// Streams as real servers send them, chunk by chunk: valid streams are read however they are split, and
// invalid ones are reported.
import { readMessages } from 'trimtab'
import { openToolCalls } from 'trimtab/tools'
import { expect, test } from 'vitest'
import { ModelError } from '../../www/src/chat/agent/model.js'
import type { ProviderId } from '../../www/src/chat/models/connection.js'
import { networkModel } from '../../www/src/chat/models/network-model.js'

const STREAM = { 'content-type': 'text/event-stream' }
const encoder = new TextEncoder()

/**
 * A body of these chunks. With `open`, it stays open after the last chunk, like a connection that is never
 * closed.
 */
function bodyOf(pieces: readonly (string | Uint8Array)[], end: 'closed' | 'open' | 'reset' = 'closed') {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      if (end === 'closed') controller.close()
      if (end === 'reset') setTimeout(() => controller.error(new TypeError('network error')), 20)
    },
  })
}

interface Answer {
  text: string
  calls: { name: string; arguments: unknown }[]
}

async function messagesOf(
  response: Response,
  { provider = 'openai' as ProviderId, signal = AbortSignal.timeout(20_000) } = {},
) {
  const connection = { provider, address: 'https://api.test/v1', model: 'm', key: 'sk-9', window: 32_000 }
  const model = networkModel(connection, async () => response)
  let messages: readonly object[] = []
  for await (const event of model.answer({ messages: [], system: '', tools: [], signal })) {
    if (event.type === 'answer') messages = event.messages
  }
  return { messages, format: model.format }
}

async function answerOf(response: Response, options: { provider?: ProviderId } = {}): Promise<Answer> {
  const { messages, format } = await messagesOf(response, options)
  const history = readMessages(messages, { format })
  const calls = history.blocks().filter(({ kind }) => kind === 'tool-call')
  const texts = history.blocks().filter(({ kind }) => kind === 'text')
  return {
    text: texts.map((block) => history.textOf(block)).join(''),
    calls: calls.map((call) => ({ name: call.tool ?? '', arguments: JSON.parse(history.textOf(call)) })),
  }
}

const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`
const delta = (part: object, finish_reason: string | null = null) =>
  data({ choices: [{ index: 0, delta: part, finish_reason }] })
const call = (index: unknown, id: string | undefined, name: string | undefined, args: string) =>
  delta({ tool_calls: [{ index, id, function: { name, arguments: args } }] })
const DONE = 'data: [DONE]\n\n'
const stream = (...pieces: (string | Uint8Array)[]) => new Response(bodyOf(pieces), { headers: STREAM })

const END: Readonly<Record<ProviderId, string>> = {
  openai: delta({ content: 'Hello.' }) + delta({}, 'stop') + DONE,
  anthropic: [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hello.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ]
    .map(data)
    .join(''),
  gemini: data({ candidates: [{ content: { parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' }] }),
}

test.each(['openai', 'anthropic', 'gemini'] as const)(
  'a complete answer of %s is accepted if the connection is closed, stays open or fails',
  async (provider) => {
    for (const end of ['closed', 'open', 'reset'] as const) {
      const answer = await answerOf(new Response(bodyOf([END[provider]], end), { headers: STREAM }), {
        provider,
      })
      expect(answer.text).toBe('Hello.')
    }
  },
)

test('a stream may end without [DONE], or with usage after the finish reason', async () => {
  const usage = data({ choices: [], usage: { prompt_tokens: 3 } })
  expect((await answerOf(stream(delta({ content: 'Yes.' }), delta({}, 'stop'), usage))).text).toBe('Yes.')
  expect((await answerOf(stream(delta({ content: 'Yes.' }, 'stop')))).text).toBe('Yes.')
})

test('a stream is read from chunks of any size, with all kinds of line breaks, comments and other fields', async () => {
  const text = 'Äpfel 🍏 z̷a̵l̶g̸o \u202e x'
  const body = `\ufeff: keep-alive\r\n\r\nid: 1\r\nretry: 10\r\nevent: message\r\n${delta({ content: text }).replaceAll('\n', '\r\n')}:\r\r${delta({}, 'stop').replaceAll('\n', '\r')}${DONE}`
  const bytes = encoder.encode(body)
  const single = [...bytes].map((byte) => Uint8Array.of(byte))
  expect((await answerOf(stream(...single))).text).toBe(text)
  expect((await answerOf(stream(bytes))).text).toBe(text)
})

test('events that are not part of an answer are skipped', async () => {
  const odd = [
    'data: \n\n',
    'data: null\n\n',
    'data: [1]\n\n',
    'data: {"choices": null}\n\n',
    'data: {"choices": []}\n\n',
    'data: {"choices": [null]}\n\n',
    'data: {"choices": [{"delta": null}]}\n\n',
    'data: {"choices": [{"delta": {"tool_calls": [null, 3]}}]}\n\n',
    'data: {"__proto__": {"error": "x"}, "constructor": 1}\n\n',
    'data: {not json\n\n',
    'event: ping\ndata: {}\n\n',
  ]
  expect((await answerOf(stream(...odd, delta({ content: 'Yes.' }), delta({}, 'stop'), DONE))).text).toBe(
    'Yes.',
  )
})

test('an empty finish reason does not end an answer', async () => {
  // Some servers send an empty finish reason with every event.
  await expect(answerOf(stream(delta({ content: 'Half an' }, '')))).rejects.toThrow(/broke off/)
})

test('content is read from a list of parts', async () => {
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    { type: 'text', text: 'Yes.' },
  ]
  expect((await answerOf(stream(delta({ content: parts }), delta({}, 'stop'), DONE))).text).toBe('Yes.')
})

const READ_A = { name: 'read', arguments: { path: 'a' } }
const READ_B = { name: 'read', arguments: { path: 'b' } }

test.each<[string, string[]]>([
  [
    'interleaved deltas',
    [
      call(0, 'x', 'read', ''),
      call(1, 'y', 'read', '{"path"'),
      call(0, undefined, undefined, '{"path":"a"}'),
      call(1, undefined, undefined, ':"b"}'),
    ],
  ],
  ['the second call first', [call(1, 'y', 'read', '{"path":"b"}'), call(0, 'x', 'read', '{"path":"a"}')]],
  [
    'indices far apart',
    [call(7, 'x', 'read', '{"path":"a"}'), call(4_000_000_000, 'y', 'read', '{"path":"b"}')],
  ],
  [
    'negative and fractional indices',
    [call(-3, 'x', 'read', '{"path":"a"}'), call(0.5, 'y', 'read', '{"path":"b"}')],
  ],
  ['index 0 for both', [call(0, 'x', 'read', '{"path":"a"}'), call(0, 'y', 'read', '{"path":"b"}')]],
  ['no index', [call(undefined, 'x', 'read', '{"path":"a"}'), call(undefined, 'y', 'read', '{"path":"b"}')]],
  [
    'id and name in each delta',
    [
      call(0, 'x', 'read', '{"path"'),
      call(0, 'x', 'read', ':"a"}'),
      call(1, 'y', 'read', '{"path"'),
      call(1, 'y', 'read', ':"b"}'),
    ],
  ],
  ['one id for both', [call(0, 'x', 'read', '{"path":"a"}'), call(1, 'x', 'read', '{"path":"b"}')]],
])('two calls are read from a stream: %s', async (_, pieces) => {
  const { calls } = await answerOf(stream(...pieces, delta({}, 'tool_calls'), DONE))
  expect(calls).toEqual([READ_A, READ_B])
})

test('a tool name is joined from its deltas', async () => {
  const pieces = [call(0, 'x', 'read_', ''), call(0, undefined, 'file', '{}')]
  const { calls } = await answerOf(stream(...pieces, delta({}, 'tool_calls'), DONE))
  expect(calls).toEqual([{ name: 'read_file', arguments: {} }])
})

test('Anthropic blocks may have any index, and deltas of blocks that never started are skipped', async () => {
  const events = [
    { type: 'content_block_delta', index: 5, delta: { type: 'text_delta', text: 'lost' } },
    {
      type: 'content_block_start',
      index: 4_000_000_000,
      content_block: { type: 'tool_use', id: 'x', name: 'read' },
    },
    {
      type: 'content_block_delta',
      index: 4_000_000_000,
      delta: { type: 'input_json_delta', partial_json: '{"path":"a"}' },
    },
    { type: 'content_block_start', index: -1, content_block: { type: 'text', text: 'So. ' } },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ]
  const { text, calls } = await answerOf(stream(...events.map(data)), { provider: 'anthropic' })
  expect(text).toBe('So. ')
  expect(calls).toEqual([READ_A])
})

/** Answers with half a surrogate pair in each text and name, and an apple in two halves. */
const HALVES: Readonly<Record<ProviderId, readonly object[]>> = {
  openai: [
    { choices: [{ delta: { content: 'a \ud83c' } }] },
    { choices: [{ delta: { content: '\udf4f \udf4f' } }] },
    {
      choices: [
        {
          delta: {
            tool_calls: [{ index: 0, id: 'x\ud800', function: { name: 'y\ud800', arguments: '{}' } }],
          },
        },
      ],
    },
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
  ],
  anthropic: [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'a \ud83c' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '\udf4f \udf4f' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'x\ud800', name: 'y\ud800', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"\\ud800":["\\ud800"]}' },
    },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ],
  gemini: [
    { candidates: [{ content: { parts: [{ text: 'a \ud83c' }] } }] },
    { candidates: [{ content: { parts: [{ text: '\udf4f \udf4f' }] } }] },
    {
      candidates: [
        {
          content: { parts: [{ functionCall: { name: 'y\ud800', args: { '\ud800': ['\ud800'] } } }] },
          finishReason: 'STOP',
        },
      ],
    },
  ],
}

test.each(['openai', 'anthropic', 'gemini'] as const)(
  'half a surrogate pair in an answer of %s becomes U+FFFD, so that result and call agree',
  async (provider) => {
    const answer = stream(...HALVES[provider].map(data))
    const { messages, format } = await messagesOf(answer, { provider })
    const text = JSON.stringify(messages)
    expect(text).toContain('a 🍏 \ufffd')
    expect(text).not.toMatch(/\\u[dD][89a-fA-F]/)
    const [call] = openToolCalls(messages, { format })
    expect(call?.name).toBe('y\ufffd')
    expect(text).toContain(`"${call?.name}"`)
  },
)

test('an event of 5 MB in small chunks is read within 4 seconds', async () => {
  const event = delta({ content: 'x'.repeat(5_000_000) })
  const pieces = Array.from({ length: Math.ceil(event.length / 16_384) }, (_, at) =>
    event.slice(at * 16_384, (at + 1) * 16_384),
  )
  const before = process.cpuUsage()
  expect((await answerOf(stream(...pieces, delta({}, 'stop'), DONE))).text).toHaveLength(5_000_000)
  const { user } = process.cpuUsage(before)
  expect(user / 1000).toBeLessThan(4000)
})

const failureOf = async (response: Response): Promise<string> => {
  try {
    await answerOf(response)
    return ''
  } catch (error) {
    expect(error).toBeInstanceOf(ModelError)
    return (error as Error).message
  }
}

test('an error response whose body never ends is reported', async () => {
  const forever = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(encoder.encode('no '.repeat(1000)))
    },
  })
  const said = await failureOf(new Response(forever, { status: 500 }))
  expect(said).toMatch(/^api\.test failed \(500\)\. It says: no no no/)
  expect(said.length).toBeLessThan(500)
})

test('an error in a JSON response is reported with its message, without the key', async () => {
  const body = JSON.stringify({ error: { message: 'model m is not loaded; the key sk-9 is fine' } })
  expect(await failureOf(new Response(body, { headers: { 'content-type': 'application/json' } }))).toBe(
    'api.test answered with application/json, not with a stream. Is the address right? It says: model m is not loaded; the key ••• is fine',
  )
})

test.each([
  ['20', 'It asks to wait 20 seconds.'],
  ['0.5', 'It asks to wait 1 second.'],
  [new Date(Date.now() + 90_000).toUTCString(), /It asks to wait ([3-8]\d|90) seconds\./],
  [new Date(Date.now() - 90_000).toUTCString(), ''],
  ['soon', ''],
])('a rate limit error states the wait for Retry-After: %s', async (after, words) => {
  const said = await failureOf(new Response('{}', { status: 429, headers: { 'retry-after': after } }))
  expect(said).toMatch(/^api\.test limits how often it may be asked \(429\)\./)
  if (words === '') expect(said).not.toContain('wait')
  else expect(said).toMatch(words instanceof RegExp ? words : new RegExp(words.replaceAll('.', '\\.')))
})

test.each([401, 403, 404, 413, 429, 500, 503, 529, 418])(
  'status %i is reported as a sentence',
  async (status) => {
    expect(await failureOf(new Response('<html>', { status }))).toMatch(
      new RegExp(`^(api\\.test|The request).*\\(${status}\\)\\.$`),
    )
  },
)
