// Both major versions of the AI SDK against a strict local provider.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import * as ai7 from 'ai'
import * as ai6 from 'ai-6'
import { createOpenAICompatible as createOpenAICompatible2 } from 'openai-compatible-2'
import { clearOldToolUses } from 'trimtab'
import { trimtab } from 'trimtab/ai-sdk'
import { describe, expect, test } from 'vitest'
import { expectTurn, expectTurns, POLICY, type Turn as TurnOf } from './expectations.js'
import { fileText, Provider, STEPS } from './provider.js'

type Turn = TurnOf<ReturnType<typeof trimtab>>

const schema = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const } },
  required: ['path'],
}
const prompt = (thread: string) => `${thread}: read all files`
const settings = (provider: Provider) => ({
  name: 'local',
  baseURL: provider.address,
  apiKey: 'none',
  includeUsage: true,
})
const limits = { maxRetries: 2, system: 'You read files.' }

function tools7({ thread, trim }: Turn) {
  const execute = ({ path }: { path: string }) => fileText(thread, path)
  const read_file = ai7.tool({ inputSchema: ai7.jsonSchema<{ path: string }>(schema), execute })
  return { read_file, ...trim.tools }
}
function tools6({ thread, trim }: Turn) {
  const execute = ({ path }: { path: string }) => fileText(thread, path)
  const read_file = ai6.tool({ inputSchema: ai6.jsonSchema<{ path: string }>(schema), execute })
  return { read_file, ...trim.tools }
}
const model7 = ({ provider }: Turn) => createOpenAICompatible(settings(provider))('m')
const model6 = ({ provider }: Turn) => createOpenAICompatible2(settings(provider))('m')
const wrapped7 = (turn: Turn) =>
  ai7.wrapLanguageModel({ model: model7(turn), middleware: turn.trim.middleware })
const wrapped6 = (turn: Turn) =>
  ai6.wrapLanguageModel({ model: model6(turn), middleware: turn.trim.middlewareV3 })
const common7 = (turn: Turn) => ({ ...limits, tools: tools7(turn), stopWhen: ai7.stepCountIs(STEPS + 2) })
const common6 = (turn: Turn) => ({ ...limits, tools: tools6(turn), stopWhen: ai6.stepCountIs(STEPS + 2) })

/**
 * Ways to use the adapter: each plays a turn and returns the messages that the application holds after it.
 */
const WAYS: Record<string, (turn: Turn, messages: ai7.ModelMessage[]) => Promise<object[]>> = {
  'ai 7, middleware, generateText': async (turn, messages) =>
    (await ai7.generateText({ ...common7(turn), model: wrapped7(turn), messages })).responseMessages,
  'ai 7, middleware, streamText': async (turn, messages) =>
    await ai7.streamText({ ...common7(turn), model: wrapped7(turn), messages }).responseMessages,
  'ai 7, prepareStep, streamText': async (turn, messages) => {
    const { prepareStep } = turn.trim
    return await ai7.streamText({ ...common7(turn), model: model7(turn), messages, prepareStep })
      .responseMessages
  },
  'ai 7, prepareStep, ToolLoopAgent': async (turn, messages) => {
    const { system: instructions, ...common } = common7(turn)
    const { prepareStep } = turn.trim
    const agent = new ai7.ToolLoopAgent({ ...common, instructions, model: model7(turn), prepareStep })
    return (await agent.generate({ messages })).responseMessages
  },
  'ai 6, middleware, generateText': async (turn, messages) =>
    (
      await ai6.generateText({
        ...common6(turn),
        model: wrapped6(turn),
        messages: messages as ai6.ModelMessage[],
      })
    ).response.messages,
  'ai 6, middleware, streamText': async (turn, messages) => {
    const result = ai6.streamText({
      ...common6(turn),
      model: wrapped6(turn),
      messages: messages as ai6.ModelMessage[],
    })
    return (await result.response).messages
  },
  'ai 6, prepareStep, generateText': async (turn, messages) => {
    const { prepareStep } = turn.trim
    const given = messages as ai6.ModelMessage[]
    const settings = { ...common6(turn), model: model6(turn), prepareStep, messages: given }
    return (await ai6.generateText(settings)).response.messages
  },
}

