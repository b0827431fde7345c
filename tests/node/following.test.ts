import { Context, inspect, project, rollingContext, TrimtabError, validate } from 'trimtab'
import { describe, expect, test } from 'vitest'

/** The first call of a message, which must have one. */
function firstCall(message: Message | undefined): Call {
  const call = message?.tool_calls?.[0]
  if (call === undefined) throw new Error('the message calls nothing')
  return call
}

type Call = { id: string; type: string; function: { name: string; arguments: string } }
interface Message {
  role: string
  content: unknown
  tool_calls?: Call[]
  tool_call_id?: string
  metadata?: { ephemeral: boolean }
}

const LONG = 'some output of a tool\n'.repeat(50)

const step = (i: number): Message[] => [
  {
    role: 'assistant',
    content: `step ${i}`,
    tool_calls: [
      { id: `c${i}`, type: 'function', function: { name: 'read', arguments: `{"path":"f${i}.ts"}` } },
    ],
  },
  { role: 'tool', tool_call_id: `c${i}`, content: LONG },
]
const steps = (count: number) => [
  { role: 'user', content: 'go' } as Message,
  ...Array.from({ length: count }, (_, i) => step(i)).flat(),
]
const clone = (messages: Message[]) => JSON.parse(JSON.stringify(messages)) as Message[]

/** View of a projection without state. */
const fresh = (messages: Message[]) => project(clone(messages), rollingContext()).messages

