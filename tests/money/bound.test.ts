import fc from 'fast-check'
import type { MessageCounter } from 'trimtab'
import { cacheAware, clearOldToolUses, off, type Policy } from 'trimtab'
import { combineSimulations, type Prices, type SimulateOptions, simulate } from 'trimtab/money'
import { describe, expect, test } from 'vitest'
import { boundProblem } from '../../js/dist/money/bound.js'
import { cheapestPlan, type PlannedSession } from '../../js/dist/money/cheapest-plan.js'
import { cheapestKeeping, type Need } from '../../js/dist/money/keeping.js'
import { record } from '../../js/dist/money/session.js'
import { conversation } from '../node/conversation.js'
import { runs } from '../node/random.js'
import { FORMATS, write } from '../node/write.js'
import { inSteps } from '../support/ui-steps.js'
import { longSession } from './long-session.js'

/** A counter that only gives the total tokens of a message, not their kinds. */
function perMessage(tokens: (message: object) => number): MessageCounter {
  const none = { system: 0, user: 0, assistantText: 0, reasoning: 0, toolCalls: 0, toolResults: 0, other: 0 }
  return (messages) => messages.map((message) => ({ ...none, total: tokens(message) }))
}

const prices: Prices = { input: 1, cacheRead: 0.1, cacheWrite: 1.25, output: 5, cacheSeconds: 300 }

/** Small sessions as numbers: each step adds results, some of which later requests need. */
const planned = fc
  .record({
    steps: fc.array(
      fc.record({
        text: fc.integer({ min: 0, max: 60 }),
        results: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 2 }),
      }),
      { minLength: 2, maxLength: 6 },
    ),
    read: fc.constantFrom(0, 0.025, 0.1, 0.5, 1),
    writeExtra: fc.constantFrom(0, 0.3, 1.15),
    needs: fc.array(
      fc.record({ request: fc.nat(5), holders: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 2 }) }),
      { maxLength: 3 },
    ),
    colds: fc.array(fc.nat(5), { maxLength: 1 }),
  })
  .map(({ steps, read, writeExtra, needs, colds }) => {
    const session: PlannedSession = {
      cleared: [],
      fresh: [],
      isCold: steps.map((_, request) => colds.includes(request)),
      results: [],
      read,
      writeExtra,
    }
    const [cleared, fresh, results] = [
      session.cleared as number[],
      session.fresh as number[],
      session.results as PlannedSession['results'][number][],
    ]
    let total = 20
    steps.forEach((step, arrives) => {
      const from = total
      total += step.text
      for (const saves of step.results.slice(0, results.length < 4 ? 2 : 0)) {
        results.push({ arrives, free: arrives + 1, saves, before: total })
        total += 3
      }
      cleared.push(total)
      fresh.push(arrives === 0 ? total : total - from)
    })
    const possible = needs
      .map(({ request, holders }): Need => {
        const shown = holders.filter((holder) => (results[holder]?.arrives ?? 9) <= request)
        return { request: Math.min(request, steps.length - 1), holders: shown.sort((a, b) => a - b) }
      })
      .filter(({ holders, request }) => holders.every((holder) => (results[holder]?.arrives ?? 9) <= request))
      .filter(({ holders }) => holders.length > 0)
    return { session, needs: possible }
  })

/**
 * Cost of a plan, request by request: blocks in their order, with the number of tokens before the first
 * change.
 */
function costOf(
  { cleared, fresh, isCold, results, read, writeExtra }: PlannedSession,
  clearedAt: number[],
): number {
  let cost = 0
  cleared.forEach((least, request) => {
    const isShown = (at: number, when: number) =>
      (results[at]?.arrives as number) <= when && when < (clearedAt[at] as number)
    const sizeAt = (at: number) => (isShown(at, request) ? (results[at]?.saves as number) : 0)
    const tokens = results.reduce((sum, _, at) => sum + sizeAt(at), least)
    const changed = results.findIndex(
      ({ arrives }, at) => arrives < request && isShown(at, request - 1) !== isShown(at, request),
    )
    const old = results.reduce((sum, { arrives }, at) => sum + (arrives < request ? sizeAt(at) : 0), 0)
    let same = least - (fresh[request] as number) + old
    if (changed >= 0)
      same = results
        .slice(0, changed)
        .reduce((sum, _, at) => sum + sizeAt(at), results[changed]?.before as number)
    if (request === 0 || isCold[request]) same = 0
    cost += read * tokens + writeExtra * (tokens - same)
  })
  return cost
}

function everyPlan({ cleared, results }: PlannedSession): number[][] {
  const times = results.map(({ arrives }) =>
    Array.from({ length: cleared.length - arrives }, (_, later) => arrives + 1 + later),
  )
  return times.reduce<number[][]>(
    (plans, choices) => plans.flatMap((plan) => choices.map((time) => [...plan, time])),
    [[]],
  )
}

