import { existsSync, readdirSync, readFileSync } from 'node:fs'
import {
  Context,
  type ContextOptions,
  cacheAware,
  clearOldToolUses,
  type Policy,
  project,
  rollingContext,
  smartRetention,
  validate,
} from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { BindingProvider, type Block, type Message, signedIn, withThinking } from './binding.js'

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** A loop of tool calls with thinking, and a prompt of the user in every twentieth step. */
function session(steps: number): Message[] {
  const messages: Message[] = [{ role: 'user', content: 'Mend the build.' }]
  for (let i = 0; i < steps; i++) {
    const thinking = { type: 'thinking', thinking: 'hm', signature: `s${i}` }
    const call = { type: 'tool_use', id: `t${i}`, name: 'bash', input: { command: `make ${i}` } }
    messages.push({ role: 'assistant', content: [thinking, call] })
    const result = { type: 'tool_result', tool_use_id: `t${i}`, content: `warning ${i}\n`.repeat(900) }
    const prompt = i % 20 === 19 ? [{ type: 'text', text: 'go on' }] : []
    messages.push({ role: 'user', content: [result, ...prompt] })
  }
  return messages
}

type Demand = 'bound' | 'append-only' | 'unknown'

interface Played {
  refused: number
  requests: number
  shown: number
  made: number
  tokens: number
}

/**
 * Sends each request of a session; `restart` is the number of requests between restarts, where the host saves
 * and loads.
 */
function play(
  messages: readonly Message[],
  policy: Policy,
  options: ContextOptions = {},
  restart = 7,
  prefixOf = (_: number): string => '',
): Played {
  const provider = new BindingProvider()
  let context = new Context(policy, options)
  const played: Played = { refused: 0, requests: 0, shown: 0, made: 0, tokens: 0 }
  for (let i = 0; i < messages.length; i++) {
    const answer = messages[i] as Message
    if (answer.role !== 'assistant') continue
    const history = messages.slice(0, i)
    const prefix = prefixOf(played.requests)
    // After a restart, the host's messages are new objects.
    if (++played.requests % restart === 0) context = Context.fromJSON(copy(context.toJSON()))
    const isLoaded = played.requests % restart === 0
    const view = context.project(isLoaded ? copy(history) : history, { prefix })
    if (provider.refuses(view.messages, prefix).length > 0) played.refused++
    played.shown += signedIn(view.messages)
    played.made += signedIn(history)
    played.tokens += view.report.tokensAfter
    provider.answers(view.messages, answer, prefix)
  }
  return played
}

/** Another answer at the same place: its thinking has another signature. */
function otherAnswer({ content }: Message, fork: number): Message {
  const blocks = (content as Block[]).map((block) =>
    block.signature === undefined ? block : { ...block, signature: `${block.signature}.${fork}` },
  )
  return { role: 'assistant', content: blocks }
}

/** Pseudo-random numbers from 0 to 1, the same ones for a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 8) / 2 ** 24
  }
}

/**
 * Sends every prefix of a session that ends before an answer. At random moments the host saves and loads,
 * makes new message objects, waits, changes its system prompt, or goes back and has the model answer
 * differently.
 */
function playAtRandom(session: readonly Message[], policy: Policy, seed: number): Omit<Played, 'tokens'> {
  const next = randomNumbers(seed)
  const is = (chance: number) => next() < chance
  const provider = new BindingProvider()
  const messages = [...session]
  let context = new Context(policy)
  let prefix = ''
  let forks = 0
  const played = { refused: 0, requests: 0, shown: 0, made: 0 }
  for (let i = 0; i < messages.length; i++) {
    if (messages[i]?.role !== 'assistant') continue
    const history = messages.slice(0, i)
    if (is(0.05)) context = Context.fromJSON(copy(context.toJSON()))
    if (is(0.01)) prefix += 'x'
    const view = context.project(is(0.05) ? copy(history) : history, { prefix, idle: is(0.02) ? 9999 : 0 })
    played.requests++
    if (provider.refuses(view.messages, prefix).length > 0) played.refused++
    played.shown += signedIn(view.messages)
    played.made += signedIn(history)
    if (forks > 0) messages[i] = otherAnswer(messages[i] as Message, forks)
    provider.answers(view.messages, messages[i] as Message, prefix)
    if (!is(0.02)) continue
    forks++
    i = Math.max(0, i - 2 - Math.floor(next() * 12))
  }
  return played
}

