import { cacheAware, clearOldToolUses, inspect, off, rollingContext } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { type LostEvidence, PRICES, type SimulatedPolicy, simulate, tune } from 'trimtab/money'
import { expect, test } from 'vitest'
import { longSession } from './long-session.js'

const chat = [
  ...longSession(40),
  { role: 'user', content: 'And once more.' },
  ...longSession(20).slice(1),
] as Record<string, unknown>[]
const written = (format: 'ai-sdk' | 'ai-sdk-ui') =>
  convertMessages(chat, format, { format: 'openai-chat' }).messages
const [models, turns] = [written('ai-sdk'), written('ai-sdk-ui')]

const clearing = clearOldToolUses({
  trigger: { type: 'input_tokens', value: 3000 },
  keep: { type: 'tool_uses', value: 3 },
})
const POLICIES = { off: off(), clearing, rolling: rollingContext(), aware: cacheAware() }

test('messages that hold a turn have a request for each step, and the costs of messages for each', () => {
  const [one, other] = [
    simulate(models, POLICIES, { format: 'ai-sdk' }),
    simulate(turns, POLICIES, { format: 'ai-sdk-ui' }),
  ] as const
  expect(turns.length).toBeLessThan(8)
  expect(other.messages).toBe(turns.length)
  expect(other.requests).toBe(one.requests)
  expect(other.requests).toBe(inspect(turns, { format: 'ai-sdk-ui' }).steps)
  expect(other.baseCost).toBeCloseTo(one.baseCost, 6)
  expect(other.bounds?.all.cost).toBeCloseTo(one.bounds?.all.cost as number, 6)
  one.policies.forEach(({ evidence, name, relativeCost }, at) => {
    const same = other.policies[at] as SimulatedPolicy
    expect(same.evidence, name).toEqual(evidence)
    // A cleared result of a `UIMessage` also has another wrapper.
    expect(Math.abs(same.relativeCost - relativeCost), name).toBeLessThan(0.01)
  })
})

test('plans of clearing that keep all evidence cost at least the bound', () => {
  const tried = Object.fromEntries(
    [0, 1000, 3000].map((value) => [
      `${value}`,
      clearOldToolUses({ trigger: { type: 'input_tokens', value }, keep: { type: 'tool_uses', value: 4 } }),
    ]),
  )
  for (const { evidence, regret } of simulate(turns, tried, { format: 'ai-sdk-ui' }).policies) {
    if (Object.values(evidence).some(({ kept, of }) => kept < of)) continue
    expect(regret).toBeGreaterThanOrEqual(1)
  }
})

test('tune counts the same requests', () => {
  const requests = [models, turns].map((messages) => tune([{ messages }], { candidates: POLICIES }).requests)
  expect(requests[1]).toBe(requests[0])
})

test('evidence is named by the positions of the session’s messages', () => {
  const lost: LostEvidence[] = []
  const view = (messages: readonly object[]) => messages.slice(-1)
  simulate(turns, { view }, { format: 'ai-sdk-ui', onLost: (one) => lost.push(one) })
  expect(lost.length).toBeGreaterThan(0)
  for (const { heldBy, message } of lost) {
    expect(message).toBeLessThan(turns.length)
    expect(JSON.stringify(turns[heldBy]).length).toBeGreaterThan(100)
  }
})

test('a turn begins at its message’s time, and a pause counts from the last known time', () => {
  const coldStarts = (times: (number | null)[]) =>
    simulate(turns, { off: off() }, { format: 'ai-sdk-ui', times, prices: PRICES.anthropic }).policies[0]
      ?.coldStarts
  const starts = (pause: number) => turns.map((_, at) => at * pause * 1000)
  expect(coldStarts(starts(10))).toBe(0)
  expect(coldStarts(starts(1000))).toBe(1)

  const day = 86_400_000
  const times = models.map((_, at) => at * 1000)
  const middle = times.length >> 1
  const late = times.map((time, at) => time + (at > middle ? day : 0))
  const unknown = late.map((time, at) => (Math.abs(at - middle) < 3 ? null : time))
  const cold = [late, unknown].map(
    (some) => simulate(models, { off: off() }, { format: 'ai-sdk', times: some }).policies[0]?.coldStarts,
  )
  expect(cold).toEqual([1, 1])
})
