import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import {
  Context,
  cacheAware,
  clearOldToolUses,
  type Format,
  off,
  type Policy,
  type SavedContext,
} from 'trimtab'
import { loadEncoding } from 'trimtab/encodings'
import { estimateTokens, messageCounter, readUsage, TokenMeter } from 'trimtab/tokens'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../js/dist/generated/protocol.js'
import { prepare } from '../../js/dist/policy/prepared-policy.js'
import { scaled } from '../../js/dist/policy/token-scale.js'
import { conversation, format } from './conversation.js'
import { runs } from './random.js'
import { hasRecordedSession, recordedText } from './recorded-session.js'
import { write } from './write.js'

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** A call with a result of `size` characters. */
const use = (id: string, size: number): object[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: `{"command":"run ${id}"}` } }],
  },
  { role: 'tool', tool_call_id: id, content: `${id} `.padEnd(size, 'output\n') },
]
const prompt = { role: 'user', content: 'Go on until all of it is done.' }

/** A provider that counts twice the engine's estimate and has 5,000 tokens of tools before the messages. */
const BESIDE = 5000
function reported(view: readonly object[]): { input: number; output: number } {
  using plain = new Context(off())
  return { input: BESIDE + 2 * plain.usage(view).total, output: 0 }
}

/**
 * Plays a session of `uses` tool uses; returns the provider's count and the number of edits of each request.
 */
function play(
  context: Context,
  uses: number,
  calibrated: boolean,
  history: object[] = [prompt],
): { real: number; cleared: number }[] {
  return Array.from({ length: uses }, (_, i) => {
    const { messages, report } = context.project(history)
    const usage = reported(messages)
    if (calibrated) context.calibrate(usage)
    history.push(...use(`c${i}`, 3500))
    return { real: usage.input, cleared: report.passes.reduce((sum, { edits }) => sum + edits, 0) }
  })
}

test('a Context that counts with estimateTokens expects what a TokenMeter does; without, no overhead of a format', () => {
  const history: object[] = [{ role: 'user', content: 'What is in the notes?' }]
  const meter = new TokenMeter({ format: 'openai-chat' })
  using counting = new Context(clearOldToolUses(), { counter: messageCounter(estimateTokens) })
  using estimating = new Context(clearOldToolUses())
  const expected = () =>
    [counting, estimating].map((context) => context.project(history).report.expectedTokens)
  expected()
  meter.report(history, { input: 1240, output: 33 })
  for (const context of [counting, estimating]) context.calibrate({ input: 1240, output: 33 })
  history.push({ role: 'assistant', content: 'A list of names.' }, { role: 'user', content: 'Sort it.' })
  expect(meter.tokens(history)).toBe(1280)
  expect(expected()).toEqual([1280, 1276])
})

