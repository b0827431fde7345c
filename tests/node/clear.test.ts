import { Context, clearOldToolUses, project } from 'trimtab'
import { clearToolUses } from 'trimtab/recipes'
import { describe, expect, test } from 'vitest'

const PLACEHOLDER = '[Tool result cleared to save context. Re-run the tool if needed.]'

/** A step whose result has `tokens` estimated tokens. */
const step = (i: number, tokens = 1000, name = 'bash', args: object = {}) => [
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: `c${i}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  },
  { role: 'tool', tool_call_id: `c${i}`, content: 'x'.repeat(tokens * 3.5) },
]
const steps = (count: number, tokens = 1000) =>
  Array.from({ length: count }, (_, i) => step(i, tokens)).flat()

/** Ids of the calls whose results were cleared. */
const cleared = (messages: object[], placeholder = PLACEHOLDER) =>
  (messages as { content: string; tool_call_id?: string }[])
    .filter((message) => message.content === placeholder)
    .map((message) => message.tool_call_id)

describe('clearToolUses', () => {
  test('clears nothing below 100,000 tokens, and all but the newest three results above', () => {
    expect(cleared(clearToolUses(steps(99)))).toEqual([])
    expect(cleared(clearToolUses(steps(100)))).toEqual(Array.from({ length: 97 }, (_, i) => `c${i}`))
  })

  test('keeps results cleared, and clears no more until the trigger is reached again', () => {
    const options = {
      trigger: { type: 'input_tokens', value: 10_000 },
      keep: { type: 'tool_uses', value: 2 },
    } as const
    const history = steps(30)
    const sizes = Array.from(
      { length: 30 },
      (_, i) => cleared(clearToolUses(history.slice(0, 2 * (i + 1)), options)).length,
    )
    expect(sizes.slice(0, 12)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8])
    expect([...new Set(sizes)]).toHaveLength(4)
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b))
  })

  test('supports a trigger by tool uses, and batches of clearAtLeast', () => {
    const trigger = { type: 'tool_uses', value: 5 } as const
    expect(cleared(clearToolUses(steps(5), { trigger }))).toEqual([])
    expect(cleared(clearToolUses(steps(6), { trigger }))).toEqual(['c0', 'c1', 'c2'])
    expect(cleared(clearToolUses(steps(6), { trigger, clearAtLeast: 3000 }))).toEqual([])
    const named = { type: 'input_tokens' as const, value: 3000 }
    expect(cleared(clearToolUses(steps(6), { trigger, clearAtLeast: named }))).toEqual([])
    expect(cleared(clearToolUses(steps(7), { trigger, clearAtLeast: named }))).toHaveLength(4)
    expect(cleared(clearToolUses(steps(7), { trigger, clearAtLeast: 3000 }))).toEqual([
      'c0',
      'c1',
      'c2',
      'c3',
    ])
  })

  test('keeps excluded and not included tools, failures, and the newest read of an edited file', () => {
    const trigger = { type: 'tool_uses', value: 0 } as const
    const keep = { type: 'tool_uses', value: 0 } as const
    const history = [
      ...step(0, 1000, 'read_file', { path: 'a.ts' }),
      ...step(1, 1000, 'read_file', { path: 'a.ts' }),
      ...step(2, 100, 'edit_file', { path: 'a.ts' }),
      ...step(3, 1000, 'bash'),
      { ...step(4)[0] },
      { role: 'tool', tool_call_id: 'c4', content: `Error: ${'x'.repeat(3500)}` },
      ...step(5, 1000, 'grep'),
    ] as { role: string; content: string }[]
    // Each result is cleared as soon as it is there, both reads before the file was edited.
    expect(cleared(clearToolUses(history, { trigger, keep }))).toEqual(['c0', 'c1', 'c2', 'c3', 'c5'])
    const late = { trigger: { type: 'tool_uses', value: 4 }, keep } as const
    expect(cleared(clearToolUses(history, late))).toEqual(['c0', 'c2', 'c3'])
    expect(cleared(clearToolUses(history, { ...late, excludeTools: ['bash'] }))).toEqual(['c0', 'c2'])
    expect(cleared(clearToolUses(history, { ...late, includeTools: ['bash'] }))).toEqual(['c3'])
  })

  test('writes a custom placeholder, and refuses an empty one', () => {
    const placeholder = '[Result processed - see workspace if needed]'
    const options = {
      trigger: { type: 'tool_uses', value: 1 },
      keep: { type: 'tool_uses', value: 1 },
      placeholder,
    } as const
    expect(cleared(clearToolUses(steps(3), options), placeholder)).toEqual(['c0', 'c1'])
    expect(() => clearToolUses(steps(3), { placeholder: '' })).toThrow(/placeholder/)
  })
})

test('clearOldToolUses only appends to the view between two batches', () => {
  const policy = clearOldToolUses({ trigger: { type: 'input_tokens', value: 20_000 }, clearAtLeast: 5000 })
  const history = steps(100)
  using context = new Context(policy)
  let rewrites = 0
  let before: object[] = []
  for (let length = 2; length <= history.length; length += 2) {
    const { messages } = context.project(history.slice(0, length))
    if (before.some((message, i) => message !== messages[i])) rewrites++
    before = messages
  }
  expect(rewrites).toBe(5)
  expect(project(history, policy).messages).toEqual(before)
})
