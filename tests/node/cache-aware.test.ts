import fc from 'fast-check'
import { Context, cacheAware, type Policy, project, recall } from 'trimtab'
import { PRICES, simulate } from 'trimtab/money'
import { describe, expect, test } from 'vitest'
import { conversation } from './conversation.js'
import { runs } from './random.js'
import { write } from './write.js'

interface Chat {
  role: string
  content: string
  tool_calls?: { function: { arguments: string } }[]
}

let next = 0
/** A call with its result. */
function use(name: string, args: object, content: string): Chat[] {
  const id = `call_${next++}`
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
  return [
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content } as Chat,
  ]
}
const prompt: Chat = { role: 'user', content: 'Go on.' }
const make = (warnings: number) =>
  use('bash', { command: `make ${warnings}` }, 'a warning\n'.repeat(warnings))
const read = (path: string) => use('read_file', { path }, `a line of ${path}\n`.repeat(100))
const settings = (policy: Policy) => policy.retire as Exclude<Policy['retire'], boolean | null | undefined>

describe('cacheAware with a limited window', () => {
  test.each(['careful', 'balanced', 'thrifty'] as const)(
    'fits every view with few cache rewrites: %s',
    (character) => {
      using context = new Context(cacheAware({ character, window: 30_000 }))
      const history: Chat[] = [prompt]
      let rewrites = 0
      for (let i = 0; i < 100; i++) {
        const { report } = context.project(history)
        expect(report.fits).toBe(true)
        if (report.cache?.firstDifference != null) rewrites++
        history.push(...read(`src/${i}.ts`))
      }
      // All reads together have 57,000 tokens; each rewrite makes room for a fifth of the view.
      expect(context.project(history).report.tokensBefore).toBeGreaterThan(57_000)
      expect(rewrites).toBeGreaterThan(0)
      expect(rewrites).toBeLessThan(20)
    },
  )
})

describe('the cacheAware preset', () => {
  test.each([0, 0.01, 0.025, 0.04, 0.05, 0.08, 0.1, 0.5, 1])(
    'keeps more with each character, from thrifty to balanced to careful, at a read price of %d',
    (cacheRead) => {
      const prices = { ...PRICES.anthropic, cacheRead }
      const [thrifty, balanced, careful] = (['thrifty', 'balanced', 'careful'] as const).map((character) =>
        settings(cacheAware({ character, prices })),
      )
      expect(thrifty?.missing).toBeLessThan(balanced?.missing as number)
      expect(balanced?.missing).toBeLessThan(careful?.missing as number)
      expect(cacheAware({ prices })).toEqual(cacheAware({ character: 'balanced', prices }))
    },
  )

  test('derives the rewrite cost from the prices of cache writes and reads', () => {
    const cost = (prices: { cacheRead: number; cacheWrite: number }) =>
      settings(cacheAware({ prices })).rewriteCost
    expect(cost(PRICES.anthropic)).toBeCloseTo(11.5, 10)
    expect(cost(PRICES.openai)).toBeCloseTo(9, 10)
    expect(cost(PRICES.deepseek)).toBeCloseTo(49, 10)
    expect(cost({ cacheRead: 1, cacheWrite: 1 })).toBe(0)
    expect(cost({ cacheRead: 0, cacheWrite: 0 })).toBe(0)
    // A rewrite never pays then, and the value is still JSON.
    expect(cost({ cacheRead: 0, cacheWrite: 1 })).toBe(1_000_000)
    expect(settings(cacheAware({ prices: PRICES['anthropic-1h'] })).cacheSeconds).toBe(3600)
    expect(settings(cacheAware({ prices: PRICES.gemini })).cacheSeconds).toBeNull()
  })

  test('sets the window and a budget from the window option', () => {
    const { window, budget } = cacheAware({ window: 10_000 })
    expect({ window, budget }).toEqual({ window: 10_000, budget: { maxTokens: 9000 } })
    expect(JSON.parse(JSON.stringify(cacheAware()))).toEqual(cacheAware())
  })

  test.each<[object, string]>([
    [{ character: 'bold' }, 'character must be one of thrifty, balanced, careful'],
    [{ character: 'toString' }, 'character must be one of'],
    [{ prices: 'anthropic' }, 'prices must be an object such as PRICES.anthropic'],
    [{ prices: { cacheRead: -1, cacheWrite: 1 } }, 'prices.cacheRead must be a number from 0 on'],
    [{ prices: { cacheRead: 1 } }, 'prices.cacheWrite'],
    [{ prices: { ...PRICES.openai, cacheSeconds: Number.NaN } }, 'prices.cacheSeconds'],
    [{ window: 0 }, 'window must be a whole number of tokens over 0'],
    [{ recall: 'yes' }, 'recall must be true or false'],
    [{ charcter: 'careful' }, 'did you mean `character`?'],
  ])('refuses %j', (given, words) => {
    expect(() => cacheAware(given as never)).toThrow(
      expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(words) }),
    )
  })
})

/** Policy that clears every result that is done at once. */
const eager: Policy = { retire: { atLeast: 0, rewriteCost: 0 }, recall: true }