describe('Context.calibrate', () => {
  test('makes usage and report count as the provider does', () => {
    using context = new Context(off())
    const before = context.usage([prompt, ...use('a', 7000)])
    const history: object[] = [prompt]
    play(context, 40, true, history)
    const after = context.usage([prompt, ...use('a', 7000)])
    expect(after.toolResults / before.toolResults).toBeCloseTo(2, 0.7)
    expect(after.total).toBe(after.user + after.toolCalls + after.toolResults)
    const { report } = context.project(history)
    expect(Math.abs((report.expectedTokens ?? 0) / reported(history).input - 1)).toBeLessThan(0.01)
    expect(copy(report)).toHaveProperty('expectedTokens', report.expectedTokens)
  })

  test('changes nothing until it is first called', () => {
    using context = new Context(off())
    const { report } = context.project([prompt, ...use('a', 700)])
    expect(report.expectedTokens).toBeNull()
    expect(context.toJSON()).not.toHaveProperty('calibration')
    expect(context.usage([prompt]).total).toBe(report.tokensBefore - context.usage(use('a', 700)).total)
  })

  test.each<[string, Policy]>([
    ['clear', clearOldToolUses({ trigger: { type: 'input_tokens', value: 40_000 } })],
    ['window', { clear: { trigger: { type: 'window_fraction', value: 0.4 } }, window: 100_000 }],
    ['budget', { budget: { maxTokens: 40_000 } }],
  ])('applies limits in provider tokens: %s', (_, policy) => {
    const first = (calibrated: boolean) => {
      using context = new Context(policy)
      const requests = play(context, 50, calibrated)
      return requests[requests.findIndex(({ cleared }) => cleared > 0) - 1]?.real ?? 0
    }
    // The request before the first clearing was the last one below the limit; a step has about 2,030 tokens.
    expect(first(true)).toBeGreaterThan(40_000 - 2 * 2030)
    expect(first(true)).toBeLessThanOrEqual(40_000)
    expect(first(false)).toBeGreaterThan(60_000)
  })

  test('applies clearAtLeast in provider tokens', () => {
    const batch = (calibrated: boolean) => {
      using context = new Context({ age: { maxToolOutputAge: 2 }, clearAtLeast: 20_000 })
      return play(context, 60, calibrated).find(({ cleared }) => cleared > 0)?.cleared ?? 0
    }
    // Each result saves about 1,000 estimated tokens, which are 2,000 real ones.
    expect(batch(false)).toBeGreaterThan(18)
    expect(batch(true)).toBeLessThan(13)
  })

  test('applies and states the fraction of a warning in provider tokens', () => {
    using context = new Context({ warn: { at: 0.5 }, window: 40_000 })
    const history: object[] = [prompt]
    const seen: { real: number; said: number }[] = []
    for (let i = 0; i < 12; i++) {
      const { messages, report } = context.project(history)
      const { input } = reported(messages)
      const said = Number(/(\d+)%/.exec(report.warning ?? '')?.[1])
      if (report.warning !== null) seen.push({ real: input / 400, said })
      else expect(input).toBeLessThan(21_000)
      context.calibrate({ input, output: 0 })
      history.push(...use(`c${i}`, 3500))
    }
    expect(seen.length).toBeGreaterThan(0)
    // Limits are not adjusted for differences below a twentieth.
    for (const { real, said } of seen) expect(Math.abs(said / real - 1)).toBeLessThan(0.06)
  })

  test('keeps cleared messages as the same objects when limits change', () => {
    using context = new Context({ age: { maxToolOutputAge: 2 }, clearAtLeast: 5000 })
    const history: object[] = [prompt]
    let before: readonly object[] = []
    let gone = 0
    for (let i = 0; i < 40; i++) {
      const { messages } = context.project(history)
      const edited = before.filter((message, at) => message !== history[at])
      for (const message of edited) expect(messages).toContain(message)
      gone = edited.length
      before = messages
      // The provider's count drifts, so the limits change again and again.
      context.calibrate({ input: Math.round(reported(messages).input * (1 + i / 20)), output: 0 })
      history.push(...use(`c${i}`, 3500))
    }
    expect(gone).toBeGreaterThan(20)
  })

  test('survives a JSON round trip of the Context', () => {
    using context = new Context(clearOldToolUses({ trigger: { type: 'input_tokens', value: 30_000 } }))
    play(context, 30, true)
    const history = [prompt, ...use('x', 9000), ...use('y', 900)]
    using loaded = Context.fromJSON(copy(context.toJSON()) as SavedContext)
    expect(loaded.usage(history)).toEqual(context.usage(history))
    expect(loaded.toJSON().calibration).toEqual(context.toJSON().calibration)
    const expected = context.project(history).report.expectedTokens ?? 0
    expect(Math.abs((loaded.project(history).report.expectedTokens ?? 0) - expected)).toBeLessThanOrEqual(1)
    using next = new Context(off(), { calibration: copy(context.toJSON().calibration) as never })
    expect(next.usage(history)).toEqual(context.usage(history))
  })

  test.each([
    ['nothing that was reported', (context: Context) => context.calibrate({ tokens: 3 }), 'usage'],
    ['no object', (context: Context) => context.calibrate(3 as never), 'usage'],
    [
      'a calibration of something else',
      () => new Context(off(), { calibration: {} as never }),
      'calibration',
    ],
  ])('refuses invalid input: %s', (_, work, argument) => {
    using context = new Context(off())
    context.project([prompt])
    expect(() => work(context)).toThrow(expect.objectContaining({ code: 'invalid_option', argument }))
  })

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['no input', { input: 0, output: 3 }],
    ['what the AI SDK says of a failed request', { inputTokens: undefined, outputTokens: undefined }],
    ['what its models say of one', { inputTokens: { total: undefined }, outputTokens: { total: undefined } }],
  ])('ignores usage without input tokens: %s', (_, usage) => {
    using context = new Context(off())
    context.project([prompt])
    context.calibrate(usage)
    expect(context.toJSON().calibration).toBeUndefined()
  })

  test('accepts the usage that AI SDK language models report', () => {
    const usage = {
      inputTokens: { total: 900, noCache: 100, cacheRead: 800, cacheWrite: 0 },
      outputTokens: { total: 50, text: 20, reasoning: 30 },
    }
    expect(readUsage(usage)).toEqual({ input: 900, cached: 800, output: 20 })
  })

  test.each([
    ['of all requests so far', 1, false],
    ['of each run of five requests', 5, true],
    ['of all runs of five requests so far', 5, false],
  ])('does not mistake the sum %s for the usage of one request', (_, every, isReset) => {
    const policy = clearOldToolUses({ trigger: { type: 'input_tokens', value: 150_000 } })
    using context = new Context(policy)
    const history: object[] = [prompt]
    let sum = 0
    for (let i = 0; i < 60; i++) {
      const { messages, report } = context.project(history)
      expect(report.passes.every(({ edits }) => edits === 0)).toBe(true)
      const { input } = reported(messages)
      sum += input
      if (i > 0) expect(report.expectedTokens ?? input).toBeGreaterThan(0.7 * input)
      if (i > 2 * every) expect(report.expectedTokens).toBeLessThan(1.3 * input)
      if ((i + 1) % every === 0) {
        context.calibrate({ input: sum, output: 0 })
        if (isReset) sum = 0
      }
      history.push(...use(`c${i}`, 3500))
    }
  })

  // The first sums are near the size of one request, so each next one is as expected if they are taken for that.
  test.each([
    [40, 150],
    [40, 20],
    [4000, 500],
  ])('recognises running totals from a prompt of %d characters on', (length, lines) => {
    const viewsOf = (isSum: boolean) => {
      using context = new Context(cacheAware({ window: 100_000 }))
      const history: object[] = [{ role: 'user', content: 'w'.repeat(length) }]
      let sum = 0
      return Array.from({ length: 60 }, (_, i) => {
        const { report } = context.project(history)
        sum += report.tokensAfter
        context.calibrate({ input_tokens: isSum ? sum : report.tokensAfter, output_tokens: 10 })
        history.push(...use(`c${i}`, 30 * lines))
        return report.tokensAfter
      })
    }
    const [single, sums] = [viewsOf(false), viewsOf(true)]
    sums.forEach((tokens, i) => {
      expect(tokens).toBeGreaterThan(0.5 * (single[i] as number))
    })
  })

  // The engine estimates a fifth to a tenth of what is added, or less and less of it.
  test.each<[string, (i: number) => [characters: number, tokens: number]]>([
    ['files that are larger each time', (i) => [800 + 100 * i, 900 + 450 * i]],
    ['dense text that grows', (i) => [400 * (i + 1) ** 2, (400 * (i + 1) ** 2) / 1.4]],
    ['dense text of one length', () => [2000, 1400]],
  ])('takes no %s for running totals', (_, added) => {
    using context = new Context(off())
    const history: object[] = [prompt]
    let input = 1350
    for (let i = 0; i < 30; i++) {
      const { expectedTokens } = context.project(history).report
      if (expectedTokens !== null) expect(expectedTokens).toBeGreaterThan(0.6 * input)
      context.calibrate({ input_tokens: Math.round(input), output_tokens: 50 + 10 * i })
      const [characters, tokens] = added(i)
      history.push(...use(`c${i}`, characters))
      input += tokens
    }
  })

  test('refuses usage before the first projection', () => {
    using context = new Context(off())
    expect(() => context.calibrate({ input: 10, output: 1 })).toThrow('call project() before calibrate()')
  })

  test('assumes the same default limits as the engine', () => {
    const file = new URL('../../js/src/generated/policy.schema.json', import.meta.url)
    const { properties, $defs } = JSON.parse(readFileSync(file, 'utf8'))
    const { trigger } = $defs.ClearPolicy.properties
    expect(DEFAULT_LIMITS).toEqual({
      window: properties.window.default,
      trigger: trigger.default.value,
      maxTokens: $defs.BudgetPolicy.properties.maxTokens.default,
      atLeast: $defs.RetirePolicy.properties.atLeast.default,
      warnAt: $defs.WarnPolicy.properties.at.default,
    })
    expect(trigger.default.type).toBe('input_tokens')
    const scale = { perToken: 2, perResultToken: 4, beside: 10_000 }
    const scaledPolicy = (policy: Policy) => JSON.parse(scaled(prepare(policy), scale).json) as Policy
    expect(scaledPolicy({ clear: true, budget: true, warn: true, clearAtLeast: 400, lists: true })).toEqual({
      clear: { trigger: { type: 'input_tokens', value: 45_000 } },
      budget: { maxTokens: 65_000 },
      warn: { at: 0.75 },
      clearAtLeast: 100,
      lists: true,
      window: 100_000,
    })
    expect(scaledPolicy({ retire: { atLeast: 3000 } }).retire).toEqual({ atLeast: 750 })
    const clearAtLeast = { type: 'input_tokens' as const, value: 400 }
    expect(scaledPolicy({ clear: { clearAtLeast }, clearAtLeast })).toMatchObject({
      clear: { clearAtLeast: 100 },
      clearAtLeast: 100,
    })
  })
})