const presets: Record<string, Policy> = {
  rolling: rollingContext(),
  smart: smartRetention(),
  clear: clearOldToolUses({ trigger: { type: 'input_tokens', value: 20_000 } }),
  thrifty: cacheAware({ character: 'thrifty' }),
  balanced: cacheAware(),
  careful: cacheAware({ character: 'careful' }),
}

describe('law 20: a provider that binds reasoning refuses no request', () => {
  const messages = session(60)

  test.each(Object.keys(presets))('under %s, with binding set to bound, append-only or unknown', (name) => {
    const preset = presets[name] as Policy
    for (const binding of ['bound', 'append-only', 'unknown'] as const)
      expect(play(messages, { ...preset, binding }).refused).toBe(0)
  })

  test('when the policy derives the binding from the model', () => {
    const bound = play(messages, cacheAware(), { model: 'claude-opus-5-5' })
    expect(bound.refused).toBe(0)
    const whole = play(messages, { binding: 'bound' })
    expect(bound.tokens).toBeLessThan(whole.tokens / 2)
    // The preset takes the demand from the model.
    const known = play(messages, cacheAware({ model: 'anthropic/claude-sonnet-5.5' }))
    expect(known.refused).toBe(0)
    expect(known.tokens).toBeLessThan(whole.tokens / 2)
    // The provider does refuse when the policy does not know that the model binds.
    expect(play(messages, cacheAware(), { model: 'claude-opus-4-5' }).refused).toBeGreaterThan(10)
    expect(play(messages, cacheAware(), { model: 'gpt-6' }).refused).toBeGreaterThan(10)
  })

  test('after the system prompt or the model changes', () => {
    const prefixOf = (request: number) => (request < 30 ? 'one' : 'two')
    expect(play(messages, presets.balanced as Policy, {}, 7, prefixOf).refused).toBe(0)
    const context = new Context({ binding: 'bound' }, { model: 'claude-opus-5-5' })
    const history = messages.slice(0, 9)
    expect(signedIn(context.project(history).messages)).toBe(4)
    expect(signedIn(context.project(history, { model: 'claude-sonnet-5-5' }).messages)).toBe(0)
    expect(signedIn(context.project(messages.slice(0, 11)).messages)).toBe(1)
  })

  test('after the host changes the history', () => {
    const context = new Context(rollingContext(), { model: 'claude-opus-5-5' })
    context.project(messages.slice(0, 9))
    const other = messages.slice(0, 9)
    const result = { type: 'tool_result', tool_use_id: 't0', content: 'another' }
    other[2] = { role: 'user', content: [result] }
    expect(signedIn(context.project(other).messages)).toBe(1)
  })
})