describe('the host changes the history', () => {
  const changes: [string, (messages: Message[]) => void][] = [
    ['appends', (m) => m.push(...step(20))],
    ['takes from the end', (m) => m.splice(m.length - 2)],
    ['takes from the front', (m) => m.splice(1, 2)],
    ['puts in the middle', (m) => m.splice(3, 0, { role: 'user', content: 'wait' })],
    [
      'replaces a message',
      (m) => {
        m[2] = { ...(m[2] as Message), content: 'short' }
      },
    ],
    [
      'changes content in place',
      (m) => {
        ;(m[2] as Message).content = 'short'
      },
    ],
    [
      'streams into the last message',
      (m) => {
        ;(m.at(-1) as Message).content = `${LONG}and more`
      },
    ],
    [
      'changes content to parts',
      (m) => {
        ;(m[2] as Message).content = [{ type: 'text', text: LONG + LONG }]
      },
    ],
    [
      'changes arguments in place',
      (m) => {
        firstCall(m[1]).function.arguments = '{"path":"other.ts"}'
      },
    ],
    [
      'replaces the function of a call',
      (m) => {
        firstCall(m[1]).function = { name: 'read', arguments: '{"path":"x.ts"}' }
      },
    ],
    [
      'replaces a call',
      (m) => {
        ;(m[1]?.tool_calls as Call[])[0] = {
          id: 'c0',
          type: 'function',
          function: { name: 'read', arguments: '{"path":"y.ts"}' },
        }
      },
    ],
    [
      'adds a call',
      (m) => {
        m[1]?.tool_calls?.push({
          id: 'new',
          type: 'function',
          function: { name: 'read', arguments: '{"path":"f1.ts"}' },
        })
      },
    ],
    [
      'marks a result as ephemeral',
      (m) => {
        ;(m[4] as Message).metadata = { ephemeral: true }
        m.push({ role: 'user', content: 'next' })
      },
    ],
    ['compacts', (m) => m.splice(1, 8, { role: 'user', content: 'a summary of what was done' })],
    ['empties', (m) => m.splice(0)],
  ]

  test.each(changes)('%s: the next view is that of the changed history', (_, change) => {
    const messages = steps(9)
    using context = new Context(rollingContext())
    const { state } = context.project(messages)
    project(messages, rollingContext())
    change(messages)
    const expected = project(clone(messages), rollingContext(), { state }).messages
    expect(context.project(messages).messages).toEqual(expected)
    expect(project(messages, rollingContext()).messages).toEqual(fresh(messages))
  })

  test('changes one of several calls in place: the next view is that of the changed history', () => {
    const pair = (i: number): Message[] => {
      const [one, other] = [step(2 * i), step(2 * i + 1)] as [[Message, Message], [Message, Message]]
      const tool_calls = [firstCall(one[0]), firstCall(other[0])]
      return [{ role: 'assistant', content: 'both', tool_calls }, one[1], other[1]]
    }
    const build = () => Array.from({ length: 8 }, (_, i) => pair(i)).flat()
    const callsOf = (messages: Message[]) => messages[0]?.tool_calls as Call[]
    const changes: ((messages: Message[]) => void)[] = [
      (m) => {
        ;(callsOf(m)[0] as Call).function.arguments = '{"path":"f15.ts"}'
      },
      (m) => {
        ;(callsOf(m)[1] as Call).function.arguments = '{"path":"f15.ts"}'
      },
      (m) => {
        ;(callsOf(m)[1] as Call).function = { name: 'read', arguments: '{"path":"f15.ts"}' }
      },
      (m) => callsOf(m).reverse(),
      (m) => {
        ;(m[0] as Message).content = 'both of them, and more'
      },
      (m) => {
        callsOf(m).pop()
        m.splice(2, 1)
      },
    ]
    for (const change of changes) {
      const messages = build()
      project(messages, rollingContext())
      const before = fresh(messages)
      change(messages)
      expect(project(messages, rollingContext()).messages).toEqual(fresh(messages))
      expect(fresh(messages)).not.toEqual(before)
    }
  })

  test('changes parts of Anthropic blocks in place: the next view is that of the changed history', () => {
    const use = (id: string) => ({
      role: 'assistant',
      content: [
        { type: 'text', text: 'look' },
        { type: 'tool_use', id, name: 'read', input: { path: `${id}.ts` } },
      ],
    })
    const answer = (id: string) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: LONG as unknown }],
    })
    const build = () => Array.from({ length: 8 }, (_, i) => [use(`t${i}`), answer(`t${i}`)]).flat()
    type Block = Record<string, unknown>
    const block = (message: { content: unknown[] } | undefined, i: number) => message?.content[i] as Block
    const changes: ((messages: ReturnType<typeof build>) => void)[] = [
      (m) => {
        block(m[1], 0).content = 'short'
      },
      (m) => {
        block(m[1], 0).content = [{ type: 'text', text: LONG + LONG }]
      },
      (m) => {
        block(m[0], 0).text = 'look again'
      },
      (m) => {
        block(m[0], 1).input = { path: 't7.ts' }
      },
      (m) => {
        m[1]?.content.push({ type: 'text', text: 'and?' } as never)
      },
    ]
    for (const change of changes) {
      const messages = build()
      using context = new Context(rollingContext())
      const { state } = context.project(messages)
      change(messages)
      const copy = JSON.parse(JSON.stringify(messages)) as typeof messages
      const expected = project(copy, rollingContext(), { state })
      expect(context.project(messages).messages).toEqual(expected.messages)
      expect(context.project(messages).report.tokensBefore).toBe(expected.report.tokensBefore)
    }
  })

  test('moves a cache breakpoint in place: the view has it in its new position, in stubs too', () => {
    type Block = Record<string, unknown>
    const messages: { role: string; content: Block[] }[] = []
    using context = new Context({ clip: { max: 100, tools: ['*'] } })
    let marked: Block = {}
    for (let i = 0; i < 4; i++) {
      const inner: Block = { type: 'text', text: LONG }
      const block: Block = { type: 'tool_result', tool_use_id: `t${i}`, content: [inner] }
      messages.push(
        { role: 'assistant', content: [{ type: 'tool_use', id: `t${i}`, name: 'bash', input: {} }] },
        { role: 'user', content: [block] },
      )
      for (const target of [block, inner]) {
        delete marked.cache_control
        marked = target
        marked.cache_control = { type: 'ephemeral' }
        for (const view of [context.project(messages), project(messages, context.policy)]) {
          const sent = JSON.stringify(view.messages)
          expect(sent.split('"cache_control"')).toHaveLength(2)
          expect(sent.lastIndexOf('cache_control')).toBeGreaterThan(sent.indexOf(`"t${i}"`))
        }
      }
    }
    const [again, andAgain] = [context.project(messages), context.project(messages)]
    expect(again.messages.every((message, i) => message === andAgain.messages[i])).toBe(true)
  })

  test('changes the id of a call and its result in place: they still belong together', () => {
    const messages = steps(9)
    using context = new Context(rollingContext())
    context.project(messages)
    firstCall(messages[1]).id = 'other'
    ;(messages[2] as Message).tool_call_id = 'other'
    const view = context.project(messages).messages
    expect(view[2]).not.toBe(messages[2])
    expect(validate(view)).toEqual([])
  })

  test('adds a getter that throws: the error names the message', () => {
    const messages = steps(9)
    Object.defineProperty(messages[2], 'receivedAt', {
      enumerable: true,
      get: () => {
        throw new Error('gone')
      },
    })
    const call = () => project(messages, rollingContext())
    expect(call).toThrow(expect.objectContaining({ code: 'unreadable_message', index: 2 }))
  })

  test('alternates between two branches: each view is that of its branch', () => {
    const trunk = steps(8)
    const left = [...trunk]
    const right = [...trunk]
    for (let i = 0; i < 6; i++) {
      left.push(...step(100 + i))
      right.push(...step(200 + i), { role: 'user', content: `right ${i}` })
      expect(project(left, rollingContext()).messages).toEqual(fresh(left))
      expect(project(right, rollingContext()).messages).toEqual(fresh(right))
    }
  })
})

