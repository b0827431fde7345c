import { readTranscript } from 'trimtab/transcripts'
import { expect, test } from 'vitest'

const lines = (...records: object[]): string => records.map((record) => JSON.stringify(record)).join('\n')
const time = (second: number): string => `2026-01-01T00:00:0${second}.000Z`
const START = Date.parse(time(0))

test('pi: times and usage stand beside the answers', () => {
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

test('Claude Code: the lines of one answer report once', () => {
  const part = (uuid: string, parentUuid: string, block: object, second: number) => ({
    type: 'assistant',
    uuid,
    parentUuid,
    timestamp: time(second),
    message: {
      id: 'm',
      role: 'assistant',
      content: [block],
      usage: {
        input_tokens: 1,
        cache_read_input_tokens: 10,
        cache_creation_input_tokens: 100,
        output_tokens: 5,
      },
    },
  })
  const { times, usage } = readTranscript(
    lines(
      {
        type: 'user',
        uuid: 'a',
        parentUuid: null,
        timestamp: time(0),
        message: { role: 'user', content: 'Hello' },
      },
      part('b', 'a', { type: 'text', text: 'I look.' }, 1),
      part('c', 'b', { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }, 2),
    ),
  )
  expect(times).toEqual([null, START + 1000])
  expect(usage).toEqual([null, { input: 111, cached: 10, output: 5 }])
})

test('Codex: the count behind an answer is its own', () => {
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

test('without times and usage there are no fields for them', () => {
  const transcript = readTranscript('[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]')
  expect(transcript).not.toHaveProperty('times')
  expect(transcript).not.toHaveProperty('usage')
})