describe('readUsage', () => {
  test.each<[string, object, [number, number, number]]>([
    ['ReportedUsage', { input: 100, cached: 60, output: 7 }, [100, 60, 7]],
    [
      'Anthropic',
      { input_tokens: 10, cache_read_input_tokens: 60, cache_creation_input_tokens: 30, output_tokens: 7 },
      [100, 60, 7],
    ],
    ['Anthropic without a cache', { input_tokens: 100, output_tokens: 7 }, [100, 0, 7]],
    [
      'Chat Completions',
      {
        prompt_tokens: 100,
        completion_tokens: 17,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 10 },
      },
      [100, 60, 7],
    ],
    ['DeepSeek', { prompt_tokens: 100, prompt_cache_hit_tokens: 60, completion_tokens: 7 }, [100, 60, 7]],
    [
      'Responses',
      { input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, output_tokens: 7 },
      [100, 60, 7],
    ],
    ['Codex', { input_tokens: 100, cached_input_tokens: 60, output_tokens: 7 }, [100, 60, 7]],
    [
      'Gemini',
      {
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 5,
        totalTokenCount: 112,
      },
      [100, 60, 7],
    ],
    [
      'TanStack AI',
      { promptTokens: 100, completionTokens: 7, promptTokensDetails: { cachedTokens: 60 } },
      [100, 60, 7],
    ],
    [
      'OpenAI Agents, one request',
      {
        requests: 1,
        inputTokens: 100,
        outputTokens: 7,
        totalTokens: 107,
        inputTokensDetails: [{ cached_tokens: 60 }],
      },
      [100, 60, 7],
    ],
    [
      'OpenAI Agents, the end of a stream',
      { inputTokens: 100, outputTokens: 7, totalTokens: 107, inputTokensDetails: { cached_tokens: 60 } },
      [100, 60, 7],
    ],
    ['AI SDK', { inputTokens: 100, cachedInputTokens: 60, outputTokens: 7, totalTokens: 107 }, [100, 60, 7]],
    [
      'LangChain',
      { input_tokens: 100, input_token_details: { cache_read: 60 }, output_tokens: 7 },
      [100, 60, 7],
    ],
    [
      'xAI',
      {
        prompt_tokens: 100,
        completion_tokens: 7,
        total_tokens: 117,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 10 },
      },
      [100, 60, 7],
    ],
    [
      'Responses, with reasoning, which is sent again',
      { input_tokens: 100, output_tokens: 17, output_tokens_details: { reasoning_tokens: 10 } },
      [100, 0, 17],
    ],
    [
      'AI SDK, with reasoning',
      {
        inputTokens: 100,
        inputTokenDetails: { cacheReadTokens: 60 },
        outputTokens: 17,
        outputTokenDetails: { textTokens: 7, reasoningTokens: 10 },
        totalTokens: 117,
      },
      [100, 60, 7],
    ],
    [
      'AI SDK 5, with reasoning',
      { inputTokens: 100, outputTokens: 17, reasoningTokens: 10, totalTokens: 117 },
      [100, 0, 7],
    ],
    [
      'AI SDK 5 about Gemini, with reasoning',
      { inputTokens: 100, outputTokens: 7, reasoningTokens: 10, totalTokens: 117 },
      [100, 0, 7],
    ],
    [
      'TanStack AI, with reasoning',
      { promptTokens: 100, completionTokens: 17, completionTokensDetails: { reasoningTokens: 10 } },
      [100, 0, 7],
    ],
    [
      'LangChain, with reasoning',
      {
        input_tokens: 100,
        output_tokens: 17,
        total_tokens: 117,
        input_token_details: { cache_read: 60 },
        output_token_details: { reasoning: 10 },
      },
      [100, 60, 7],
    ],
    [
      'LangChain about Gemini, with reasoning',
      { input_tokens: 100, output_tokens: 7, total_tokens: 117, output_token_details: { reasoning: 10 } },
      [100, 0, 7],
    ],
    ['pi', { input: 10, cacheRead: 60, cacheWrite: 30, output: 7 }, [100, 60, 7]],
  ])('reads usage of %s', (_, usage, [input, cached, output]) => {
    expect(readUsage(usage)).toEqual({ input, cached, output })
  })

  test('returns undefined for any other value, and never throws', () => {
    for (const value of [undefined, null, 3, 'x', [], {}, { input: -1, output: 2 }, { prompt_tokens: 'a' }])
      expect(readUsage(value)).toBeUndefined()
    fc.assert(
      fc.property(fc.anything(), (value) => void readUsage(value)),
      runs,
    )
  })
})