describe('report of a history with signed reasoning', () => {
  const messages = session(12)

  test('lists reasoning that follows edited messages in `unbound` if the policy keeps it', () => {
    const context = new Context({ ...rollingContext(), reasoning: 'keep' }, { model: 'claude-opus-5-5' })
    const { messages: view, report } = context.project(messages)
    expect(report.unbound).toEqual(
      [3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23].map((i) => `messages.${i}.content.0`),
    )
    expect(signedIn(view)).toBe(12)
    expect(report.waiting).toBeNull()
  })

  test('lists what a binding model would refuse in `unbound` if project has no state', () => {
    const { report } = project(messages, rollingContext())
    expect(report.unbound).toHaveLength(11)
    expect(project(messages, {}).report.unbound).toEqual([])
    expect(JSON.parse(JSON.stringify(report))).toMatchObject({ waiting: null })
  })

  test('explains in `waiting` that a batch waits for the next prompt if the model is unknown', () => {
    const context = new Context(rollingContext())
    const waiting = context.project(messages)
    expect(waiting.report.edits).toEqual([])
    expect(waiting.report.unbound).toEqual([])
    expect(waiting.report.waiting).toContain('Name the model')
    expect(waiting.report.explain(2)[0]).toMatchObject({
      pass: null,
      reason: expect.stringContaining('waits'),
    })
    expect(waiting.report.explain(24)[0]?.reason).not.toContain('waits')
    const asked = [...messages, { role: 'assistant', content: [{ type: 'text', text: 'done' }] }]
    const next = context.project([...asked, { role: 'user', content: 'go on' }])
    expect(next.report.waiting).toBeNull()
    expect(next.report.edits.length).toBeGreaterThan(5)
  })

  test.each([
    ['claude-opus-5-5', 'bound'],
    ['anthropic/claude-fable-5.1', 'bound'],
    ['claude-opus-5', 'required'],
    ['anthropic/claude-sonnet-5', 'required'],
    ['claude-fable-5-20260801', 'required'],
    ['claude-haiku-5-5', 'required'],
    ['claude-sonnet-4-5', 'required'],
    ['gpt-5.4', 'free'],
    // A later one may be bound.
    ['claude-opus-5-6', 'unknown'],
    ['claude-opus-6', 'unknown'],
  ])('knows that %s is %s', (model, binding) => {
    if (binding !== 'unknown') expect(cacheAware({ model }).binding).toBe(binding)
    const { waiting } = new Context(rollingContext(), { model }).project(messages).report
    expect(waiting === null).toBe(binding !== 'unknown')
  })

  test('says nothing in `waiting` if no result could be cleared', () => {
    for (const policy of [
      {},
      { reasoning: 'append-only' as const },
      { ephemeral: true },
      { exclude: ['t0'] },
    ])
      expect(new Context(policy).project(messages).report.waiting).toBeNull()
    expect(new Context(rollingContext()).project(messages.slice(0, 2)).report.waiting).toBeNull()
    const kept = { ...rollingContext(), protect: { tools: ['*'] } }
    expect(new Context(kept).project(messages).report.waiting).toBeNull()
  })
})

test('nothing waits for reasoning that the policy drops', () => {
  const history: Message[] = [{ role: 'user', content: 'Fix it.' }]
  for (let k = 0; k < 8; k++) {
    const thinking = { type: 'thinking', thinking: 'hm', signature: `s${k}` }
    const call = { type: 'tool_use', id: `t${k}`, name: 'bash', input: { command: 'make' } }
    const result = { type: 'tool_result', tool_use_id: `t${k}`, content: `warning ${k}\n`.repeat(200) }
    history.push({ role: 'assistant', content: [thinking, call] }, { role: 'user', content: [result] })
  }
  history.push(
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    { role: 'user', content: 'Next.' },
  )
  const context = new Context({ budget: { maxTokens: 2000 }, binding: 'append-only', reasoning: 'drop' })
  const first = context.project(history)
  expect(first.report.fits).toBe(true)
  expect(context.project(history).messages).toEqual(first.messages)
})

const recent = { type: 'tool_uses', value: 1 } as const
test.each([
  ['the budget', { ephemeral: true, budget: { maxTokens: 5000 } }],
  [
    'the age of results',
    { ...clearOldToolUses({ trigger: { ...recent, value: 3 }, keep: recent }), ephemeral: true },
  ],
] as [string, Policy][])(
  'no edit of %s waits for reasoning that the same view removes, as an ephemeral result before it is gone',
  (_, policy) => {
    const big = 'a line of the log\n'.repeat(300)
    const step = (id: string, signature: string | null, content: string, fields: object = {}) => [
      {
        role: 'assistant',
        content: [
          ...(signature === null ? [] : [{ type: 'thinking', thinking: 'hm '.repeat(20), signature }]),
          { type: 'tool_use', id, name: 'bash', input: { command: id } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] as object[], ...fields },
    ]
    const history = [
      { role: 'user', content: 'go' },
      ...step('a', null, big),
      ...step('e', null, big, { metadata: { ephemeral: true } }),
      ...step('b', null, big),
      ...step('c', 's', 'ok'),
    ]
    const context = new Context(policy, { format: 'anthropic' })
    for (const length of [1, 3, 5, 7, 9]) context.project(history.slice(0, length))
    // The user steers the agent between two steps, which ends the turn of ephemeral results.
    const last = history[8] as { content: object[] }
    const steered = { ...last, content: [...last.content, { type: 'text', text: 'do this: '.repeat(1000) }] }
    const grown = [...history.slice(0, 8), steered]
    const first = context.project(grown)
    expect([first.report.waiting, first.report.fits]).toEqual([null, policy.budget ? true : null])
    expect(context.project(grown).messages).toEqual(first.messages)
  },
)

test('the state records each request of a growing AI SDK message, and is that of its own projection when read later', () => {
  const context = new Context({ ...rollingContext({ maxToolOutputAge: 1 }), binding: 'bound' })
  const part = (i: number) => ({
    type: 'tool-bash',
    toolCallId: `t${i}`,
    state: 'output-available',
    input: { command: 'make' },
    output: `line ${i}\n`.repeat(900),
  })
  const thinking = (i: number) => ({
    type: 'reasoning',
    text: 'hm',
    providerMetadata: { anthropic: { signature: `s${i}` } },
  })
  const prompt = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }] }
  const states = Array.from({ length: 6 }, (_, steps) => {
    const parts = Array.from({ length: steps }, (_, i) => [
      { type: 'step-start' },
      thinking(i),
      part(i),
    ]).flat()
    return context.project([prompt, ...(steps === 0 ? [] : [{ id: 'a', role: 'assistant', parts }])])
  })
  expect(states.at(-1)?.state.sent?.requests).toHaveLength(6)
  expect(states.at(-1)?.report.edits.length).toBeGreaterThan(2)

  const messages = session(6)
  const late = new Context(rollingContext({ maxToolOutputAge: 1 }), { model: 'claude-opus-5-5' })
  const first = late.project(messages.slice(0, 9))
  late.project(messages.slice(0, 11))
  expect(first.state.sent?.requests).toHaveLength(1)
})