const meets = (plan: readonly number[], needs: readonly Need[]) =>
  needs.every(({ request, holders }) => holders.some((holder) => (plan[holder] as number) > request))

describe('the cheapest plan', () => {
  test('costs as little as the best of all plans', () => {
    fc.assert(
      fc.property(planned, ({ session, needs }) => {
        const costs = everyPlan(session)
          .filter((plan) => meets(plan, needs))
          .map((plan) => costOf(session, plan))
        const { least, plan } = cheapestKeeping(session, needs)
        expect(least).toBeCloseTo(Math.min(...costs), 6)
        expect(costOf(session, plan.clearedAt)).toBeCloseTo(least, 6)
        expect(plan.cost).toBeCloseTo(least, 6)
        expect(meets(plan.clearedAt, needs)).toBe(true)
      }),
      runs,
    )
  })

  test('of a session without results clears nothing', () => {
    const session = {
      cleared: [10, 25],
      fresh: [10, 15],
      isCold: [false, false],
      results: [],
      read: 0.1,
      writeExtra: 1,
    }
    expect(cheapestPlan(session)).toMatchObject({ cost: 0.1 * 35 + 25, clearedAt: [] })
  })
})

/** Conversations with an answer of the model that has calls. */
const answered = conversation.filter((turns) =>
  turns.some(({ calls, prompt }) => !prompt && calls.length > 0),
)

describe('cost bounds of a session', () => {
  test('equal the cost of a replay of their plan, in every format', () => {
    fc.assert(
      fc.property(answered, fc.constantFrom(...FORMATS), fc.boolean(), (turns, format, isSlow) => {
        const messages = inSteps(write(turns, format), format)
        const times = isSlow ? messages.map((_, at) => at * 200_000) : []
        const recorded = record(messages, format, undefined)
        const pauses = recorded.requests.map((at, request) =>
          isSlow && request > 0 ? (at - (recorded.requests[request - 1] as number)) * 200 : null,
        )
        const billing = { prices, systemTokens: 0, pauses, cacheSeconds: 300, window: null }
        const { session, needs, clearing, results } = boundProblem(recorded, billing)
        const { plan } = cheapestKeeping(session, needs)
        const view = (now: readonly object[]) => {
          const request = recorded.requests.indexOf(now.length)
          const gone = results.filter((_, at) => (plan.clearedAt[at] as number) <= request)
          return now.map((message, at) => {
            const own = gone.filter((one) => one.message === at)
            return own.length === 0 ? message : clearing.without(at, own)
          })
        }
        const { bounds, policies } = simulate(messages, { view }, { format, prices, times })
        expect(policies[0]?.cost).toBeCloseTo(bounds?.all.cost as number, 6)
        expect(policies[0]?.regret).toBeCloseTo(1, 9)
        for (const { kept, of } of Object.values(policies[0]?.evidence ?? {})) expect(kept).toBe(of)
        expect(bounds?.edits.cost).toBeLessThanOrEqual((bounds?.all.cost as number) + 1e-9)
        recorded.sizes.free()
      }),
      { numRuns: Math.ceil(runs.numRuns / 3) },
    )
  })

  test('are not beaten by a policy that keeps all evidence and only clears results', () => {
    const tried: Record<string, Policy> = { off: off() }
    for (const value of [0, 1000, 4000])
      for (const keep of [0, 2, 8])
        tried[`${value}, ${keep}`] = {
          clear: {
            trigger: { type: 'input_tokens', value },
            keep: { type: 'tool_uses', value: keep },
            clearErrors: true,
          },
        }
    let compared = 0
    for (const steps of [8, 25, 60]) {
      for (const { evidence, regret } of simulate(longSession(steps), tried, { prices }).policies) {
        if (Object.values(evidence).some(({ kept, of }) => kept < of)) continue
        compared++
        expect(regret).toBeGreaterThanOrEqual(1 - 1e-9)
      }
    }
    expect(compared).toBeGreaterThan(5)
  })

  test('add up over sessions', () => {
    const one = simulate(longSession(20), { a: cacheAware() }, { prices })
    const other = simulate(longSession(40), { a: cacheAware() }, { prices })
    const sum = combineSimulations([one, other])
    expect(sum.bounds?.all.cost).toBe((one.bounds?.all.cost ?? 0) + (other.bounds?.all.cost ?? 0))
    expect(sum.policies[0]?.regret).toBeCloseTo(
      (sum.policies[0]?.cost ?? 0) / (sum.bounds?.all.cost ?? 1),
      12,
    )
    expect(sum.policies[0]?.refetched.texts).toBe(
      (one.policies[0]?.refetched.texts ?? 0) + (other.policies[0]?.refetched.texts ?? 0),
    )
  })

  test('hold if larger requests are cheaper', () => {
    const tiers = [
      { above: 1000, input: 0.3, output: 1 },
      { above: 4000, input: 0.6, output: 1 },
    ]
    const tried = { off: off(), clearing: clearOldToolUses({ keep: { type: 'tool_uses', value: 3 } }) }
    for (const steps of [8, 40]) {
      const { bounds, policies } = simulate(longSession(steps), tried, { prices: { ...prices, tiers } })
      expect(bounds?.all.isReached).toBe(false)
      for (const { regret } of policies) expect(regret).toBeGreaterThanOrEqual(1)
    }
  })

  test('have a stub for results, another for failures, and keep what is no longer than it', () => {
    const session = (output: string) => [
      { role: 'user', content: 'Go on.' },
      ...[0, 1, 2, 3].flatMap((at) => {
        const called = { name: 'bash', arguments: `{"command":"make ${at}"}` }
        return [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: `c${at}`, type: 'function', function: called }],
          },
          { role: 'tool', tool_call_id: `c${at}`, content: output },
        ]
      }),
      { role: 'assistant', content: 'Done.' },
    ]
    const stubs = (output: string) => {
      const { clearing } = boundProblem(record(session(output), 'openai-chat', undefined), {
        prices,
        systemTokens: 0,
        pauses: [],
        cacheSeconds: null,
        window: null,
      })
      return clearing.results.map(({ message }) => (clearing.cleared(message) as { content: string }).content)
    }
    expect(new Set(stubs('a line\n'.repeat(40)))).toEqual(new Set(['[cleared]']))
    expect(new Set(stubs(`Error: ${'no such file '.repeat(40)}`))).toEqual(new Set(['Error: [cleared]']))
    expect(stubs('ok')).toEqual([])
  })

  test('are omitted on request, for very long sessions and for unsupported prices', () => {
    const without = (session: object[], options: SimulateOptions = {}) =>
      simulate(session, { a: off() }, options)
    expect(without(longSession(10), { bounds: false })).toMatchObject({
      bounds: null,
      policies: [{ regret: null }],
    })
    expect(without(longSession(1001)).bounds).toBeNull()
    expect(without(longSession(10), { prices: { ...prices, cacheWrite: 0.05 } }).bounds).toBeNull()
  })
})