describe('the counter option', () => {
  test('counts each text of a conversation once, in every format', async () => {
    const encoding = await loadEncoding('o200k_base')
    const check = (turns: Parameters<typeof write>[0], used: Parameters<typeof write>[1]) => {
      const messages = write(turns, used)
      const counted = new Map<string, number>()
      const counter = messageCounter((text) => {
        counted.set(text, (counted.get(text) ?? 0) + 1)
        return encoding.count(text)
      })
      using context = new Context({ age: { maxToolOutputAge: 1 } }, { counter, format: used })
      for (let end = 1; end <= messages.length; end++) context.project(messages.slice(0, end))
      context.usage(messages)
      // A host that keeps its messages as JSON has new objects each time, with the same texts.
      context.project(copy(messages))
      expect([...counted].filter(([, times]) => times > 1)).toEqual([])
    }
    fc.assert(fc.property(conversation, format, check), { ...runs, numRuns: runs.numRuns / 5 })
  })

  test('gives usage the exact counts, also after a change in place', async () => {
    const encoding = await loadEncoding('cl100k_base')
    const message = { role: 'user', content: 'Ein Fuchs läuft über die Straße.' }
    using context = new Context(off(), { counter: messageCounter((text) => encoding.count(text)) })
    expect(context.usage([message]).user).toBe(encoding.count(message.content) + 4)
    message.content = 'Zwei Füchse.'
    expect(context.usage([message]).user).toBe(encoding.count(message.content) + 4)
    expect(context.project([message]).report.expectedTokens).toBe(encoding.count(message.content) + 4)
  })

  test('applies limits by its counts', () => {
    // Every text has three times the engine's estimate.
    const counter = messageCounter((text) => (3 * text.length) / 3.5)
    const policy = clearOldToolUses({ trigger: { type: 'input_tokens', value: 30_000 } })
    const cleared = (context: Context) => {
      using one = context
      const uses = Array.from({ length: 15 }, (_, i) => use(`c${i}`, 3500)).flat()
      return one.project([prompt, ...uses]).report.passes.reduce((sum, { edits }) => sum + edits, 0)
    }
    expect(cleared(new Context(policy))).toBe(0)
    expect(cleared(new Context(policy, { counter }))).toBeGreaterThan(0)
  })

  /** Digits have more tokens than words: the view has another mixture than the history. */
  const uneven = messageCounter((text) => Math.ceil(text.length / 6 + (text.match(/\d/g)?.length ?? 0)))
  const sum = (messages: readonly object[], used: Format) =>
    uneven(messages, used).reduce((total, message) => total + message.total, 0)

  test('a view that fits has no more expected tokens than the budget, and is made again as it is', () => {
    let over = 0
    for (const maxTokens of [2000, 5000, 12_000]) {
      using context = new Context({ budget: { maxTokens }, recall: true }, { counter: uneven })
      const history: object[] = [prompt]
      for (let i = 0; i < 50; i++) {
        const [call, result] = use(`c${i}`, 0) as [object, object]
        const text = i % 12 < 6 ? 'some words of a log\n' : '0123456789 81925\n'
        history.push(call, { ...result, content: text.repeat(60) })
        const { messages, report } = context.project(history)
        expect(report.expectedTokens).toBe(sum(messages, 'openai-chat'))
        expect(report.fits).toBe((report.expectedTokens ?? 0) <= maxTokens)
        if (!report.fits) over++
        expect(context.project(history).messages).toEqual(messages)
      }
    }
    // Calls and stubs alone exceed the smallest budget in the end.
    expect(over).toBeLessThan(30)
  })

  test('counts a view as the counter does, in every format', () => {
    const check = (turns: Parameters<typeof write>[0], used: Format) => {
      const messages = write(turns, used)
      const policy = { age: { maxToolOutputAge: 1 }, inputs: { after: 1 }, clip: { max: 40, tools: ['*'] } }
      using context = new Context(policy, { counter: uneven, format: used })
      for (let end = 1; end <= messages.length; end++) {
        const { messages: view, report } = context.project(messages.slice(0, end))
        expect(report.expectedTokens).toBe(sum(view, used))
      }
    }
    fc.assert(fc.property(conversation, format, check), runs)
  })
})

