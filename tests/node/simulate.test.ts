import fc from 'fast-check'
import type { MessageCounter } from 'trimtab'
import { Context, cacheAware, clearOldToolUses, off, type Policy, project, rollingContext } from 'trimtab'
import { PRICES, type Prices, requestCost, type SimulatedPolicy, simulate } from 'trimtab/money'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { inSteps } from '../support/ui-steps.js'
import { conversation } from './conversation.js'
import { policy } from './policies.js'
import { runs } from './random.js'
import {
  batches,
  clearAt,
  hasRecordedSession,
  recipeTokens,
  recordedSession,
  recordedText,
  rolling,
  sliding,
  stubTokens,
} from './recorded-session.js'
import { FORMATS, write } from './write.js'

/** A counter that only gives the total tokens of a message, not their kinds. */
function perMessage(tokens: (message: object) => number): MessageCounter {
  const none = { system: 0, user: 0, assistantText: 0, reasoning: 0, toolCalls: 0, toolResults: 0, other: 0 }
  return (messages) => messages.map((message) => ({ ...none, total: tokens(message) }))
}

type Message = Record<string, unknown>

/** Conversations with an answer of the model that has calls. */
const answered = conversation.filter((turns) =>
  turns.some(({ calls, prompt }) => !prompt && calls.length > 0),
)

const prompt: Message = { role: 'user', content: 'Go on.' }
const calls = (id: string, name: string, input: object): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
})
const answers = (id: string, content: string): Message => ({ role: 'tool', tool_call_id: id, content })
const done: Message = { role: 'assistant', content: 'Done.' }
const one = (messages: object[], tried: Policy | ((view: readonly object[]) => object[]), options = {}) =>
  simulate(messages, { tried }, options).policies[0] as SimulatedPolicy

const prices: Prices = { input: 1, cacheRead: 0.1, cacheWrite: 1.25, output: 5, cacheSeconds: 300 }

const failing = (): never => {
  throw new Error('of the host')
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

/** An agent of the AI SDK that runs a query twice, with something of the host in each message. */
const queries = (providerOptions: unknown) => {
  const call = (toolCallId: string) => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId, toolName: 'sql', input: { query: 'select 1' } }],
  })
  const result = (toolCallId: string) => ({
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId,
        toolName: 'sql',
        output: { type: 'text', value: 'row\n'.repeat(900) },
        providerOptions,
      },
    ],
  })
  return [prompt, call('a'), result('a'), call('b'), result('b'), { role: 'assistant', content: 'Done.' }]
}