describe('evidence that is fetched again', () => {
  const text = 'a line of it\n'.repeat(30)
  const use = (id: string, name: string, input: object, output: string) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    },
    { role: 'tool', tool_call_id: id, content: output },
  ]
  const session = [
    { role: 'user', content: 'Go on.' },
    ...use('a', 'read_file', { path: 'a.ts' }, text),
    ...use('b', 'write_file', { path: 'a.ts', content: 'x' }, 'ok'),
    ...use('c', 'write_file', { path: 'a.ts', content: 'y' }, 'ok'),
    { role: 'assistant', content: 'Done.' },
  ]
  const cut = (view: readonly object[]) =>
    view.map((message) => ('tool_call_id' in message ? { ...message, content: '-' } : message))

  test('costs one request per text, which reads the view and writes the text', () => {
    const result = simulate(session, { off: off(), cut }, { prices, counter: perMessage(() => 100) })
    const [all, lost] = result.policies
    expect(all?.refetched).toEqual({ texts: 0, cost: all?.cost, relativeCost: 1 })
    expect(lost?.evidence.files).toEqual({ kept: 0, of: 2 })
    // The second request has three messages; the text has 390 letters at 3.5 bytes per token.
    const extra = 300 * 0.1 + Math.ceil(390 / 3.5) * 1.25
    expect(lost?.refetched.texts).toBe(1)
    expect((lost?.refetched.cost ?? 0) - (lost?.cost ?? 0)).toBeCloseTo(extra, 6)
  })
})

describe('onProgress and signal of simulate', () => {
  test('report progress and stop the replay', () => {
    const session = longSession(300)
    const seen: number[] = []
    simulate(session, { a: off(), b: cacheAware() }, { onProgress: (done) => void seen.push(done) })
    expect(seen[0]).toBe(0)
    expect(seen.at(-1)).toBe(1)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(seen.length).toBeGreaterThan(5)

    const stop = new AbortController()
    const onProgress = (done: number) => {
      if (done > 0.4) stop.abort(new Error('enough'))
    }
    expect(() => simulate(session, { a: clearOldToolUses() }, { signal: stop.signal, onProgress })).toThrow(
      'enough',
    )
    expect(() => simulate(session, { a: off() }, { signal: AbortSignal.abort(new Error('no')) })).toThrow(
      'no',
    )
    expect(() => simulate(session, { a: off() }, { onProgress: 1 as never })).toThrow(
      'onProgress must be a function',
    )
    expect(() => simulate(session, { a: off() }, { signal: {} as never })).toThrow(
      'signal must be an AbortSignal',
    )
  })
})
