import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'

const lines = (...records: object[]): string => records.map((record) => JSON.stringify(record)).join('\n')
const time = (second: number): string => `2026-01-01T00:00:0${second}.000Z`
const START = Date.parse(time(0))

test('pi: times and usage belong to the answers', () => {
  const answer = (text: string, usage: object) => ({
    role: 'assistant',
    content: [{ type: 'text', text }],
    usage,
  })
  const { messages, times, usage } = readTranscript(
    lines(
      { type: 'session', id: 's', timestamp: time(0) },
      { type: 'message', timestamp: time(1), message: { role: 'user', content: 'Hello' } },
      {
        type: 'message',
        timestamp: time(2),
        message: answer('Hi', { input: 3, output: 7, cacheRead: 20, cacheWrite: 100 }),
      },
      { type: 'message', timestamp: time(3), message: { role: 'user', content: 'And?' } },
      {
        type: 'message',
        timestamp: time(4),
        message: answer('Well', { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
      },
    ),
  )
  expect(messages).toHaveLength(4)
  expect(times).toEqual([null, START + 2000, null, START + 4000])
  expect(usage).toEqual([null, { input: 123, cached: 20, output: 7 }, null, null])
})

describe('Claude Code: the usage of an answer on several lines', () => {
  const COMMAND = 'grep -rn "a word that is looked for" src tests docs | sort | uniq -c | head -50'
  const BLOCKS = [
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 't', name: 'Bash', input: { command: COMMAND } },
  ]
  /** Lines of one answer, one for each output. */
  const read = (outputs: number[], stop_reason: string | null = null) => {
    const usageOf = (output_tokens: number) => ({
      input_tokens: 1,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 100,
      output_tokens,
    })
    const parts = outputs.map((output, n) => ({
      type: 'assistant',
      uuid: `u${n}`,
      parentUuid: n === 0 ? 'a' : `u${n - 1}`,
      timestamp: time(n + 1),
      message: {
        id: 'm',
        role: 'assistant',
        content: BLOCKS.slice(BLOCKS.length - outputs.length).slice(n, n + 1),
        stop_reason,
        usage: usageOf(output),
      },
    }))
    const prompt = { role: 'user', content: 'Hello' }
    return readTranscript(
      lines({ type: 'user', uuid: 'a', parentUuid: null, timestamp: time(0), message: prompt }, ...parts),
    )
  }
  const reported = (output: number) => [null, { input: 111, cached: 10, output }]

  test('is reported once, at the time of its first line', () => {
    const { times, usage } = read([90, 90])
    expect(times).toEqual([null, START + 1000])
    expect(usage).toEqual(reported(90))
  })

  test('is that of the last line: the first have a placeholder', () => {
    expect(read([1, 95]).usage).toEqual(reported(95))
  })

  test('has no output if all lines have the placeholder, or the only one', () => {
    expect(read([4, 4]).usage).toEqual(reported(0))
    expect(read([25]).usage).toEqual(reported(0))
    expect(read([90]).usage).toEqual(reported(90))
  })

  test('is as reported if the answer has a reason for its end', () => {
    expect(read([5, 5], 'tool_use').usage).toEqual(reported(5))
  })
})

test('Codex: a token count belongs to the answer before it', () => {
  const item = (second: number, payload: object) => ({
    timestamp: time(second),
    type: 'response_item',
    payload,
  })
  const { messages, usage, times } = readTranscript(
    lines(
      { timestamp: time(0), type: 'session_meta', payload: { id: 's' } },
      item(1, { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }),
      item(2, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }),
      {
        timestamp: time(3),
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: { last_token_usage: { input_tokens: 500, cached_input_tokens: 400, output_tokens: 9 } },
        },
      },
    ),
  )
  expect(messages).toHaveLength(2)
  expect(usage).toEqual([null, { input: 500, cached: 400, output: 9 }])
  expect(times).toEqual([null, START + 2000])
})

test('a transcript without times and usage has no fields for them', () => {
  const transcript = readTranscript('[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]')
  expect(transcript).not.toHaveProperty('times')
  expect(transcript).not.toHaveProperty('usage')
})