describe('simulate', () => {
  const ten = perMessage(() => 10)

  const cycle: Message = {}
  cycle.self = cycle
  test.each([
    ['a BigInt', 10n],
    ['a cycle', cycle],
    ['a function that throws', { toJSON: failing }],
    ['a getter that throws', Object.defineProperty({}, 'a', { get: failing, enumerable: true })],
    ['a revoked proxy', revoked()],
  ])('compares views with %s in a message', (_, value) => {
    const result = one(queries({ host: { value } }), rollingContext({ maxToolOutputAge: 0 }))
    expect(result).toMatchObject(
      one(queries({ host: { value: 1 } }), rollingContext({ maxToolOutputAge: 0 })),
    )
  })

  test('reads a command of many blanks once', () => {
    const run = (id: string) => [
      calls(id, 'bash', { command: `make${' '.repeat(400_000)}x 2>&1 | tail` }),
      answers(id, `Error: ${'it broke '.repeat(99)}`),
    ]
    const { evidence } = one([prompt, ...run('a'), ...run('b'), done], off())
    expect(evidence.failures).toEqual({ kept: 1, of: 1 })
  })
  const session = [prompt, done, prompt, done, prompt, done]

  test('reads what was sent before from the cache, and writes the rest', () => {
    const result = one(session, off(), { prices, counter: ten })
    expect(result.contextTokens).toEqual([10, 30, 50])
    expect(result).toMatchObject({
      tokensSent: 90,
      peakTokens: 50,
      rewrites: 0,
      coldStarts: 0,
      relativeCost: 1,
    })
    // 10 written; 10 read, 20 written; 30 read, 20 written.
    expect(result.cost).toBeCloseTo(50 * 1.25 + 40 * 0.1, 10)
  })

  test('counts a rewrite of the cache from the first change on', () => {
    const changed = { role: 'user', content: 'Another.' }
    const result = one(
      session,
      (view) => (view.length === 5 ? [prompt, done, changed, done, prompt] : [...view]),
      {
        prices,
        counter: ten,
      },
    )
    expect(result.rewrites).toBe(1)
    // The last request: 20 read, 30 written.
    expect(result.cost).toBeCloseTo(60 * 1.25 + 30 * 0.1, 10)
    expect(result.relativeCost).toBeCloseTo(78 / 66.5, 10)
  })

  test('counts no rewrite for copies of the same content', () => {
    const result = one(session, (view) => structuredClone([...view]), { prices, counter: ten })
    expect(result).toMatchObject({ rewrites: 0, relativeCost: 1 })
  })

  test('keeps the cache of a message up to its first changed block', () => {
    const block = (text: string) => ({ type: 'text', text })
    const long = { role: 'user', content: [block('kept'), block('changed'), block('behind')] }
    const short = { role: 'user', content: [long.content[0], block('-'), long.content[2]] }
    const counter = perMessage((message) => {
      const { content } = message as { content?: unknown }
      return Array.isArray(content) ? 10 * content.length : 1
    })
    const result = one(
      [long, done, prompt, done],
      (view) => (view.length === 1 ? [long] : [short, done, prompt]),
      {
        prices,
        counter,
        format: 'anthropic',
      },
    )
    // 30 written; 10 read, 22 written.
    expect(result.cost).toBeCloseTo(52 * 1.25 + 10 * 0.1, 10)
  })

  test('counts a cold start after a pause longer than the cache lifetime', () => {
    const minutes = (n: number) => n * 60_000
    const times = [0, 0, 0, minutes(4), 0, minutes(10)]
    const options = { prices, counter: ten, times }
    expect(one(session, off(), options)).toMatchObject({ coldStarts: 1, rewrites: 0 })
    expect(one(session, off(), options).cost).toBeCloseTo(10 * 1.25 + 10 * 0.1 + 20 * 1.25 + 50 * 1.25, 10)
    expect(one(session, off(), { ...options, ttl: 3600 }).coldStarts).toBe(0)
    expect(one(session, off(), { ...options, ttl: 60 }).coldStarts).toBe(2)
    expect(one(session, off(), { ...options, times: [] }).coldStarts).toBe(0)
    const known: (number | null)[] = []
    simulate(
      session,
      { f: (view, { secondsSinceLast }) => [...view, ...(known.push(secondsSinceLast) ? [] : [])] },
      options,
    )
    expect(known).toEqual([null, 240, 360])
  })

  test('adds the system prompt to every request, and counts requests over the window', () => {
    const result = one(session, off(), { prices, counter: ten, window: 40, system: 'x'.repeat(35) })
    expect(result.contextTokens).toEqual([20, 40, 60])
    expect(result.overWindow).toBe(1)
    expect(one(session, off(), { prices }).overWindow).toBeNull()
  })

  test('requestCost prices each kind of token', () => {
    expect(requestCost({ cached: 100, written: 10, uncached: 7, output: 3 }, prices)).toBeCloseTo(44.5, 10)
    expect(requestCost({ cached: 0, written: 0 }, prices)).toBe(0)
  })

  test.each(Object.entries(PRICES))('PRICES names a source and cheaper cache reads for %s', (_, row) => {
    expect(row.input).toBe(1)
    expect(row.cacheRead).toBeLessThan(row.input)
    expect(row.cacheWrite).toBeGreaterThanOrEqual(row.input)
    expect(row.source).toMatch(/^https:/)
    expect(row.noted).toMatch(/^20\d\d-\d\d$/)
  })
})