describe('the retire pass', () => {
  test('leaves short stubs that recall resolves', () => {
    const history = [prompt, ...make(300), ...make(400)]
    const { messages, report } = project(history, eager)
    expect(messages[2]?.content).toMatch(/^\[cleared, 3000 chars; recall [0-9a-f]{8}\]$/)
    expect(messages[4]).toBe(history[4])
    expect(report.explain(2)[0]).toMatchObject({ pass: 'retire', reason: 'the model has seen it' })
    const reference = messages[2]?.content.slice(-9, -1) as string
    expect(recall(history, reference).text).toBe(history[2]?.content)
    expect(project(history, { ...eager, recall: false }).messages[2]?.content).toBe('[cleared, 3000 chars]')
  })

  test('clears the replaced text of an edit and keeps the new text', () => {
    const old_string = 'what was there\n'.repeat(30)
    const new_string = 'what is there\n'.repeat(30)
    const history = [prompt, ...use('edit_file', { path: 'a.ts', old_string, new_string }, 'ok'), ...make(2)]
    const { messages, report } = project(history, eager)
    const args = JSON.parse(messages[1]?.tool_calls?.[0]?.function.arguments ?? '')
    expect(args).toEqual({ path: 'a.ts', old_string: expect.stringMatching(/ \[450 chars\]$/), new_string })
    expect(args.old_string.length).toBeLessThanOrEqual(32)
    expect(report.explain(1)[1]?.reason).toBe('the text that it replaced is no longer in the file')
    const kept = project(history, { retire: { atLeast: 0, rewriteCost: 0, oldTexts: false } })
    expect(kept.messages[1]).toBe(history[1])
  })

  test('explains why each result is kept', () => {
    const history = [prompt, ...read('a.ts'), ...make(300), ...make(300), ...make(1)]
    const { report } = project(history, { retire: { atLeast: 100_000 } })
    const why = (index: number) => report.explain(index)[0]?.reason
    expect(why(2)).toBe('not retired: it may still be needed')
    expect(why(4)).toBe('retired: cleared with the next batch that pays for its rewrite')
    expect(why(8)).toBe('too short to be worth a stub')
  })
})

describe('the idle option', () => {
  const history = [prompt, ...make(900), ...read('a.ts'), ...make(200)]
  const policy: Policy = { retire: { atLeast: 50_000, cacheSeconds: 300 } }

  test('clears retired results after a pause longer than cacheSeconds', () => {
    const cleared = (idle?: number) => {
      const { messages } = project(history, policy, idle === undefined ? {} : { idle })
      return messages.filter((message, index) => message !== history[index]).length
    }
    expect([cleared(), cleared(0), cleared(300), cleared(301), cleared(Number.POSITIVE_INFINITY)]).toEqual([
      0, 0, 0, 1, 1,
    ])
    const unknown: Policy = { retire: { atLeast: 50_000, cacheSeconds: null } }
    expect(project(history, unknown, { idle: 1e9 }).messages).toEqual(history)
  })

  test('keeps these results cleared in later projections and in a saved Context', () => {
    using context = new Context(policy)
    const first = context.project(history, { idle: 1000 }).messages
    expect(first[2]?.content).toBe('[cleared, 9000 chars]')
    const later = [...history, ...make(3)]
    expect(context.project(later).messages[2]).toBe(first[2])
    using again = Context.fromJSON(JSON.parse(JSON.stringify(context)))
    expect(again.project(later).messages).toEqual(context.project(later).messages)
  })

  test('is derived by simulate from the times of the messages', () => {
    const done = { role: 'assistant', content: 'Done.' }
    const session = [...history, done]
    const times = session.map((_, index) => (index < history.length ? 0 : 1_000_000))
    const rewrites = (options: object) => simulate(session, { policy }, options).policies[0]?.rewrites
    expect([rewrites({}), rewrites({ times })]).toEqual([0, 1])
  })

  test.each([-1, Number.NaN, '300'])('refuses %s seconds', (idle) => {
    expect(() => project(history, policy, { idle: idle as number })).toThrow(
      expect.objectContaining({ code: 'invalid_option', argument: 'idle' }),
    )
  })
})

test('the retire pass works in batches: between two batches each view extends the previous one', () => {
  const policy: Policy = { retire: { atLeast: 300, missing: 1, rewriteCost: 2 } }
  let batches = 0
  fc.assert(
    fc.property(conversation, (turns) => {
      const history = write(turns, 'openai-chat')
      using context = new Context(policy, { format: 'openai-chat' })
      let before: readonly object[] = []
      let saved = 0
      history.forEach((message, index) => {
        if ((message as unknown as Chat).role !== 'assistant') return
        const { messages, report } = context.project(history.slice(0, index))
        const now = report.tokensBefore - report.tokensAfter
        if (now === saved) expect(before.every((sent, at) => sent === messages[at])).toBe(true)
        else expect(now - saved).toBeGreaterThanOrEqual(300)
        batches += Number(now !== saved)
        before = messages
        saved = now
      })
    }),
    runs,
  )
  expect(batches).toBeGreaterThan(10)
})