describe('a log of API requests', () => {
  const prompt = { role: 'user', content: 'Hello' }
  const marked = { ...prompt, cache_control: { type: 'ephemeral' } }
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] }
  const next = { role: 'user', content: 'And?' }
  const usage = (input_tokens: number) => ({
    input_tokens,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    output_tokens: 5,
  })
  const last = { role: 'assistant', content: [{ type: 'text', text: 'Well' }] }
  const body = (messages: object[]) => ({ model: 'm', system: 'Be kind.', messages })
  const expected = {
    kind: 'api-log',
    format: 'anthropic',
    messages: [prompt, answer, next, last],
    system: 'Be kind.',
    usage: [null, { input: 100, cached: 0, output: 5 }, null, { input: 120, cached: 0, output: 5 }],
  }

  test.each([
    ['request and response', (request: object, response: object) => ({ request, response })],
    [
      'bodies',
      (body: object, answered: object) => ({ request: { url: '/', body }, response: { body: answered } }),
    ],
    ['request fields beside the response', (request: object, response: object) => ({ ...request, response })],
  ])('is read with entries of the form: %s', (_, entry) => {
    const entries = [
      entry(body([marked]), { ...answer, usage: usage(100) }),
      entry(body([{ role: 'user', content: 'A title for this, please.' }]), { ...answer, usage: usage(9) }),
      entry(body([prompt, answer, next]), { ...last, usage: usage(120) }),
    ]
    const skipped = [{ reason: 'request of another conversation', count: 1, first: [2] }]
    expect(readTranscript(lines(...entries))).toMatchObject({ ...expected, skipped })
    expect(readTranscript(JSON.stringify(entries))).toMatchObject({ ...expected, skipped })
    expect(readTranscript(lines(entries[2] as object))).toMatchObject({
      ...expected,
      skipped: [],
      usage: expected.usage.with(1, null),
    })
  })

  test('is read for OpenAI and Gemini', () => {
    const chat = readTranscript(
      lines({
        request: { messages: [prompt] },
        response: {
          created: 1_767_225_600,
          choices: [{ message: { role: 'assistant', content: 'Hi' } }],
          usage: { prompt_tokens: 30, completion_tokens: 2 },
        },
      }),
    )
    expect(chat.usage).toEqual([null, { input: 30, cached: 0, output: 2 }])
    expect(chat.times).toEqual([null, START])
    const responses = readTranscript(
      lines({
        request: { instructions: 'Be kind.', input: [{ role: 'user', content: 'Hello' }] },
        response: {
          output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }],
          usage: { input_tokens: 30, output_tokens: 2 },
        },
      }),
    )
    expect(responses).toMatchObject({ format: 'openai-responses', system: 'Be kind.' })
    expect(responses.usage).toEqual([null, { input: 30, cached: 0, output: 2 }])
    const gemini = readTranscript(
      lines({
        request: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
        response: {
          candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] } }],
          usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 2 },
        },
      }),
    )
    expect(gemini.format).toBe('gemini')
    expect(gemini.usage).toEqual([null, { input: 30, cached: 0, output: 2 }])
  })
})

test.each<[string, object, object]>([
  [
    'Anthropic',
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: {} }] },
    { usage: { input_tokens: 30, output_tokens: 2 } },
  ],
  [
    'AI SDK',
    { role: 'assistant', parts: [{ type: 'text', text: 'Hi' }] },
    { metadata: { usage: { inputTokens: 30, outputTokens: 2 } } },
  ],
  ['LangChain', { type: 'ai', content: 'Hi' }, { usage_metadata: { input_tokens: 30, output_tokens: 2 } }],
  [
    'LangChain, earlier form',
    { type: 'ai', content: 'Hi' },
    { response_metadata: { tokenUsage: { promptTokens: 30, completionTokens: 2 } } },
  ],
  [
    'cline',
    { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
    { metrics: { inputTokens: 30, outputTokens: 2 } },
  ],
])('usage in plain messages is read: %s', (_, answer, report) => {
  const first =
    'parts' in answer
      ? { role: 'user', parts: [{ type: 'text', text: 'a' }] }
      : 'type' in answer
        ? { type: 'human', content: 'a' }
        : { role: 'user', content: 'a' }
  const { usage } = readTranscript(JSON.stringify([first, { ...answer, ...report }]))
  expect(usage).toEqual([null, { input: 30, cached: 0, output: 2 }])
})

test('Codex: a count does not belong to an earlier answer, and any number of calls may come between', () => {
  const item = (payload: object) => ({ timestamp: time(1), type: 'response_item', payload })
  const says = (text: string) =>
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
  const call = (id: string) => item({ type: 'function_call', name: 'ls', arguments: '{}', call_id: id })
  const output = (id: string) => item({ type: 'function_call_output', call_id: id, output: 'a' })
  const count = {
    type: 'event_msg',
    payload: { type: 'token_count', info: { last_token_usage: { input_tokens: 9, output_tokens: 1 } } },
  }
  const counted = { input: 9, cached: 0, output: 1 }
  const usageOf = (...records: object[]) =>
    readTranscript(lines({ type: 'session_meta', payload: { id: 's' } }, ...records)).usage
  expect(usageOf(says('Hello.'), says('Hello again.'), count)).toEqual([null, counted])
  expect(usageOf(call('a'), output('a'), says('Done.'), count)).toEqual([null, null, counted])
  const many = Array.from({ length: 40 }, (_, index) => `c${index}`)
  expect(usageOf(...many.map(call), ...many.map(output), count)?.[0]).toEqual(counted)
})