describe.each(Object.entries(WAYS))('%s', (_, play) => {
  test('two threads at once run 60 steps without a refused request', () =>
    expectTurns(
      trimtab,
      async (turn) => {
        const first: ai7.ModelMessage[] = [{ role: 'user', content: prompt(turn.thread) }]
        return [...first, ...(await play(turn, first))]
      },
      { system: limits.system },
    ))
})

describe('a failing request of the AI SDK', () => {
  test('is retried unchanged after server errors', async () => {
    await using provider = await new Provider().start()
    using trim = trimtab(POLICY)
    const turn = { provider, thread: 'thread-one', trim }
    provider.failures.push(500, 503)
    const messages: ai7.ModelMessage[] = [{ role: 'user', content: prompt(turn.thread) }]
    const stopWhen = ai7.stepCountIs(1)
    const result = await ai7.generateText({ ...common7(turn), model: wrapped7(turn), messages, stopWhen })
    expect(result.text).toBe('Step 0.')
    expect(provider.accounts.get(turn.thread)?.requests).toBe(1)
  }, 20_000)

  test('that is ended by an abort leaves the conversation unchanged', async () => {
    await using provider = await new Provider().start()
    using trim = trimtab(POLICY)
    const turn = { provider, thread: 'thread-one', trim }
    provider.hangs = 1
    const messages: ai7.ModelMessage[] = [{ role: 'user', content: prompt(turn.thread) }]
    const abort = new AbortController()
    const result = ai7.streamText({
      ...common7(turn),
      model: wrapped7(turn),
      messages,
      abortSignal: abort.signal,
      onError: () => {},
    })
    for await (const text of result.textStream) if (text !== '') abort.abort()
    messages.push(
      ...((await (WAYS['ai 7, middleware, streamText'] as (typeof WAYS)[string])(
        turn,
        messages,
      )) as ai7.ModelMessage[]),
    )
    expectTurn(messages, turn.thread, provider, limits.system)
  })
})

test('trim.view gives a route handler the view of messages from `useChat`', async () => {
  using trim = trimtab(
    clearOldToolUses({ trigger: { type: 'tool_uses', value: 3 }, keep: { type: 'tool_uses', value: 1 } }),
  )
  const part = (i: number): ai7.UIMessage['parts'][number] => ({
    type: 'tool-read_file',
    toolCallId: `c${i}`,
    state: 'output-available',
    input: { path: `src/${i}.ts` },
    output: fileText('thread-one', `src/${i}.ts`),
  })
  const messages: ai7.UIMessage[] = [
    { id: 'u', role: 'user', parts: [{ type: 'text', text: prompt('thread-one') }] },
    { id: 'a', role: 'assistant', parts: [0, 1, 2, 3].map(part) },
    { id: 'v', role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
  ]
  const before = structuredClone(messages)
  const view = trim.view(messages, { id: 'chat-1' })
  const sent = JSON.stringify(await ai7.convertToModelMessages(view))
  expect(sent.match(/recall [0-9a-f]{8}/g)).toHaveLength(3)
  expect(messages).toEqual(before)
  const reference = /recall ([0-9a-f]{8})/.exec(sent)?.[1] as string
  expect(trim.tools.recall.execute({ reference }, { messages: view })).toBe(
    fileText('thread-one', 'src/0.ts'),
  )
})

test('the adapter fits the types of AI SDK 6 and 7', () => {
  using trim = trimtab()
  const v4: ai7.LanguageModelMiddleware = trim.middleware
  const v3: ai6.LanguageModelMiddleware = trim.middlewareV3
  const step7: ai7.PrepareStepFunction<ai7.ToolSet> = trim.prepareStep
  const step6: ai6.PrepareStepFunction = trim.prepareStep
  const set7: ai7.ToolSet = trim.tools
  const set6: ai6.ToolSet = trim.tools
  expect([v4, v3, step7, step6, set7, set6].every(Boolean)).toBe(true)
})
