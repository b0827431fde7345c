import { Context, clearOldToolUses, project, type State, smartRetention } from 'trimtab'
import { describe, expect, test } from 'vitest'

type Message = { role: string; content: unknown; tool_call_id?: string; tool_calls?: unknown[] }

/** A call with a result of `size` characters. */
const use = (id: string, size: number, name = 'bash', args: object = {}): Message[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  },
  { role: 'tool', tool_call_id: id, content: `${id} `.padEnd(size, 'output\n') },
]
const prompt = (content = 'go'): Message => ({ role: 'user', content })
const cleared = (messages: readonly Message[]) =>
  messages
    .filter(({ content }) => /^(Error: )?\[/.test(String(content)))
    .map((message) => message.tool_call_id)
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

const policy = { lists: { keep: 1 }, recall: true } as const

describe('state', () => {
  const grown = [prompt(), ...['a', 'b', 'c'].flatMap((id) => use(id, 1000, 'ls'))]

  test('keeps results cleared, in a Context or passed to project', () => {
    using context = new Context(policy)
    const { state, messages } = context.project(grown)
    expect(cleared(messages)).toEqual(['a', 'b'])
    const shorter = grown.slice(0, 5)
    expect(cleared(context.project(shorter).messages)).toEqual(['a', 'b'])
    expect(cleared(project(copy(shorter), policy, { state: copy(state) }).messages)).toEqual(['a', 'b'])
    expect(cleared(project(shorter, policy).messages)).toEqual(['a'])
  })

  test('finds results by id after the host has compacted its history', () => {
    const { state } = project(grown, policy)
    const compacted = [prompt('A summary of the work so far.'), ...copy(grown.slice(3))]
    expect(cleared(project(compacted, policy, { state }).messages)).toEqual(['b'])
    expect(cleared(project(compacted.slice(0, 3), policy, { state }).messages)).toEqual(['b'])
  })

  test('does not apply to a result whose content has changed', () => {
    const { state } = project(grown, policy)
    const changed = copy(grown.slice(0, 3))
    ;(changed[2] as Message).content = 'x'.repeat(999)
    expect(cleared(project(changed, policy, { state }).messages)).toEqual([])
  })

  test('recognizes a saved view by its stubs, including summaries', () => {
    const log = `${'compiling\n'.repeat(300)}error: no such thing\n`.repeat(2)
    const tool: Message = { role: 'tool', tool_call_id: 'a', content: log }
    const messages = [
      prompt(),
      use('a', 1)[0] as Message,
      tool,
      ...['b', 'c', 'd'].flatMap((id) => use(id, 10)),
    ]
    const settings = { summarize: { after: 1, minChars: 10, maxTokens: 2000 } } as const
    const { messages: view, state } = project(messages, settings)
    expect(String(view[2]?.content)).toMatch(
      /^\[cleared bash output, 6042 chars; errors: error: no such thing/,
    )
    const again = project(copy(view), settings, { state: copy(state) })
    expect(again.messages).toEqual(view)
    expect(again.report.edits).toEqual([])
  })

  test('does not apply decisions of a pass that is now off', () => {
    const { state } = project(grown, policy)
    expect(project(grown, { dedupe: true }, { state }).messages).toEqual(grown)
  })

  test('is small plain JSON, and is saved with a Context', () => {
    const context = new Context(policy)
    expect(context.toJSON().state).toBeUndefined()
    const { messages, state } = context.project(grown)
    expect(copy(state)).toEqual(state)
    expect(JSON.stringify(state).length).toBeLessThan(100 * 2 + 50)
    const loaded = Context.fromJSON(copy(context.toJSON()))
    expect(loaded.toJSON().state).toEqual(state)
    expect(loaded.project(copy(grown)).messages).toEqual(messages)
    expect(cleared(loaded.project(copy(grown.slice(0, 5))).messages)).toEqual(['a', 'b'])
  })

  test('is not changed by projecting an earlier step', () => {
    using context = new Context(policy)
    const { messages, state } = context.project(grown.slice(0, 3))
    context.project(grown, { currentStep: 3 })
    expect(context.project(grown.slice(0, 3)).messages).toEqual(messages)
    expect(context.toJSON().state).toEqual(state)
  })

  test.each([
    [7],
    [null],
    ['{}'],
    [{}],
    [{ version: 2, edits: [] }],
    [{ version: 1, edits: 7 }],
    [{ version: 1, edits: [[1, 2, 3]] }],
    [{ version: 1, edits: [Array(11).fill(-1)] }],
    [{ version: 1, edits: [Array(11).fill(4_000_000_000)] }],
    [{ version: 1, edits: [Array(11).fill(1.5)] }],
  ])('is refused if invalid: %j', (state) => {
    const refused = expect.objectContaining({ code: 'unsupported_state', argument: 'state' })
    expect(() => project(grown, policy, { state: state as unknown as State })).toThrow(refused)
    expect(() => new Context(policy, { state: state as unknown as State })).toThrow(refused)
    expect(project(grown, policy).messages).toHaveLength(7)
  })
})

describe('clearAtLeast', () => {
  /** Number of views of a growing history that changed messages of the view before. */
  function rewrites(clearAtLeast: number): number {
    using context = new Context(smartRetention({ clearAtLeast }))
    const messages: Message[] = [prompt()]
    let count = 0
    let sent: Message[] = []
    for (let i = 0; i < 60; i++) {
      messages.push(...use(`r${i}`, 2000, 'read', { path: `f${i % 4}.ts` }))
      const view = context.project(messages).messages
      if (sent.some((message, at) => message !== view[at])) count++
      sent = view
    }
    return count
  }

  test('makes rewrites of the prompt cache rare', () => {
    expect(rewrites(0)).toBeGreaterThan(20)
    expect(rewrites(5000)).toBeLessThan(8)
    expect(rewrites(5000)).toBeGreaterThan(3)
  })
})

describe('the clear pass', () => {
  const turns = (count: number) =>
    Array.from({ length: count }, (_, i) => [
      prompt(`${i}`),
      ...use(`t${i}`, 1000),
      ...use(`u${i}`, 1000),
    ]).flat()
  const left = (clear: object, more: object = {}) =>
    cleared(
      project(turns(4), {
        clear: { trigger: { type: 'input_tokens', value: 1 }, placeholder: '[gone]', ...clear },
        ...more,
      }).messages,
    )

  test('keeps results by tool uses, steps or turns', () => {
    expect(left({ keep: { type: 'tool_uses', value: 3 } })).toEqual(['t0', 'u0', 't1', 'u1', 't2'])
    expect(left({ keep: { type: 'steps', value: 2 } })).toEqual(['t0', 'u0', 't1', 'u1', 't2', 'u2'])
    expect(left({ keep: { type: 'turns', value: 1 } })).toEqual(['t0', 'u0', 't1', 'u1', 't2', 'u2'])
    expect(left({ keep: { type: 'turns', value: 3 } })).toEqual(['t0', 'u0'])
  })

  test('clears down to the low watermark and no further', () => {
    const trigger = { type: 'input_tokens', value: 2000 }
    expect(left({ trigger, keep: { type: 'tool_uses', value: 1 }, downTo: 1500 })).toEqual(['t0', 'u0'])
  })

  test('is triggered by a fraction of the window', () => {
    const trigger = { type: 'window_fraction', value: 0.5 }
    expect(left({ trigger, keep: { type: 'tool_uses', value: 3 } }, { window: 4000 })).toEqual([
      't0',
      'u0',
      't1',
      'u1',
    ])
    expect(left({ trigger }, { window: 10_000 })).toEqual([])
    expect(() => left({ trigger: { type: 'window_fraction', value: 2 } })).toThrow(/a fraction from 0 to 1/)
    expect(() => left({ trigger: { type: 'tool_uses', value: -1 } })).toThrow(/0 or more/)
  })

  test('clears failures if clearErrors is set', () => {
    const failed = [...use('e', 1000), ...use('f', 1000), ...use('g', 1000)]
    ;(failed[1] as Message).content = `Error: ${'no '.repeat(400)}`
    const clear = { trigger: { type: 'tool_uses', value: 0 }, keep: { type: 'tool_uses', value: 1 } } as const
    expect(cleared(project(failed, { clear }).messages)).toEqual(['f'])
    expect(cleared(project(failed, { clear: { ...clear, clearErrors: true } }).messages)).toEqual(['e', 'f'])
  })
})

describe('the protect setting', () => {
  const read = (id: string, path: string) => use(id, 1000, 'read', { path })
  const messages = [
    read('a', 'src/a.ts'),
    read('b', 'docs/b.md'),
    use('c', 1000),
    read('d', 'src/deep/d.ts'),
  ].flat()
  const policy = clearOldToolUses({
    trigger: { type: 'tool_uses', value: 0 },
    keep: { type: 'tool_uses', value: 0 },
  })
  const gone = (protect: object) => {
    const { messages: view } = project(messages, { ...policy, protect })
    return view.filter((message, i) => message !== messages[i]).map((message) => message.tool_call_id)
  }

  test('keeps results by tool and by path', () => {
    expect(gone({})).toEqual(['a', 'b', 'c', 'd'])
    expect(gone({ tools: ['bash'] })).toEqual(['a', 'b', 'd'])
    expect(gone({ paths: ['src/*'] })).toEqual(['b', 'c', 'd'])
    expect(gone({ paths: ['src/**', '*.md'] })).toEqual(['c'])
    expect(gone({ paths: ['**/*.{md,ts}'] })).toEqual(['c'])
  })

  test('keeps results while the history grows', () => {
    using context = new Context({ ...policy, protect: { paths: ['src/**'] } })
    const sizes = [2, 4, 6, 8].map((length) => context.project(messages.slice(0, length)).report.edits.length)
    expect(sizes).toEqual([0, 1, 2, 2])
  })
})

describe('the budget pass', () => {
  const messages = [prompt(), ...['a', 'b', 'c', 'd'].flatMap((id) => use(id, 3500))]

  test('clears the oldest results until the view fits', () => {
    const { messages: view, report } = project(messages, { budget: { maxTokens: 3000, downTo: 3000 } })
    expect(cleared(view)).toEqual(['a', 'b'])
    expect(report.fits).toBe(true)
    expect(report.tokensAfter).toBeLessThanOrEqual(3000)
    expect(cleared(project(messages, { budget: { maxTokens: 3000, downTo: 1200 } }).messages)).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(project(messages, { budget: { maxTokens: 9000 } }).messages).toEqual(messages)
    expect(project(messages, {}).report.fits).toBeNull()
  })

  test('reports that even the smallest view does not fit', () => {
    const { messages: view, report } = project(messages, { budget: { maxTokens: 500 } })
    expect(report.fits).toBe(false)
    expect(cleared(view)).toEqual(['a', 'b', 'c'])
    expect(report.tokensAfter).toBeGreaterThan(1000)
  })
})

test('the warn setting puts a warning into the report', () => {
  const messages = [prompt('x'.repeat(3500))]
  const warning = (window: number) => project(messages, { warn: true, window }).report.warning
  expect(warning(2000)).toBeNull()
  expect(warning(1200)).toBe(`⚠️ CONTEXT APPROACHING LIMIT

You are at 83% of context capacity. Important tool results will be cleared soon. Save any critical information to workspace.md now.`)
  expect(() => project(messages, { warn: { at: 2 } })).toThrow(/warn\.at must be a fraction/)
})

test('project refuses an unknown setting and names the nearest one', () => {
  const problem = (policy: object) => expect(() => project([], policy))
  problem({ claer: true }).toThrow('did you mean `clear`?')
  problem({ clear: { exclude_tools: [] } }).toThrow('did you mean `excludeTools`?')
})
