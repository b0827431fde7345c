import fc from 'fast-check'
import { cleanupEphemeralMessages, dedupeToolResults, inspect, truncateOldToolOutputs } from 'trimtab'
import {
  createResultTracker,
  EPHEMERAL_WARNING,
  processToolResult,
  type ToolResultFormat,
} from 'trimtab/recipes'
import { describe, expect, test } from 'vitest'
import { runs } from './random.js'

let next = 0
const call = (name: string, args: object = {}) => ({
  id: `call_${next++}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})
const pointer = (tool: string, id: string) =>
  `[Duplicate result: This ${tool} call returned identical content to call ID ${id}. Review that result above instead of re-reading. Repeated identical reads waste context space.]`

const CYCLE: unknown[] = []
CYCLE.push(CYCLE)

describe('processToolResult', () => {
  test('makes a tool message of a text', () => {
    const toolCall = call('bash')
    expect(processToolResult({ toolCall, result: 'done' })).toEqual({
      role: 'tool',
      tool_call_id: toolCall.id,
      name: 'bash',
      content: 'done',
    })
  })

  test.each([
    [{ success: true, content: 'text', files_read: 1 }, 'text'],
    [{ success: false, error: 'no such file', suggestion: 'use ls' }, 'Error: no such file\nuse ls'],
    [{ success: false, error: 'no such file' }, 'Error: no such file'],
    [{ success: true, count: 3, _internal: 'x' }, '{"success":true,"count":3}'],
    [{ content: { a: 1 } }, '{"a":1}'],
    [{ content: '' }, ''],
  ])('turns %j into the content %j', (result, content) => {
    expect(processToolResult({ toolCall: call('x'), result }).content).toBe(content)
  })

  test('puts the warning before ephemeral content, and marks the message', () => {
    const result = { content: '=== a.ts ===', _ephemeral: true, _ephemeral_warning: EPHEMERAL_WARNING }
    const message = processToolResult({ toolCall: call('read'), result })
    expect(message.content).toBe(`${EPHEMERAL_WARNING}\n\n=== a.ts ===`)
    expect(message.metadata).toEqual({ ephemeral: true })
    const silent = processToolResult({
      toolCall: call('query'),
      result: { content: 'rows', _ephemeral: true },
    })
    expect([silent.content, silent.metadata]).toEqual(['rows', { ephemeral: true }])
  })

  test.each([
    [undefined, 'result must be a string or an object'],
    [['a'], 'result must be a string or an object'],
    [{ content: 1n }, 'result must be a string or plain JSON'],
  ])('refuses the result %o', (result, reason) => {
    expect(() => processToolResult({ toolCall: call('x'), result: result as unknown as string })).toThrow(
      reason,
    )
  })

  test.each([
    ['a BigInt in the call', { id: 'a', name: 'x', input: { count: 1n } }, 'ok', 'toolCall'],
    ['a circle in the call', { id: 'a', name: 'x', input: CYCLE }, 'ok', 'toolCall'],
    ['a list that holds itself', call('x'), CYCLE, 'result'],
    ['a list with a BigInt', call('x'), [1n], 'result'],
    ['content that holds itself', call('x'), { content: CYCLE }, 'result'],
  ])('refuses %s', (_, toolCall, result, argument) => {
    expect(() => processToolResult({ toolCall: toolCall as never, result: result as never })).toThrow(
      expect.objectContaining({ code: 'invalid_option', argument }),
    )
  })

  test('refuses an invalid call, and formats without tool messages', () => {
    const result = 'x'
    expect(() => processToolResult({ toolCall: { id: 'a' } as never, result })).toThrow(
      /toolCall must be a call/,
    )
    for (const format of ['ai-sdk-ui', 'toString'] as unknown as ToolResultFormat[]) {
      expect(() => processToolResult({ toolCall: call('x'), result, format })).toThrow(
        /format must be one of openai-chat/,
      )
    }
  })
})

/** For each format, a call as the provider writes it, and the message that contains it. */
const ids = { id: 'c1', name: 'read_file' }
const FORMATS: Record<ToolResultFormat, { toolCall: object; holder: (toolCall: object) => object }> = {
  'openai-chat': {
    toolCall: { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } },
    holder: (one) => ({ role: 'assistant', content: null, tool_calls: [one] }),
  },
  'openai-responses': {
    toolCall: { type: 'function_call', call_id: 'c1', name: 'read_file', arguments: '{"path":"a"}' },
    holder: (one) => one,
  },
  anthropic: {
    toolCall: { type: 'tool_use', ...ids, input: { path: 'a' } },
    holder: (one) => ({ role: 'assistant', content: [one] }),
  },
  'ai-sdk': {
    toolCall: { type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: { path: 'a' } },
    holder: (one) => ({ role: 'assistant', content: [one] }),
  },
  gemini: {
    toolCall: { ...ids, args: { path: 'a' } },
    holder: (one) => ({ role: 'model', parts: [{ functionCall: one }] }),
  },
  langchain: {
    toolCall: { ...ids, args: { path: 'a' }, type: 'tool_call' },
    holder: (one) => ({ type: 'ai', content: '', tool_calls: [one] }),
  },
}

describe.each(Object.entries(FORMATS))('processToolResult in %s', (name, { toolCall, holder }) => {
  const format = name as ToolResultFormat
  const make = (result: object) =>
    processToolResult({ toolCall: toolCall as never, result: result as never, format })

  test('makes a message that is read as the answer to the call', () => {
    const seen = inspect([holder(toolCall), make({ content: 'the text' })], { format })
    const [result] = seen.blocks.filter((block) => block.kind === 'tool-result')
    expect(result).toMatchObject({ tool: 'read_file', path: 'a', ephemeral: false, isError: false })
    expect([seen.unansweredCalls, seen.orphanResults]).toEqual([[], []])
  })

  test('makes an ephemeral message that is cleared after its turn', () => {
    const message = make({ content: `secret ${'x'.repeat(500)}`, _ephemeral: true })
    const history = [holder(toolCall), message]
    expect(JSON.stringify(history)).toContain('secret')
    expect(JSON.stringify(cleanupEphemeralMessages(history, { format }))).not.toContain('secret')
  })

  test('makes a failure that is read as one', () => {
    const history = [holder(toolCall), make({ success: false, error: 'no' })]
    const [result] = inspect(history, { format }).blocks.filter((block) => block.kind === 'tool-result')
    expect(result?.isError).toBe(true)
  })
})

describe('the result tracker', () => {
  test('points at no call without an id, as those of Gemini are', () => {
    const tracker = createResultTracker()
    const text = 'line\n'.repeat(100)
    const shown = () =>
      JSON.stringify(
        processToolResult({
          toolCall: { name: 'read_file', args: { path: 'a.ts' } },
          result: text,
          tracker,
          format: 'gemini',
        }),
      )
    expect(shown()).toBe(shown())
    expect(shown()).not.toContain('call ID')
  })

  const content = 'the same content\n'.repeat(40)
  const process = (
    tracker: ReturnType<typeof createResultTracker>,
    name: string,
    args: object,
    result = content,
  ) => {
    const toolCall = call(name, args)
    return { id: toolCall.id, message: processToolResult({ toolCall, result, tracker }) }
  }

  test('replaces a repeated result with a pointer to the first one', () => {
    const tracker = createResultTracker()
    const first = process(tracker, 'read_file', { path: 'a.ts' })
    expect(first.message.content).toBe(content)
    for (let i = 0; i < 3; i++) {
      expect(process(tracker, 'read_file', { path: 'a.ts' }).message.content).toBe(
        pointer('read_file', first.id),
      )
    }
    expect(process(tracker, 'read_file', { path: 'a.ts' }, `${content}.`).message.content).toBe(`${content}.`)
  })

  test('forgets a result after a write to its file, but not to another one', () => {
    const tracker = createResultTracker()
    const { id } = process(tracker, 'read_file', { path: 'a.ts' })
    process(tracker, 'edit_file', { path: 'b.ts' }, 'Edited b.ts')
    expect(process(tracker, 'read_file', { path: 'a.ts' }).message.content).toBe(pointer('read_file', id))
    process(tracker, 'edit_file', { path: 'a.ts' }, 'Edited a.ts')
    expect(process(tracker, 'read_file', { path: 'a.ts' }).message.content).toBe(content)
  })

  test('neither tracks nor replaces ephemeral results, but counts their writes', () => {
    const tracker = createResultTracker()
    const ephemeral = (name: string) =>
      processToolResult({
        toolCall: call(name, { path: 'a.ts' }),
        result: { content, _ephemeral: true },
        tracker,
      }).content
    expect(ephemeral('read_file')).toBe(content)
    const { id, message } = process(tracker, 'read_file', { path: 'a.ts' })
    expect(message.content).toBe(content)
    expect(ephemeral('read_file')).toBe(content)
    expect(process(tracker, 'read_file', { path: 'a.ts' }).message.content).toBe(pointer('read_file', id))
    ephemeral('write_file')
    expect(process(tracker, 'read_file', { path: 'a.ts' }).message.content).toBe(content)
  })

  test('does not point to a result that the view no longer shows', () => {
    const tracker = createResultTracker()
    const toolCall = call('bash', { command: 'ls' })
    const history: object[] = [
      { role: 'assistant', content: null, tool_calls: [toolCall] },
      processToolResult({ toolCall, result: content, tracker }),
    ]
    tracker.follow(history)
    const again = process(tracker, 'bash', { command: 'ls' }).message.content
    expect(again).toBe(pointer('bash', toolCall.id))
    tracker.follow(truncateOldToolOutputs(history, 9))
    const fresh = process(tracker, 'bash', { command: 'ls' })
    expect(fresh.message.content).toBe(content)
    expect(process(tracker, 'bash', { command: 'ls' }).message.content).toBe(pointer('bash', fresh.id))
  })

  test('answers as the dedupe pass does on all that was tracked', () => {
    const step = fc.record({
      tool: fc.constantFrom('read_file', 'edit_file', 'write_file', 'bash'),
      file: fc.nat(2),
      text: fc.nat(2),
      fails: fc.nat(5).map((n) => n === 0),
    })
    let pointers = 0
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const tracker = createResultTracker()
        const log: { content: string | null }[] = []
        for (const { tool, file, text, fails } of steps) {
          const toolCall = call(tool, { path: `f${file}` })
          const result = `${fails ? 'Error: ' : ''}text ${text} `.repeat(100)
          const all = [
            ...log,
            { role: 'assistant', content: null, tool_calls: [toolCall] },
            { role: 'tool', tool_call_id: toolCall.id, content: result },
          ]
          log.push(...(dedupeToolResults(all) as typeof log).slice(-2))
          expect(processToolResult({ toolCall, result, tracker }).content).toBe(log.at(-1)?.content)
          if (log.at(-1)?.content !== result) pointers++
        }
      }),
      runs,
    )
    expect(pointers).toBeGreaterThan(100)
  })

  /** Expected answers of the tracker, derived from the laws alone. */
  test('points only to the same text, shown in full, with no write between', () => {
    const step = fc.record({
      tool: fc.constantFrom('read_file', 'edit_file', 'bash', 'weird'),
      file: fc.nat(1),
      text: fc.nat(2),
      ephemeral: fc.nat(5).map((n) => n === 0),
      clears: fc.nat(4).map((n) => n === 0),
    })
    let pointers = 0
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const tracker = createResultTracker()
        const history: {
          role: string
          content: string | null
          tool_calls?: object[]
          tool_call_id?: string
        }[] = []
        let view = history
        const writes: [number, string][] = []
        const texts = new Map<string, { at: number; text: string; path: string }>()
        steps.forEach(({ tool, file, text, ephemeral, clears }, at) => {
          const toolCall = call(tool, { path: `f${file}` })
          const content = `text ${text} `.repeat(100)
          history.push({ role: 'assistant', content: null, tool_calls: [toolCall] })
          const message = processToolResult({ toolCall, result: { content, _ephemeral: ephemeral }, tracker })
          if (message.content !== content) {
            pointers++
            const id = /call ID (\S+)\./.exec(message.content)?.[1] as string
            const of = texts.get(id)
            expect(of?.text).toBe(content)
            const shown = [...view, ...history].filter((m) => m.tool_call_id === id).at(0)
            expect(shown?.content).toBe(content)
            const written = writes.some(([when, path]) => when > (of?.at ?? 0) && path === `f${file}`)
            expect(written).toBe(false)
          }
          history.push(message)
          if (!ephemeral) texts.set(toolCall.id, { at, text: content, path: `f${file}` })
          if (tool === 'edit_file') writes.push([at, `f${file}`])
          view = clears
            ? (truncateOldToolOutputs(history, undefined, {
                maxToolOutputAge: 1,
                preserveRecentFiles: false,
              }) as typeof history)
            : history
          tracker.follow(view)
        })
      }),
      runs,
    )
    expect(pointers).toBeGreaterThan(100)
  })
})

test('refuses what JSON would leave out, and names its place', () => {
  const toolCall = { id: 'a', function: { name: 'query', arguments: '{}' } }
  const rows = new Map([[1, 'a']])
  const circle: Record<string, unknown> = {}
  circle.self = circle
  const cases: [unknown, RegExp][] = [
    [{ content: new Error('boom') }, /result has no JSON \(Error\)/],
    [{ content: rows }, /result has no JSON \(Map\)/],
    [{ content: new Uint8Array([104]) }, /result has no JSON \(Uint8Array\)/],
    [rows, /result has no JSON \(Map\)/],
    [new Uint8Array([104]), /result has no JSON \(Uint8Array\)/],
    [{ rows: [{ all: new Set([1]) }] }, /result\.rows\.0\.all has no JSON \(Set\)/],
    [{ content: circle }, /processToolResult: result must be data/],
  ]
  for (const [result, message] of cases) {
    const call = () => processToolResult({ toolCall, result: result as never })
    expect(call).toThrow(expect.objectContaining({ code: 'invalid_option' }))
    expect(call).toThrow(message)
  }
  const date = { at: new Date(0) }
  expect(processToolResult({ toolCall, result: { content: date } }).content).toBe(JSON.stringify(date))
  expect(processToolResult({ toolCall, result: date.at as never }).content).toBe(JSON.stringify(date.at))
  // The host's own fields are not shown.
  expect(processToolResult({ toolCall, result: { ok: true, _rows: rows } as never }).content).toBe(
    '{"ok":true}',
  )
})

test('an Error is told by its message', () => {
  const message = processToolResult({
    toolCall: call('read_file'),
    result: { success: false, error: new Error('boom'), suggestion: 'Try again.' },
  })
  expect(message.content).toBe('Error: boom\nTry again.')
})
