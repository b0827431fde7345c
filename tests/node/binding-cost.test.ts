import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Context, cacheAware, type State, validate } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { simulate } from 'trimtab/money'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { type Message, signedIn, withThinking } from './binding.js'

/**
 * Characters of thinking. The median of the sessions' own thinking blocks is 350, and a signature has 416
 * more.
 */
const [SHORT, TYPICAL] = [350, 766]

/** A model that binds, one that binds with cheaper cache reads, and the prices of most other models. */
const MODELS = ['claude-opus-5-5', 'claude-fable-5-2', undefined] as const

/** Savings with and without binding, and the share of the reasoning that was sent. */
function weighed(messages: readonly Message[], model: string | undefined) {
  const named = model === undefined ? {} : { model }
  const policy = cacheAware({ ...named, window: 200_000 })
  const policies = { free: { ...policy, binding: 'free' }, bound: { ...policy, binding: 'bound' } } as const
  const { policies: tried } = simulate(messages, policies, { ...named, bounds: false })
  const [free, bound] = tried.map(({ relativeCost, reasoning, rewrites }) => ({
    saved: 1 - relativeCost,
    kept: reasoning.of === 0 ? 1 : reasoning.kept / reasoning.of,
    rewrites,
  }))
  if (free === undefined || bound === undefined) throw new Error('two policies')
  return { free, bound }
}

/** Many short results, with every eighth one long, as in real sessions. */
function session(steps: number): Message[] {
  const messages: Message[] = [{ role: 'user', content: 'Mend the build.' }]
  for (let i = 0; i < steps; i++) {
    const call = { type: 'tool_use', id: `t${i}`, name: 'bash', input: { command: `make ${i}` } }
    const content = `line ${i}\n`.repeat(i % 8 === 0 ? 1500 : 12)
    messages.push({ role: 'assistant', content: [call] })
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${i}`, content }] })
  }
  return withThinking(messages, TYPICAL)
}

describe('cacheAware with bound reasoning', () => {
  test('clears long results, and keeps short ones and most of the reasoning', () => {
    const { free, bound } = weighed(session(120), 'claude-opus-5-5')
    expect(free.kept).toBe(1)
    expect(free.saved).toBeGreaterThan(0.3)
    expect(bound.saved).toBeGreaterThan(0.8 * free.saved)
    expect(bound.kept).toBeGreaterThan(0.75)
  })

  test('keeps more reasoning if the policy sets a higher value for it', () => {
    const policy = cacheAware({ model: 'claude-opus-5-5' })
    const worth = (reasoning: number) => ({ ...policy, retire: { ...(policy.retire as object), reasoning } })
    const tried = simulate(
      session(60),
      { less: worth(0), usual: policy, more: worth(50) },
      { model: 'claude-opus-5-5', bounds: false },
    )
    const [less, usual, more] = tried.policies.map(({ reasoning }) => reasoning.kept / reasoning.of)
    expect(less).toBeLessThan(usual as number)
    expect(more).toBe(1)
  })
})

describe('validate with the state of a Context', () => {
  const messages = session(20)

  test('reports reasoning that follows different content in the unedited history', () => {
    const context = new Context({ age: { maxToolOutputAge: 2 } }, { model: 'claude-opus-5-5' })
    for (let i = 1; i < messages.length; i += 2) context.project(messages.slice(0, i))
    const problems = validate(messages, { state: context })
    const rules = new Set(problems.map(({ rule }) => rule))
    expect([...rules]).toEqual(['thinking_unbound'])
    expect(problems[0]?.message).toMatch(/^messages\.\d+\.content\.0: /)
    // Reasoning from before the first clearing still follows the same content in the unedited history.
    expect(problems.length).toBeLessThan(signedIn(messages))
    expect(problems.length).toBeGreaterThan(5)
    expect(validate(messages, { state: context.toJSON().state as State })).toEqual(problems)
    expect(validate(messages)).toEqual([])
  })

  test('reports nothing for a history sent unedited, and all signed reasoning after the host changes it', () => {
    const context = new Context({}, { model: 'claude-opus-5-5' })
    for (let i = 1; i < messages.length; i += 2) context.project(messages.slice(0, i))
    expect(validate(messages, { state: context })).toEqual([])
    const changed = messages.with(0, { role: 'user', content: 'Something else.' })
    expect(validate(changed, { state: context }).length).toBe(signedIn(messages))
  })
})

const data = new URL('../../../shared/data/', import.meta.url)
if (!existsSync(data)) console.log('real sessions: skipped, ../shared/data is not there')

describe.skipIf(!existsSync(data))('real sessions (skipped where ../shared/data is not there)', () => {
  const files = existsSync(data)
    ? readdirSync(data).filter((name) => /jsonl|messages\.json|traj$/.test(name))
    : []

  test.each(files)(
    'cacheAware saves nearly as much with bound reasoning, and sends most of the reasoning: %s',
    (name) => {
      const read = readTranscript(readFileSync(new URL(name, data), 'utf8'))
      const { messages } = convertMessages(read.messages, 'anthropic')
      for (const chars of [SHORT, TYPICAL]) {
        const thinking = withThinking(messages as Message[], chars)
        for (const model of MODELS) {
          const { free, bound } = weighed(thinking, model)
          expect([chars, model, bound.kept >= 0.5]).toEqual([chars, model, true])
          // Savings below 0.5 % of the session's cost are ignored.
          expect([chars, model, bound.saved >= 0.8 * free.saved - 0.005]).toEqual([chars, model, true])
        }
      }
    },
  )
})