describe('report', () => {
  test('describes its own view, also after the history has grown', () => {
    const messages = steps(9)
    using context = new Context(rollingContext())
    const { report } = context.project(messages)
    const expected = project(clone(messages), rollingContext()).report
    messages.push(...step(9), ...step(10))
    context.project(messages)
    messages.splice(1, 4)
    context.project(messages)
    // Only a Context knows what the cache should hold.
    const { cache, ...described } = JSON.parse(JSON.stringify(report))
    expect(cache).toMatchObject({ read: 0, firstDifference: null })
    expect({ ...described, cache: null }).toEqual(JSON.parse(JSON.stringify(expected)))
    expect(report.edits[0]).toEqual({
      message: 2,
      block: 0,
      pass: 'age',
      isPointer: false,
      reason: '8 steps old',
      tool: 'read',
      tokensBefore: 315,
      tokensAfter: 13,
      text: expect.stringMatching(/^\[cleared f0\.ts, 1100 chars; recall [0-9a-f]{8}\]$/),
    })
  })
})

describe('Context', () => {
  test('is saved and loaded as JSON', () => {
    const context = new Context(rollingContext({ maxToolOutputAge: 2 }), { format: 'openai-chat' })
    const loaded = Context.fromJSON(JSON.parse(JSON.stringify(context)))
    expect(loaded.policy).toEqual(context.policy)
    expect(loaded.project(steps(5)).messages).toEqual(context.project(steps(5)).messages)
    expect(() => Context.fromJSON({ ...context.toJSON(), version: 2 as 1 })).toThrow(TrimtabError)
  })

  test('counts usage by kind', () => {
    using context = new Context()
    const usage = context.usage(steps(2))
    expect(usage.toolResults).toBe(2 * 315)
    const { total, ...parts } = usage
    expect(Object.values(parts).reduce((sum, tokens) => sum + tokens, 0)).toBe(total)
  })

  test('throws on every call after it was disposed', () => {
    const context = new Context()
    context.project(steps(2))
    context[Symbol.dispose]()
    context[Symbol.dispose]()
    for (const call of [() => context.project([]), () => context.endTurn([]), () => context.usage([])]) {
      expect(call).toThrow(expect.objectContaining({ code: 'disposed' }))
    }
  })

  test('can be created and disposed 10,000 times', () => {
    const messages = steps(10)
    for (let i = 0; i < 10_000; i++) {
      using context = new Context()
      context.project(messages)
    }
  })
})

test('project reads a history in its own format if it begins with a message of another history', () => {
  const prompt = { role: 'user', content: 'go' }
  const blocks = [
    prompt,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'ls', input: {} }] },
  ]
  const items = [prompt, { type: 'function_call', call_id: 'a', name: 'ls', arguments: '{}' }]
  const histories: [object[], string][] = [
    [blocks, 'anthropic'],
    [items, 'openai-responses'],
    [blocks, 'anthropic'],
  ]
  for (const [history, format] of histories) {
    project(history, { age: true })
    expect(inspect(history).format).toBe(format)
  }
})