describe('evidence of simulate', () => {
  const file = 'first line\nsecond line\nthird line\n'
  const clear: Policy = {
    clear: {
      trigger: { type: 'input_tokens', value: 0 },
      keep: { type: 'tool_uses', value: 0 },
      clearErrors: true,
    },
  }
  const cut = (view: readonly object[]) =>
    view.map((message) => ('tool_call_id' in message ? { ...message, content: '-' } : message))
  const evidenceOf = (messages: object[], how: Policy | ((view: readonly object[]) => object[])) =>
    one(messages, how).evidence

  test('counts the text that an edit replaces, wherever it was shown', () => {
    const session = [
      prompt,
      calls('a', 'read_file', { path: 'a.ts' }),
      answers('a', file.repeat(40)),
      calls('b', 'edit_file', {
        path: 'a.ts',
        old_string: 'second line\nthird line',
        new_string: 'ahead\n"of" it',
      }),
      answers('b', 'ok'),
      calls('c', 'edit_file', {
        path: 'a.ts',
        edits: [
          { oldText: 'ahead\n"of" it', newText: 'x' },
          { oldText: 'nowhere', newText: 'y' },
        ],
      }),
      answers('c', 'ok'),
      done,
    ]
    expect(evidenceOf(session, off()).edits).toEqual({ kept: 2, of: 2 })
    // The second edit's text is in the call of the first.
    expect(evidenceOf(session, cut).edits).toEqual({ kept: 1, of: 2 })
  })

  test('ignores line numbers in the text of an edit', () => {
    const numbered = file.replace(/^/gm, '   12→').slice(0, -'   12→'.length)
    const session = [
      prompt,
      calls('a', 'Read', { file_path: '/a.ts' }),
      answers('a', numbered),
      calls('b', 'Edit', { file_path: '/a.ts', old_string: 'first line\nsecond', new_string: 'x' }),
      answers('b', 'ok'),
      done,
    ]
    expect(evidenceOf(session, off()).edits).toEqual({ kept: 1, of: 1 })
    expect(evidenceOf(session, cut).edits).toEqual({ kept: 0, of: 1 })
  })

  test('counts the newest read of a file that is named again', () => {
    const session = [
      prompt,
      calls('a', 'read_file', { path: 'a.ts' }),
      answers('a', file.repeat(40)),
      calls('b', 'write_file', { path: 'a.ts', content: 'x' }),
      answers('b', 'ok'),
      calls('c', 'read_file', { path: 'b.ts' }),
      answers('c', file),
      done,
    ]
    expect(evidenceOf(session, off()).files).toEqual({ kept: 1, of: 1 })
    expect(evidenceOf(session, cut).files).toEqual({ kept: 0, of: 1 })
  })

  test('counts the output of a failure if its command is run again', () => {
    const failure = `Error: ${'it does not work\n'.repeat(40)}`
    const session = [
      prompt,
      calls('a', 'bash', { command: 'cd app && npm test' }),
      answers('a', failure),
      calls('b', 'bash', { command: 'npm test 2>&1 | tail -3' }),
      answers('b', 'all is well '.repeat(90)),
      calls('c', 'bash', { command: 'npm test' }),
      answers('c', 'all is well'),
      done,
    ]
    expect(evidenceOf(session, off()).failures).toEqual({ kept: 1, of: 1 })
    expect(evidenceOf(session, clear).failures).toEqual({ kept: 0, of: 1 })
    expect(
      evidenceOf(session, { clear: { ...(clear.clear as object), clearErrors: false } }).failures,
    ).toEqual({ kept: 1, of: 1 })
  })

  test('is complete in every format if everything is sent', () => {
    fc.assert(
      fc.property(answered, (turns) => {
        for (const format of FORMATS) {
          const { evidence } = one(write(turns, format), off(), { format })
          for (const { kept, of } of Object.values(evidence)) expect(kept).toBe(of)
        }
      }),
      { numRuns: runs.numRuns / 5 },
    )
  })
})

