import { Context, off, type Policy, project, type State } from 'trimtab'
import { describe, expect, test } from 'vitest'

type Message = { role: string; [field: string]: unknown }

const prompt: Message = { role: 'user', content: 'Go on.' }
const make = (id: string, lines: number): Message[] => [
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: `{"command":"make ${id}"}` } }],
  },
  { role: 'tool', tool_call_id: id, content: 'a warning\n'.repeat(lines) },
]
/** An output that is retired, one that was just shown, and a prompt after them. */
const session: readonly Message[] = [prompt, ...make('a', 900), ...make('b', 3), prompt]
const policy: Policy = { retire: { atLeast: 50_000, cacheSeconds: 300 } }
const minutes = (count: number) => count * 60_000
const at = (messages: readonly Message[], ...times: ([number, Message] | [number])[]) =>
  messages.map((message, index) => {
    const found = times.find(([place]) => place === index)
    return found === undefined ? message : { ...message, ...found[1] }
  })
const isCleared = (messages: readonly object[]) =>
  String((messages[2] as Message).content).startsWith('[cleared')

describe('the pause before a request', () => {
  const start = Date.UTC(2026, 6, 1, 12)
  const [ANSWER, NEWEST] = [3, 5]
  const written: [string, (time: number) => Message | object][] = [
    ['milliseconds', (time) => ({ timestamp: time })],
    ['seconds', (time) => ({ ts: time / 1000 })],
    ['text', (time) => ({ createdAt: new Date(time).toISOString() })],
    ['a Date', (time) => ({ createdAt: new Date(time) })],
    ['metadata', (time) => ({ metadata: { createdAt: time } })],
  ]

  test.each(written)('is derived from the times of the messages: %s', (_, stamp) => {
    const paused = (pause: number) =>
      at(session, [ANSWER, stamp(start) as Message], [NEWEST, stamp(start + pause) as Message])
    const cleared = (pause: number) => {
      using context = new Context(policy)
      const made = isCleared(context.project(paused(pause)).messages)
      expect(isCleared(project(paused(pause), policy).messages)).toBe(made)
      return made
    }
    expect([cleared(0), cleared(minutes(5)), cleared(minutes(5) + 1000), cleared(minutes(600))]).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  test('is the idle option if the host passes it', () => {
    const long = at(
      session,
      [ANSWER, { role: 'assistant', ...session[ANSWER], timestamp: start }],
      [NEWEST, { ...prompt, timestamp: start + minutes(60) }],
    )
    expect(isCleared(project(long, policy, { idle: 10 }).messages)).toBe(false)
    expect(isCleared(project(session, policy, { idle: 301 }).messages)).toBe(true)
  })

  test.each<[string, ...([number, object] | [number])[]]>([
    ['no answer has a time', [NEWEST, { timestamp: start + minutes(60) }]],
    ['the newest message has none', [ANSWER, { timestamp: start }], [4, { timestamp: start + minutes(60) }]],
    ['times run backwards', [ANSWER, { timestamp: start + minutes(60) }], [NEWEST, { timestamp: start }]],
    ['they are no times', [ANSWER, { timestamp: 'soon' }], [NEWEST, { timestamp: Number.NaN }]],
  ])('is unknown if %s', (_, ...times) => {
    const messages = at(session, ...(times as [number, Message][]))
    expect(isCleared(project(messages, policy).messages)).toBe(false)
  })

  test('is not derived from the newest message when projecting an earlier step', () => {
    using context = new Context(policy)
    const messages = at(
      session,
      [ANSWER, { timestamp: start } as unknown as Message],
      [NEWEST, { timestamp: start + minutes(60) } as unknown as Message],
    )
    expect(isCleared(context.project(messages, { currentStep: 1 }).messages)).toBe(false)
  })
})

describe('the learned cache lifetime', () => {
  const KEPT = 20_000
  /**
   * A context whose requests share a prefix, with the provider's report for each: the pause before it in
   * seconds, and the tokens read from the cache.
   */
  function contextThatSaw(reports: readonly [pause: number, read: number][]): Context {
    const context = new Context(off())
    const history: Message[] = [prompt, ...make('x', KEPT / 2)]
    context.project(history)
    context.calibrate({ input: KEPT, output: 10, cached: 0 })
    reports.forEach(([idle, cached], index) => {
      history.push(...make(`x${index}`, 3))
      context.project(history, { idle })
      context.calibrate({ input: KEPT + 20 * (index + 1), output: 10, cached })
    })
    return context
  }
  const learned = (...reports: [number, number][]) => {
    using context = contextThatSaw(reports)
    return context.toJSON().calibration?.cacheLife
  }

  test.each<[string, [number, number][], object | undefined]>([
    ['nothing, where no pause was seen', [], undefined],
    ['that it lived', [[5, KEPT]], { aliveAfter: 5, goneAfter: null }],
    [
      'the longest pause that it outlived',
      [
        [5, KEPT],
        [900, KEPT],
        [20, KEPT],
      ],
      { aliveAfter: 900, goneAfter: null },
    ],
    [
      'the shortest after which it was gone',
      [
        [5, KEPT],
        [400, 0],
        [200, 0],
        [300, 0],
      ],
      { aliveAfter: 5, goneAfter: 200 },
    ],
    [
      'nothing of a provider that never reads',
      [
        [5, 0],
        [400, 0],
      ],
      undefined,
    ],
    [
      'nothing of a request that went astray',
      [
        [5, KEPT],
        [20, 0],
        [10, KEPT],
      ],
      { aliveAfter: 10, goneAfter: null },
    ],
    [
      'what is seen last of two that differ',
      [
        [5, KEPT],
        [200, 0],
        [250, KEPT],
      ],
      { aliveAfter: 250, goneAfter: null },
    ],
    [
      'nothing of a part that was read',
      [
        [5, KEPT],
        [200, KEPT / 4],
      ],
      { aliveAfter: 5, goneAfter: null },
    ],
  ])('is learned from reported cache reads: %s', (_, reports, life) => {
    expect(learned(...reports)).toEqual(life)
  })

  /** Whether the policy clears after a pause, given these earlier reports. */
  const clears = (pause: number, ...reports: [number, number][]) => {
    using learner = contextThatSaw(reports)
    const { calibration } = JSON.parse(JSON.stringify(learner))
    using context = new Context(policy, calibration === undefined ? {} : { calibration })
    return isCleared(context.project(session, { idle: pause }).messages)
  }

  test('replaces cacheSeconds', () => {
    expect([clears(301), clears(301, [5, KEPT])]).toEqual([true, true])
    expect([clears(301, [600, KEPT]), clears(600, [600, KEPT]), clears(601, [600, KEPT])]).toEqual([
      false,
      false,
      true,
    ])
    expect([clears(100), clears(100, [5, KEPT], [90, 0]), clears(89, [5, KEPT], [90, 0])]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('is saved with the Context', () => {
    using context = contextThatSaw([
      [5, KEPT],
      [90, 0],
    ])
    const saved = JSON.parse(JSON.stringify(context))
    expect(saved.calibration.cacheLife).toEqual({ aliveAfter: 5, goneAfter: 90 })
    using again = Context.fromJSON(saved)
    expect(again.toJSON().calibration).toEqual(saved.calibration)
  })

  test.each([{}, { aliveAfter: -1, goneAfter: null }, { aliveAfter: 1 }, null, 5])(
    'is refused if invalid: %j',
    (cacheLife) => {
      using context = contextThatSaw([[5, KEPT]])
      const calibration = { ...context.toJSON().calibration, cacheLife } as never
      expect(() => new Context(policy, { calibration })).toThrow(
        expect.objectContaining({ code: 'invalid_option', argument: 'calibration.cacheLife' }),
      )
    },
  )

  test('is not part of the state', () => {
    using context = contextThatSaw([
      [5, KEPT],
      [90, 0],
    ])
    const state = context.toJSON().state as State
    using other = new Context(policy, { state })
    expect(isCleared(other.project(session, { idle: 100 }).messages)).toBe(false)
  })
})