describe.skipIf(!hasRecordedSession)('a real session (skipped where ../shared/data is not there)', () => {
  test.each([
    ['the engine’s estimates', undefined, 0.09, 0.035],
    ['a counter', messageCounter(estimateTokens), 0.06, 0.02],
  ])(
    'expectedTokens is close to the reported input if calibrated after each request: %s',
    (_, counter, share, median) => {
      const { messages, usage = [], format: used } = readTranscript(recordedText())
      using context = new Context(off(), { format: used, ...(counter === undefined ? {} : { counter }) })
      const errors: { error: number; growth: number }[] = []
      let before = 0
      usage.forEach((now, at) => {
        if (now === null) return
        const { report } = context.project(messages.slice(0, at))
        const growth = now.input - before
        if (before > 0) errors.push({ error: Math.abs((report.expectedTokens ?? 0) - now.input), growth })
        context.calibrate(now)
        before = now.input
      })
      const sum = (of: (one: { error: number; growth: number }) => number) =>
        errors.reduce((total, one) => total + of(one), 0)
      expect(sum(({ error }) => error) / sum(({ growth }) => growth)).toBeLessThan(share)
      const each = errors.map(({ error, growth }) => error / Math.abs(growth || 1)).sort((a, b) => a - b)
      expect(each[each.length >> 1]).toBeLessThan(median)
    },
  )
})
