// AI SDK 7 passes the view of a step to the next step. Other requests of the same conversation may come between them.
import { generateText, type ModelMessage, stepCountIs, streamText, tool } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { cacheAware, type Policy, rollingContext } from 'trimtab'
import { trimtab } from 'trimtab/ai-sdk'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

type Trim = ReturnType<typeof trimtab>
/** A call of a model; `at` is the number of calls before it. */
type Call = (at: number, reference: string | undefined) => { toolName: string; input: object } | undefined

const POLICY: Policy = { ...rollingContext(), recall: true }
const textOf = (name: string) => `output ${name}\n`.repeat(300)
const bash = tool({ inputSchema: z.object({ name: z.string() }), execute: ({ name }) => textOf(name) })
const usage = {
  inputTokens: { total: 5000, noCache: 5000, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

const stepOf = (name: string): Call =>
  function next(at, reference) {
    if (at === 18) return undefined
    if (reference !== undefined && at % 3 === 2) return { toolName: 'recall', input: { reference } }
    return { toolName: 'bash', input: { name: `${name}${at}` } }
  }

/** A model that makes these calls, and remembers each answer that it got to a call of `recall`. */
function modelThat(call: Call, wait = 5) {
  const recalled: string[] = []
  let at = 0
  let reference: string | undefined
  const next = async (prompt: readonly object[]) => {
    await new Promise((later) => setTimeout(later, wait))
    const last = prompt.at(-1) as { content: { toolName?: string; output?: { value: unknown } }[] }
    for (const part of last.content) if (part.toolName === 'recall') recalled.push(String(part.output?.value))
    reference ??= /recall (\w{8})/.exec(JSON.stringify(prompt))?.[1]
    const made = call(at++, reference)
    return made && { ...made, toolCallId: `c${at}-${Math.trunc(wait)}` }
  }
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const made = await next(prompt)
      const part = made
        ? ({ type: 'tool-call', ...made, input: JSON.stringify(made.input) } as const)
        : ({ type: 'text', text: 'ok' } as const)
      const unified = made ? ('tool-calls' as const) : ('stop' as const)
      return { content: [part], finishReason: { unified, raw: 'x' }, usage, warnings: [] }
    },
    doStream: async ({ prompt }) => {
      const made = await next(prompt)
      const parts = made
        ? [{ type: 'tool-call' as const, ...made, input: JSON.stringify(made.input) }]
        : [
            { type: 'text-start' as const, id: '1' },
            { type: 'text-delta' as const, id: '1', delta: 'ok' },
            { type: 'text-end' as const, id: '1' },
          ]
      const unified = made ? ('tool-calls' as const) : ('stop' as const)
      const end = { type: 'finish' as const, finishReason: { unified, raw: 'x' }, usage }
      return {
        stream: simulateReadableStream({ chunks: [{ type: 'stream-start', warnings: [] }, ...parts, end] }),
      }
    },
  })
  return { model, recalled }
}

function expectWhole(recalled: readonly string[], least: number): void {
  expect(recalled.length).toBeGreaterThanOrEqual(least)
  for (const text of recalled) {
    const name = /^output (\S+)/.exec(text)?.[1] ?? ''
    expect(text).toBe(textOf(name))
  }
}

const called = (toolName: string, toolCallId: string): ModelMessage[] => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: { name: toolCallId } }] },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: textOf(toolCallId) } },
    ],
  },
]

const stored: ModelMessage[] = [
  { role: 'user', content: 'go' },
  ...Array.from({ length: 10 }, (_, at) => [
    ...called('bash', `h${at}`),
    ...(at % 3 === 1 ? called('note', `n${at}`) : []),
  ]).flat(),
  { role: 'assistant', content: 'done' },
  { role: 'user', content: 'and now?' },
]

const WAYS = {
  generateText: async (trim: Trim, model: MockLanguageModelV4, messages: ModelMessage[]) => {
    const { prepareStep } = trim
    const tools = { bash, ...trim.tools }
    await generateText({ model, messages, tools, prepareStep, stopWhen: stepCountIs(25) })
  },
  streamText: async (trim: Trim, model: MockLanguageModelV4, messages: ModelMessage[]) => {
    const { prepareStep } = trim
    const tools = { bash, ...trim.tools }
    await streamText({ model, messages, tools, prepareStep, stopWhen: stepCountIs(25) }).consumeStream()
  },
}

describe.each(Object.entries(WAYS))('%s', (_, send) => {
  test.each<[string, ModelMessage[], Policy]>([
    ['one prompt', [{ role: 'user', content: 'go' }], cacheAware({ window: 60_000 })],
    ['one stored history', stored, POLICY],
    ['one history of which calls are removed', stored, { ...POLICY, exclude: ['note'] }],
  ])('two runs at once with %s recall what they cleared', async (_, messages, policy) => {
    const trim = trimtab(policy)
    const [one, other] = [modelThat(stepOf('A'), 5), modelThat(stepOf('B'), 7)]
    await Promise.all([send(trim, one.model, messages), send(trim, other.model, messages)])
    expectWhole(one.recalled, 2)
    expectWhole(other.recalled, 2)
  })
})

test.each<[string, number, (messages: ModelMessage[]) => ModelMessage[]]>([
  ['asks a model about the conversation', 100, (all) => [...all, { role: 'user', content: 'What next?' }]],
  ['has another chat, and one is kept', 1, () => [{ role: 'user', content: 'another chat' }]],
])('a run whose tool %s recalls what it cleared', async (_, maxConversations, asked) => {
  const trim = trimtab(POLICY, { maxConversations })
  const { prepareStep } = trim
  const inner = modelThat(() => undefined)
  const advise = tool({
    inputSchema: z.object({}),
    execute: async (_, { messages }) =>
      (await generateText({ model: inner.model, messages: asked(messages), prepareStep })).text,
  })
  const { model, recalled } = modelThat((at, reference) =>
    at === 12 ? { toolName: 'advise', input: {} } : stepOf('A')(at, at < 13 ? undefined : reference),
  )
  const tools = { bash, advise, ...trim.tools }
  await generateText({ model, prompt: 'go', tools, prepareStep, stopWhen: stepCountIs(25) })
  expectWhole(recalled, 2)
})
