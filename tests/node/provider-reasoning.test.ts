import { isDeepStrictEqual } from 'node:util'
import {
  Context,
  cacheAware,
  clearOldToolUses,
  off,
  type Policy,
  rollingContext,
  smartRetention,
  validate,
} from 'trimtab'
import { describe, expect, test } from 'vitest'

/** Demands of providers on their reasoning, as in docs/explain/provider-reasoning.md, under every policy. */

type Message = Record<string, unknown>

const STEPS = 24
const LONG = 'one line of what a command printed\n'.repeat(400)

/** A session of runs of eight calls, each followed by a final answer and the next prompt. */
function session(
  prompt: Message,
  answer: Message,
  step: (i: number, input: object, name: string) => Message[],
) {
  const messages = [prompt]
  for (let i = 0; i < STEPS; i++) {
    const writes = i % 3 === 0
    const path = `src/file${i % 5}.ts`
    const input = writes ? { path, content: 'let x = 1\n'.repeat(120) } : { path }
    messages.push(...step(i, input, writes ? 'write_file' : 'read_file'))
    if (i % 8 === 7) messages.push({ ...answer }, { ...prompt })
  }
  return messages
}

const ephemeral = (i: number) => (i % 4 === 0 ? { metadata: { ephemeral: true } } : {})

/** Chat messages; `beside` gives fields of the answer, `signed` fields of its call. */
function chat(beside: (i: number) => Message, signed: (i: number) => Message = () => ({})) {
  const answer = { role: 'assistant', content: 'Done.', ...beside(99) }
  return session({ role: 'user', content: 'Go on.' }, answer, (i, input, name) => [
    {
      role: 'assistant',
      content: null,
      ...beside(i),
      tool_calls: [
        { id: `c${i}`, type: 'function', function: { name, arguments: JSON.stringify(input) }, ...signed(i) },
      ],
    },
    { role: 'tool', tool_call_id: `c${i}`, content: LONG, ...ephemeral(i) },
  ])
}

const gemini = session(
  { role: 'user', parts: [{ text: 'Go on.' }] },
  { role: 'model', parts: [{ text: 'Done.', thoughtSignature: 'c2ln' }] },
  (i, args, name) => [
    { role: 'model', parts: [{ functionCall: { name, args }, thoughtSignature: `sig${i}` }] },
    { role: 'user', parts: [{ functionResponse: { name, response: { output: LONG } } }], ...ephemeral(i) },
  ],
)

const responses = session(
  { role: 'user', content: 'Go on.' },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
  (i, input, name) => [
    { type: 'reasoning', id: `rs_${i}`, summary: [], encrypted_content: 'b3Bh' },
    {
      type: 'function_call',
      id: `fc_${i}`,
      call_id: `c${i}`,
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    },
    { type: 'function_call_output', call_id: `c${i}`, output: LONG, ...ephemeral(i) },
  ],
)

/** AI SDK messages with a provider's reasoning in the options of their parts. */
const aiSdk = (reasoning: (i: number) => Message[], call: (i: number) => Message) =>
  session(
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    (i, input, toolName) => [
      {
        role: 'assistant',
        content: [...reasoning(i), { type: 'tool-call', toolCallId: `c${i}`, toolName, input, ...call(i) }],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: `c${i}`, toolName, output: { type: 'text', value: LONG } },
        ],
      },
    ],
  )

const list = (value: unknown) => (Array.isArray(value) ? (value as Message[]) : [])
const callsOf = (messages: readonly Message[]) => messages.flatMap(({ tool_calls }) => list(tool_calls))

/** Whether all picked items are unchanged in the view, in order. */
const allOf = (pick: (messages: readonly Message[]) => unknown[]) => (view: Message[], history: Message[]) =>
  isDeepStrictEqual(pick(view), pick(history))

/** Whether every reasoning item precedes the item that it led to, and both are in the view, or neither. */
function pairs(view: Message[], history: Message[]): boolean {
  const led = new Map(history.map((item, i) => [item.id, history[i + 1]]))
  const before = new Map(history.map((item, i) => [item.id, history[i - 1]]))
  return view.every((item, i) => {
    if (item.type === 'reasoning')
      return view[i + 1]?.id === led.get(item.id)?.id && item.encrypted_content === 'b3Bh'
    return item.type !== 'function_call' || view[i - 1]?.id === before.get(item.id)?.id
  })
}

