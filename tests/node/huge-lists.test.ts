import { inspect, project, repair, rollingContext, validate } from 'trimtab'
import { createTruncatedPlaceholder } from 'trimtab/recipes'
import { toolResultMessage } from 'trimtab/tools'
import { describe, expect, test } from 'vitest'

describe('arrays of huge length', () => {
  const sparse = (length: number): never[] => Object.assign([], { length })

  test('no memory is taken for the messages that one claims to have', () => {
    const list = Object.assign([{ role: 'user', content: 'a' }], { length: 2_200_000 })
    const claimed = () => project(list, rollingContext(), { format: 'openai-chat' })
    expect(claimed).toThrow(expect.objectContaining({ code: 'invalid_message' }) as Error)
  })

  const messages: [string, object[], string][] = [
    ['messages', sparse(4_000_000_000), 'invalid_messages'],
    // Its commas alone would still fit into a string.
    ['fewer messages', sparse(400_000_000), 'invalid_messages'],
    [
      'messages that begin well',
      Object.assign([{ role: 'user', content: 'a' }], { length: 1000 }),
      'invalid_message',
    ],
    ['content', [{ role: 'user', content: sparse(4_000_000_000) }], 'unreadable_message'],
    ['calls', [{ role: 'assistant', content: '', tool_calls: sparse(300_000) }], 'unreadable_message'],
    ['parts', [{ role: 'model', parts: sparse(4_000_000_000) }], 'unreadable_message'],
    ['fewer parts', [{ role: 'model', parts: sparse(400_000_000) }], 'unreadable_message'],
  ]
  test.each(messages)('are refused at once: %s', (_, list, code) => {
    const start = performance.now()
    for (const call of [
      () => project(list, rollingContext()),
      () => validate(list),
      () => repair(list),
      () => inspect(list),
    ]) {
      expect(call).toThrow(expect.objectContaining({ code }) as Error)
    }
    expect(performance.now() - start).toBeLessThan(3000)
  })

  test('within what an edit or a repair copies are refused at once', () => {
    const start = performance.now()
    const claimed = sparse(2 ** 32 - 1)
    const code = 'unreadable_message'
    const call = { role: 'assistant', content: '', tool_calls: [claimed] }
    expect(() => repair([{ role: 'user', content: 'x' }, call])).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringMatching(/^messages\[1\] cannot be read: /),
      }) as Error,
    )
    expect(() =>
      createTruncatedPlaceholder({ role: 'user', parts: [{ functionResponse: claimed }] }),
    ).toThrow(expect.objectContaining({ code, index: 0 }) as Error)
    expect(performance.now() - start).toBeLessThan(3000)
  })
})

describe.each([1e7, 2 ** 32 - 1])('a sparse list of %d entries', (length) => {
  const sparse = (): unknown[] => Object.assign([], { length })
  const call = (input: object): object[] => [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
  ]

  test.each<[string, () => object[]]>([
    ['in arguments', () => call({ a: sparse() })],
    ['deep in arguments', () => call({ a: [{ b: { c: sparse() } }] })],
    ['as a block of a result', () => [{ role: 'tool', tool_call_id: 'a', content: [sparse()] }]],
  ])('is refused at once %s', (_, messages) => {
    expect(() => project(messages(), { inputs: { after: 0 } })).toThrow(
      expect.objectContaining({
        code: 'unreadable_message',
        message: expect.stringContaining(`a list of ${length} entries`),
      }) as Error,
    )
  })

  test('is not written out in a refusal', () => {
    expect(() => toolResultMessage(sparse() as never, { format: 'anthropic' })).toThrow(
      /found \["a list of \d+ entries"\]$/,
    )
  })
})

test('a long list in arguments is no sparse one', () => {
  const numbers = Array.from({ length: 300_000 }, (_, i) => i % 10)
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: { numbers } }] },
  ]
  expect(project(messages, {}).report.tokensBefore).toBeGreaterThan(100_000)
})