const SEED = Number(process.env.TRIMTAB_SEED ?? 1)
const data = new URL('../../../shared/data/', import.meta.url)
if (!existsSync(data)) console.log('real sessions: skipped, ../shared/data is not there')

describe.skipIf(!existsSync(data))('real sessions (skipped where ../shared/data is not there)', () => {
  const files = existsSync(data)
    ? readdirSync(data).filter((name) => /jsonl|messages\.json|traj$/.test(name))
    : []

  test.each(files)('a provider that binds reasoning refuses no request: %s', (name) => {
    const read = readTranscript(readFileSync(new URL(name, data), 'utf8'))
    const { messages } = convertMessages(read.messages, 'anthropic')
    const thinking = withThinking(messages as Message[])
    for (const [preset, policy] of Object.entries(presets)) {
      expect([preset, play(thinking, { ...policy, binding: 'bound' }, {}, 50).refused]).toEqual([preset, 0])
    }
    expect(play(thinking, presets.balanced as Policy, {}, 50).refused).toBe(0)
  })

  test.each(files)(
    'a provider that binds reasoning refuses no request after random saves, forks and restarts: %s',
    (name) => {
      const read = readTranscript(readFileSync(new URL(name, data), 'utf8'))
      const { messages } = convertMessages(read.messages, 'anthropic')
      const thinking = withThinking(messages as Message[])
      Object.entries(presets).forEach(([preset, policy], i) => {
        // Testing all three for each preset takes minutes, so that needs an explicit seed.
        const every = ['bound', 'append-only', 'unknown'] as const
        for (const binding of process.env.TRIMTAB_SEED === undefined ? [every[i % 3] as Demand] : every) {
          const { refused, shown, made } = playAtRandom(thinking, { ...policy, binding }, SEED + i)
          expect([preset, binding, refused]).toEqual([preset, binding, 0])
          if (binding === 'append-only') expect(shown / made).toBeGreaterThan(0.1)
        }
      })
    },
  )
})

test('a LangChain message that loses its only part, the reasoning beside its calls, keeps an empty text', () => {
  const answer = (id: string) => ({
    type: 'ai',
    content: [{ type: 'thinking', thinking: `Look at ${id}.`, signature: id }],
    tool_calls: [{ id, name: 'bash', args: {} }],
  })
  const result = (id: string) => ({
    type: 'tool',
    tool_call_id: id,
    content: `a line of ${id}\n`.repeat(100),
  })
  const context = new Context({ age: { maxToolOutputAge: 0 } }, { model: 'claude-opus-5-5' })
  const history: object[] = [{ type: 'human', content: 'Go on.' }]
  for (const id of ['a', 'b', 'c']) {
    history.push(answer(id), result(id))
    const { messages } = context.project(history)
    expect(validate(messages, { format: 'langchain' })).toEqual([])
  }
  const { messages } = context.project(history)
  expect(
    messages.map((message) => 'tool_calls' in message && 'content' in message && message.content),
  ).toContain('')
})
