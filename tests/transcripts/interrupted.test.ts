// Sessions with answers and calls that were cut short: messages are what the agent sends afterwards.
import { validate } from 'trimtab'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'

const lines = (...records: object[]): string => records.map((record) => JSON.stringify(record)).join('\n')
const TIME = '2026-01-01T00:00:01.000Z'

describe('pi', () => {
  const entry = (message: object) => ({ type: 'message', timestamp: TIME, message })
  const says = (text: string) => entry({ role: 'user', content: [{ type: 'text', text }] })
  const call = (id: string) => ({ type: 'toolCall', id, name: 'bash', arguments: { command: 'ls' } })
  const answer = (stopReason: string, ...content: object[]) =>
    entry({ role: 'assistant', content, stopReason })
  const text = (said: string) => ({ type: 'text', text: said })
  const result = (toolCallId: string) =>
    entry({ role: 'toolResult', toolCallId, content: [text('a.txt')], isError: false })
  const read = (...entries: object[]) =>
    readTranscript(lines({ type: 'session', id: 's', timestamp: TIME, cwd: '/' }, ...entries))

  test.each(['error', 'aborted'])('an answer that ended with %s is left out, with its results', (reason) => {
    const { messages, skipped } = read(
      says('one'),
      answer(reason, text('I look.'), call('a'), call('b')),
      result('a'),
      says('two'),
      answer('stop', text('Done.')),
    )
    expect(messages).toEqual([
      { role: 'user', content: [text('one'), text('two')] },
      { role: 'assistant', content: [text('Done.')] },
    ])
    expect(skipped).toEqual([
      {
        reason: 'answer that failed or was aborted (pi does not send it again)',
        count: 1,
        unit: 'line',
        first: [3],
      },
      { reason: 'result of an answer that was left out', count: 1, unit: 'line', first: [4] },
    ])
  })

  test('a call without a result gets one, if the conversation went on', () => {
    const { messages } = read(
      says('one'),
      answer('toolUse', call('a'), call('b')),
      result('a'),
      says('two'),
      answer('toolUse', call('c')),
    )
    const missing = { type: 'tool_result', tool_use_id: 'b', content: 'No result provided', is_error: true }
    expect(messages[2]).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: 'a.txt' }, missing, text('two')],
    })
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ id: 'c' }] })
    expect(messages).toHaveLength(4)
    expect(validate(messages.slice(0, 3), { format: 'anthropic' })).toEqual([])
  })

  test('an id that is used again has its own result', () => {
    const { messages } = read(
      says('one'),
      answer('toolUse', call('a')),
      says('two'),
      answer('toolUse', call('a')),
      result('a'),
    )
    const contents = messages.map((message) => (message as { content: object[] }).content)
    expect(contents[2]?.[0]).toMatchObject({ tool_use_id: 'a', is_error: true })
    expect(contents[4]?.[0]).toEqual({ type: 'tool_result', tool_use_id: 'a', content: 'a.txt' })
  })
})

describe('Codex', () => {
  const item = (payload: object) => ({ timestamp: TIME, type: 'response_item', payload })
  const says = (text: string) =>
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
  const call = (call_id: string) => item({ type: 'function_call', name: 'shell', arguments: '{}', call_id })
  const output = (call_id: string) => item({ type: 'function_call_output', call_id, output: 'a.txt' })
  const aborted = {
    timestamp: TIME,
    type: 'event_msg',
    payload: { type: 'turn_aborted', reason: 'interrupted' },
  }
  const read = (...records: object[]) =>
    readTranscript(lines({ timestamp: TIME, type: 'session_meta', payload: { id: 's' } }, ...records))
  const contents = (messages: object[]) =>
    messages.map((message) => (message as { content: unknown }).content)

  test('calls of an interrupted turn are answered as aborted', () => {
    const { messages } = read(says('one'), call('a'), call('b'), output('a'), aborted, says('two'))
    expect(contents(messages)).toEqual(['one', null, 'a.txt', 'aborted', 'two'])
    expect(validate(messages, { format: 'openai-chat' })).toEqual([])
  })

  test('those of the last turn too, but no calls that are still open', () => {
    expect(contents(read(says('one'), call('a'), aborted).messages)).toEqual(['one', null, 'aborted'])
    expect(contents(read(says('one'), call('a')).messages)).toEqual(['one', null])
    expect(contents(read(says('one'), aborted, says('two'), call('a')).messages)).toEqual([
      'one',
      'two',
      null,
    ])
  })

  test('a search for tools found none', () => {
    const search = item({ type: 'tool_search_call', call_id: 't', arguments: { query: 'x' } })
    const { messages } = read(says('one'), search, says('two'))
    expect(JSON.parse(contents(messages)[2] as string)).toMatchObject({ tools: [] })
  })

  test('a result without its call is left out', () => {
    const { messages, skipped } = read(says('one'), output('x'), says('two'))
    expect(contents(messages)).toEqual(['one', 'two'])
    expect(skipped).toContainEqual({
      reason: 'result without its call (Codex does not send it)',
      count: 1,
      unit: 'line',
      first: [3],
    })
  })
})
