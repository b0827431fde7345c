import { project, smartRetention } from 'trimtab'
import { describe, expect, test } from 'vitest'

const file = (version: number) => `line of version ${version}\n`.repeat(60)

type Step = { role: string; content: string }[]
let calls = 0
const use = (name: string, args: object, content: string): Step => {
  const id = `c${calls++}`
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
  return [
    { role: 'assistant', content: '', tool_calls: [call] } as Step[0],
    { role: 'tool', tool_call_id: id, content } as Step[0],
  ] as Step
}
const read = (version = 1, args: object = {}) =>
  use('read_file', { path: 'config.py', ...args }, file(version))
const edit = () => use('edit_file', { path: 'config.py' }, 'done')

const shown = (...steps: Step[]) =>
  project(steps.flat(), { reads: true })
    .messages.filter((message) => message.role === 'tool')
    .map((message) => message.content)

const FIRST = '[Re-read of config.py - see first read above for content]'
const LATEST = '[Re-read of config.py - see latest read below for content]'
const FULL = file(1)

describe('the reads pass', () => {
  test.each([
    [1, [FULL]],
    [2, [FULL, FULL]],
    [3, [FULL, FIRST, FULL]],
    [5, [FULL, FIRST, FIRST, FIRST, FULL]],
    [6, [FULL, FULL, FULL, FULL, FIRST, FULL]],
    [8, [FULL, FULL, FIRST, FULL, FIRST, FULL, FIRST, FULL]],
  ])('keeps the specified ones of %i reads of a file', (count, expected) => {
    expect(shown(...Array.from({ length: count }, () => read()))).toEqual(expected)
  })

  test('marks pointers among the edits of the report', () => {
    const steps = [read(), read(), read(), use('bash', { command: 'make' }, 'x'.repeat(20_000))]
    const { edits } = project(steps.flat(), { reads: true, clip: true }).report
    expect(edits.map(({ pass, isPointer }) => [pass, isPointer])).toEqual([
      ['reads', true],
      ['clip', false],
    ])
  })

  test('points to the latest read after a write', () => {
    expect(shown(read(1), read(1), edit(), read(2), read(2))).toEqual([FULL, FIRST, 'done', LATEST, file(2)])
  })

  test('treats a read of other lines as different', () => {
    const part = (offset: number) => read(1, { offset, limit: 60 })
    expect(shown(part(1), part(61), part(1), part(61))).toEqual([FULL, FULL, FULL, FULL])
    const pointer = '[Re-read of config.py:61-120 - see first read above for content]'
    expect(shown(part(61), part(1), part(61), part(61))).toEqual([FULL, FULL, pointer, FULL])
  })

  test('ignores failed reads, keeps the order, and leaves a view unchanged', () => {
    const failed = use('read_file', { path: 'config.py' }, `Error: ${'no such file '.repeat(30)}`)
    const steps = [read(), failed, read(), read(), edit(), read(2)]
    const { messages } = project(steps.flat(), { reads: true })
    expect(messages.map((message) => message.role)).toEqual(steps.flat().map((message) => message.role))
    expect(messages[3]).toBe(steps[1]?.[1])
    expect(project(JSON.parse(JSON.stringify(messages)), { reads: true }).messages).toEqual(messages)
  })
})

test('smartRetention keeps edits, clips shell output, and has the specified settings', () => {
  expect(smartRetention()).toEqual({
    ephemeral: true,
    reads: { maxFileReads: 5, superseded: 'clear' },
    lists: true,
    summarize: true,
    clip: { max: 10_000, head: 2000, tail: 2000 },
    edits: { after: 10 },
    inputs: { what: 'old' },
    clearAtLeast: 0,
    recall: true,
  })
  const log = 'output\n'.repeat(2000)
  const change = use('edit_file', { path: 'config.py' }, log)
  const messages = [...read(), ...change, ...use('bash', { command: 'make' }, log)]
  const view = project(messages, smartRetention({ bashTruncate: 4000 })).messages
  expect(view[3]).toBe(messages[3])
  expect(view[5]?.content.length).toBeLessThan(2100)
})