describe('policies in simulate', () => {
  test('have the same token counts as in a Context, under every policy and format', () => {
    fc.assert(
      fc.property(answered, policy, fc.constantFrom(...FORMATS), (turns, tried, format) => {
        const written = write(turns, format)
        const result = simulate(written, { tried }, { format })
        const messages = inSteps(written, format)
        using context = new Context({ binding: 'free', ...tried }, { format })
        const sent: number[] = []
        let steps = 0
        let last = 0
        for (let length = 0; length < messages.length; length++) {
          const now = project(messages.slice(0, length + 1), {}, { format }).report.steps
          if (now > steps) {
            last = context.project(messages.slice(0, length)).report.tokensAfter
            sent.push(last)
          }
          steps = now
        }
        expect(result.policies[0]?.contextTokens).toEqual(sent)
        expect(result.requests).toBe(sent.length)
      }),
      runs,
    )
  })

  test('cost the same as in a plain reference calculation', () => {
    const counter = perMessage((message) => JSON.stringify(message).length)
    fc.assert(
      fc.property(answered, policy, (turns, tried) => {
        const plain = turns.map((turn) => ({
          ...turn,
          calls: turn.calls.map((call) => ({ ...call, parts: false, images: 0 })),
        }))
        const messages = write(plain, 'openai-chat')
        const result = simulate(messages, { tried }, { counter, prices, format: 'openai-chat' })
        expect(result.policies[0]?.cost).toBeCloseTo(plainCost(messages, tried), 6)
      }),
      runs,
    )
  })

  function plainCost(messages: readonly Message[], tried: Policy): number {
    using context = new Context(tried, { format: 'openai-chat' })
    let before: string[] = []
    let cost = 0
    messages.forEach((message, at) => {
      if (message.role !== 'assistant') return
      const now = context.project(messages.slice(0, at)).messages.map((sent) => JSON.stringify(sent))
      let same = 0
      while (same < now.length && now[same] === before[same]) same++
      now.forEach((text, index) => {
        cost += text.length * (index < same ? prices.cacheRead : prices.cacheWrite)
      })
      before = now
    })
    return cost
  }

  test('do not change the session, and give a result that is JSON', () => {
    const session = Object.freeze(
      [prompt, calls('a', 'bash', { command: 'ls' }), answers('a', 'x'.repeat(900)), done].map((message) =>
        Object.freeze(message),
      ),
    )
    const result = simulate(session, { rolling: rollingContext(), clear: clearOldToolUses() })
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
    expect(result.policies.map(({ name }) => name)).toEqual(['rolling', 'clear'])
  })
})

describe('invalid input to simulate', () => {
  const session = [prompt, done]
  test.each([
    ['an empty session', () => simulate([], { a: {} }), 'invalid_messages', 'there is no message'],
    ['no answer', () => simulate([prompt], { a: {} }), 'invalid_messages', 'none of the 1 messages'],
    ['no list', () => simulate('x' as never, { a: {} }), 'invalid_messages', 'array'],
    ['no policy', () => simulate(session, {}), 'invalid_policy', 'by name'],
    ['a list of policies', () => simulate(session, [{}] as never), 'invalid_policy', 'by name'],
    ['an unknown setting', () => simulate(session, { a: { ages: 1 } as never }), 'invalid_policy', 'ages'],
    [
      'a view that is none',
      () => simulate(session, { 'my own': () => 7 as never }),
      'invalid_policy',
      '"my own"',
    ],
    [
      'a negative price',
      () => simulate(session, { a: {} }, { prices: { ...prices, cacheRead: -1 } }),
      'invalid_option',
      'prices.cacheRead',
    ],
    [
      'a missing price',
      () => simulate(session, { a: {} }, { prices: { input: 1 } as never }),
      'invalid_option',
      'prices.cacheRead',
    ],
    [
      'a cache of no time',
      () => simulate(session, { a: {} }, { prices: { ...prices, cacheSeconds: Number.NaN } }),
      'invalid_option',
      'prices.cacheSeconds',
    ],
    [
      'prices by name',
      () => simulate(session, { a: {} }, { prices: 'anthropic' as never }),
      'invalid_option',
      'PRICES.anthropic',
    ],
    ['no window', () => simulate(session, { a: {} }, { window: 0 }), 'invalid_option', 'window'],
    ['a negative life', () => simulate(session, { a: {} }, { ttl: -1 }), 'invalid_option', 'ttl'],
  ])('is refused: %s', (_, work, code, words) => {
    expect(work).toThrow(
      expect.objectContaining({ name: 'TrimtabError', code, message: expect.stringContaining(words) }),
    )
  })
})