const reasoningOfCalls = allOf((messages) =>
  messages.filter((message) => message.tool_calls).map((message) => message.reasoning_content),
)
const partsOfCalls = allOf((messages) =>
  messages
    .map(({ content }) => list(content))
    .filter((parts) => parts.some(({ type }) => type === 'tool-call'))
    .flatMap((parts) => parts.filter(({ type }) => type === 'reasoning')),
)

interface Provider {
  name: string
  model: string
  history: Message[]
  /** Whether a view of a history meets the provider's demand. */
  holds: (view: Message[], history: Message[]) => boolean
  /**
   * A manual edit of the history at its last call that breaks the demand, and the rule that `validate`
   * reports.
   */
  broken?: { by: (history: Message[]) => Message[]; rule: string }
}

/** The history up to the result of its last call, with a change of the answer that makes the call. */
const atLastCall = (change: (answer: Message) => Message) => (history: Message[]) =>
  history
    .slice(0, -2)
    .map((message, i, all) => (i === all.length - 2 ? change(structuredClone(message) as Message) : message))

const without =
  (key: string) =>
  ({ [key]: _, ...rest }: Message): Message =>
    rest

const text = { by: atLastCall(without('reasoning_content')), rule: 'reasoning-missing' }
const withoutSignature = (list: 'parts' | 'tool_calls', key: string) =>
  atLastCall((answer) => ({ ...answer, [list]: (answer[list] as Message[]).map(without(key)) }))

const providers: Provider[] = [
  {
    name: 'Gemini',
    model: 'gemini-3-pro-preview',
    history: gemini,
    holds: allOf((messages) =>
      messages.flatMap(({ parts }) => list(parts)).filter((part) => part.thoughtSignature),
    ),
    broken: { by: withoutSignature('parts', 'thoughtSignature'), rule: 'reasoning-missing' },
  },
  {
    name: 'Gemini, OpenAI-compatible',
    model: 'google/gemini-3.1-pro',
    history: chat(
      () => ({}),
      (i) => ({ extra_content: { google: { thought_signature: `sig${i}` } } }),
    ),
    holds: allOf(callsOf),
    broken: { by: withoutSignature('tool_calls', 'extra_content'), rule: 'reasoning-missing' },
  },
  {
    name: 'OpenAI Responses',
    model: 'gpt-6',
    history: responses,
    holds: pairs,
    broken: {
      // The call and its result are removed, but the reasoning stays.
      by: (history) => history.filter(({ call_id }) => call_id !== `c${STEPS - 1}`).slice(0, -2),
      rule: 'reasoning-last',
    },
  },
  {
    name: 'DeepSeek',
    model: 'deepseek-v4-pro',
    history: chat((i) => ({ reasoning_content: `thought ${i}` })),
    holds: reasoningOfCalls,
    broken: text,
  },
  {
    name: 'Moonshot',
    model: 'moonshotai/kimi-k2.6',
    history: chat((i) => ({ reasoning_content: `thought ${i}` })),
    holds: reasoningOfCalls,
    broken: text,
  },
  // These are not refused without it, but their documentation asks for it.
  ...['glm-5', 'qwen3.7-max'].map((model) => ({
    name: model,
    model,
    history: chat((i) => ({ reasoning_content: `thought ${i}` })),
    holds: reasoningOfCalls,
  })),
  {
    name: 'DeepSeek in the AI SDK',
    model: 'deepseek-v4-pro',
    history: aiSdk(
      (i) => [{ type: 'reasoning', text: `thought ${i}` }],
      () => ({}),
    ),
    holds: partsOfCalls,
  },
  {
    name: 'OpenAI in the AI SDK',
    model: 'gpt-6',
    history: aiSdk(
      (i) => [
        {
          type: 'reasoning',
          text: '',
          providerOptions: { openai: { itemId: `rs_${i}`, reasoningEncryptedContent: 'b3Bh' } },
        },
      ],
      (i) => ({ providerOptions: { openai: { itemId: `fc_${i}` } } }),
    ),
    holds: (view, history) =>
      partsOfCalls(view, history) &&
      allOf((messages) =>
        messages.flatMap(({ content }) => list(content)).filter(({ type }) => type === 'tool-call'),
      )(view, history),
  },
  {
    name: 'Gemini in the AI SDK',
    model: 'gemini-3-pro-preview',
    history: aiSdk(
      () => [],
      (i) => ({ providerOptions: { google: { thoughtSignature: `sig${i}` } } }),
    ),
    holds: allOf((messages) =>
      messages.flatMap(({ content }) => list(content)).filter(({ type }) => type === 'tool-call'),
    ),
  },
]

const policies: [string, Policy][] = [
  ['off', off()],
  ['cacheAware', cacheAware()],
  ['clearOldToolUses', clearOldToolUses({ trigger: { type: 'input_tokens', value: 10_000 } })],
  ['rollingContext', rollingContext()],
  ['smartRetention', smartRetention()],
  ['a budget', { budget: { maxTokens: 10_000 } }],
  ['inputs', { inputs: { after: 0, maxChars: 64 } }],
  ['clearToolInputs', { clear: { trigger: { type: 'tool_uses', value: 3 }, clearToolInputs: true } }],
  ['ephemeral calls removed', { ephemeral: { mode: 'remove', when: 'now' } }],
  ['reasoning dropped', { reasoning: 'drop' }],
  ['reasoning append-only', { reasoning: 'append-only', age: { maxToolOutputAge: 1 } }],
]

describe.each(providers)('$name', ({ model, history, holds, broken }) => {
  test.each(policies)('keeps the reasoning that it requires under %s', (_, policy) => {
    for (const named of [{}, { model }]) {
      const context = new Context(policy, named)
      for (let length = 1; length <= history.length; length++) {
        const sent = history.slice(0, length)
        const { messages } = context.project(sent)
        // A history with an unanswered call is not sent as a request.
        if (validate(sent).length > 0) continue
        expect(holds(messages as Message[], sent), `request of ${length} messages`).toBe(true)
        if (length === history.length) expect(validate(messages, { model })).toEqual([])
      }
    }
  })

  test('makes histories that are valid, and whose results are cleared', () => {
    expect(validate(history, { model })).toEqual([])
    const context = new Context(smartRetention(), { model })
    expect(context.project(history).report.edits.length).toBeGreaterThan(4)
  })

  test.runIf(broken)('has required reasoning, which validate reports if a host breaks it', () => {
    const by = broken?.by(history) ?? []
    expect(validate(by, { model }).map(({ rule }) => rule)).toEqual([broken?.rule])
  })
})

test('validate requires no reasoning for other models', () => {
  const history = chat(() => ({}))
  expect(validate(history)).toEqual([])
  for (const model of ['gpt-6', 'claude-opus-5-5', 'glm-5', 'kimi-k2-0905-preview', 'my-model'])
    expect(validate(history, { model })).toEqual([])
})

test('validate requires a signature of Gemini only in the current turn, on the first of parallel calls', () => {
  const signed = { functionCall: { name: 'ls', args: {} }, thoughtSignature: 'c2ln' }
  const { thoughtSignature: _, ...bare } = signed
  const prompt = { role: 'user', parts: [{ text: 'Go on.' }] }
  const response = { functionResponse: { name: 'ls', response: { output: '' } } }
  const turn = (...parts: object[]) => [
    prompt,
    { role: 'model', parts },
    { role: 'user', parts: parts.map(() => response) },
  ]
  const rules = (messages: object[]) =>
    validate(messages, { model: 'gemini-4-argon' }).map(({ index, block, rule }) => [index, block, rule])
  expect(rules(turn(signed, bare))).toEqual([])
  expect(rules([...turn(bare), { role: 'model', parts: [{ text: 'Done.' }] }, ...turn(signed)])).toEqual([])
  expect(rules(turn(bare, signed)).map(([index, , rule]) => [index, rule])).toEqual([
    [1, 'reasoning-missing'],
  ])
})