describe.skipIf(!hasRecordedSession)('a real session (skipped where ../shared/data is not there)', () => {
  /** The design's table, with its own measure of text. */
  test('plain policies have the cost and evidence of the reference table', () => {
    const messages = recordedSession()
    const tried = {
      'send everything': off(),
      'keep the last 30 results': sliding(30),
      'at 100k all but 3': clearAt(100_000, 3),
      'at 80k all but 10': clearAt(80_000, 10),
      'all but 5, in batches of 20k': batches(5, 20_000),
      // The table has 1.27: its stub, and whether failures stayed, are not documented.
      'rolling, age 5': rolling(5),
    }
    const result = simulate(messages, tried, {
      prices,
      counter: perMessage(recipeTokens),
      format: 'openai-chat',
      bounds: false,
    })
    const table = result.policies.map(({ name, relativeCost, evidence: { edits } }) => [
      name,
      relativeCost.toFixed(2),
      `${edits.kept}/${edits.of}`,
    ])
    expect(table).toEqual([
      ['send everything', '1.00', '135/135'],
      ['keep the last 30 results', '1.36', '127/135'],
      ['at 100k all but 3', '0.69', '130/135'],
      ['at 80k all but 10', '0.64', '133/135'],
      ['all but 5, in batches of 20k', '0.55', '129/135'],
      ['rolling, age 5', '1.25', '128/135'],
    ])
    expect(result.requests).toBe(453)
    expect((result.baseCost / 1e6).toFixed(2)).toBe('4.76')
    expect(((result.policies[0]?.tokensSent ?? 0) / 1e6).toFixed(1)).toBe('45.8')
  })

  /** As above, but stubs and shortened calls are measured as they are. */
  test('cacheAware stays within the cost limit of each character, and keeps enough evidence', () => {
    const tried = {
      careful: cacheAware({ character: 'careful' }),
      balanced: cacheAware(),
      thrifty: cacheAware({ character: 'thrifty' }),
    }
    const options = { prices, counter: perMessage(stubTokens), format: 'openai-chat', bounds: false } as const
    const { policies } = simulate(recordedSession(), tried, options)
    const most = { careful: 0.58, balanced: 0.53, thrifty: 0.48 }
    const least = { careful: 131, balanced: 130, thrifty: 126 }
    for (const { name, relativeCost, evidence } of policies) {
      const character = name as keyof typeof tried
      expect(relativeCost).toBeLessThanOrEqual(most[character])
      expect(evidence.edits.kept).toBeGreaterThanOrEqual(least[character])
    }
    const { messages, format } = readTranscript(recordedText())
    const own = simulate(messages, { careful: tried.careful }, { format, prices, bounds: false }).policies[0]
    // Without the 18 edits of answers that failed or were aborted.
    expect(own?.evidence).toMatchObject({ edits: { kept: 114, of: 117 }, failures: { kept: 2, of: 2 } })
  })

  test('rollingContext saves cost and keeps evidence, but costs more if applied without state', () => {
    const { messages, format } = readTranscript(recordedText())
    const stateless = (view: readonly object[]) => project(view, rollingContext(), { format }).messages
    const { policies } = simulate(
      messages,
      { rolling: rollingContext(), stateless, batched: { ...rollingContext(), clearAtLeast: 20_000 } },
      { format, bounds: false },
    )
    const [sticky, sliding, batched] = policies as [SimulatedPolicy, SimulatedPolicy, SimulatedPolicy]
    expect(sliding.relativeCost).toBeGreaterThan(1)
    expect(sticky.relativeCost).toBeLessThan(0.75)
    expect(batched.rewrites).toBeLessThan(10)
    for (const { evidence } of policies) expect(evidence.edits.kept).toBeGreaterThanOrEqual(108)
  })
})
