// Mastra's agents against a strict local provider.
import { createAnthropic } from '@ai-sdk/anthropic'
import { clearOldToolUses } from 'trimtab'
import { trimtab } from 'trimtab/mastra'
import { describe, expect, test } from 'vitest'
import {
  type BoundWay,
  bashOutput,
  buildPrompt,
  expectBoundThreads,
  expectFreeRefused,
  expectTurnAfterAbort,
  expectTurns,
  POLICY,
} from '../frameworks/expectations.js'
import { fileText, Provider, STEPS } from '../frameworks/provider.js'
import { Agent } from './packages/node_modules/@mastra/core/dist/agent/index.js'
import type { InputProcessor } from './packages/node_modules/@mastra/core/dist/processors/index.js'
import { createTool } from './packages/node_modules/@mastra/core/dist/tools/index.js'

type Trim = ReturnType<typeof trimtab>

const instructions = 'You read files.'
const prompt = (thread: string) => `${thread}: read all files`
const options = { maxSteps: STEPS + 2 }

function agentOf(provider: Provider, trim: Trim, thread: string, recall = 'recall'): Agent {
  const read_file = createTool({
    id: 'read_file',
    description: 'Reads.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    execute: (args) => Promise.resolve(fileText(thread, (args as { path: string }).path)),
  })
  return new Agent({
    id: 'reader',
    name: 'reader',
    instructions,
    model: { id: 'local/m', url: provider.address, apiKey: 'none' },
    tools: { read_file, ...(recall === '' ? {} : { [recall]: createTool(trim.recall) }) },
    inputProcessors: [trim.processor],
    maxRetries: 3,
  })
}

/** Ways to use the adapter: each plays a turn and returns the messages that it added. */
const WAYS: Record<string, (agent: Agent, thread: string) => Promise<object[]>> = {
  generate: async (agent, thread) => (await agent.generate(prompt(thread), options)).response.messages ?? [],
  stream: async (agent, thread) => {
    const { response } = await (await agent.stream(prompt(thread), options)).getFullOutput()
    return response.messages ?? []
  },
}

describe.each(Object.entries(WAYS))('agent.%s of Mastra', (_, play) => {
  test('two threads at once run 60 steps without a refused request', () =>
    expectTurns(
      trimtab,
      async ({ provider, thread, trim }) => [
        { role: 'user', content: prompt(thread) },
        ...(await play(agentOf(provider, trim, thread), thread)),
      ],
      { system: instructions },
    ))
})

test('`recall` may have another name', () =>
  expectTurns(
    trimtab,
    async ({ provider, thread, trim }) => {
      const agent = agentOf(provider, trim, thread, 'get_back')
      const { response } = await agent.generate(prompt(thread), options)
      return [{ role: 'user', content: prompt(thread) }, ...(response.messages ?? [])]
    },
    { system: instructions, recall: 'get_back' },
  ))

test('Mastra gives a warning if its agent has tools without `recall`', async () => {
  await using provider = await new Provider().start()
  const warnings: string[] = []
  using trim = trimtab(POLICY, { onWarning: ({ code }) => warnings.push(code) })
  const agent = agentOf(provider, trim, 'thread-one', '')
  await agent.generate(prompt('thread-one'), options)
  expect(warnings).toEqual(['no_recall'])
})

test('a stream ended by an abort leaves the conversation unchanged', () =>
  expectTurnAfterAbort(
    trimtab,
    async ({ provider, thread, trim }, controller) => {
      const agent = agentOf(provider, trim, thread)
      const { fullStream } = await agent.stream(prompt(thread), {
        ...options,
        abortSignal: controller.signal,
      })
      for await (const { type } of fullStream) if (type === 'text-delta') controller.abort()
    },
    async ({ provider, thread, trim }) => [
      { role: 'user', content: prompt(thread) },
      ...(await (WAYS.stream as (typeof WAYS)[string])(agentOf(provider, trim, thread), thread)),
    ],
    instructions,
  ))

describe('Mastra with a provider that binds thinking to all earlier messages', () => {
  const way: BoundWay = (address, policy) => async (thread) => {
    using trim = trimtab(policy)
    const bash = createTool({
      id: 'bash',
      description: 'Runs a command.',
      inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
      execute: (args) => Promise.resolve(bashOutput(args)),
    })
    const agent = new Agent({
      id: 'mender',
      name: 'mender',
      instructions: 'You mend builds.',
      // Mastra's type requires the result of `doStream` from `doGenerate` too, although it calls each for its
      // own result.
      model: createAnthropic({ apiKey: 'none', baseURL: `${address}/v1` })('claude-opus-5-5') as never,
      tools: { bash },
      inputProcessors: [trim.processor],
      maxRetries: 0,
    })
    const providerOptions = { anthropic: { thinking: { type: 'adaptive' as const } } }
    await agent.generate(buildPrompt(thread), { ...options, providerOptions })
  }

  test('runs 60 steps: nothing is refused, results are cleared, and thinking is sent', () =>
    expectBoundThreads(way, ['thread-one']))

  test("has a request refused with binding: 'free'", () => expectFreeRefused(way))
})

test('the adapter fits the types of Mastra', () => {
  using trim = trimtab(clearOldToolUses())
  const processor: InputProcessor = trim.processor
  expect([processor, createTool(trim.recall)].every(Boolean)).toBe(true)
})

test('recall returns an image as an image', async () => {
  using trim = trimtab({
    ...clearOldToolUses({ trigger: { type: 'tool_uses', value: 1 }, keep: { type: 'tool_uses', value: 0 } }),
    recall: true,
  })
  const value = [{ type: 'file-data', data: 'iVBO'.repeat(900), mediaType: 'image/png' }]
  const output = { type: 'content', value }
  const use = (id: string) => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'look', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'look', output }] },
  ]
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'book' }] }, ...use('a'), ...use('b')]
  const state = {}
  const sent = JSON.stringify(trim.processor.processLLMRequest({ prompt, model: { modelId: 'm' }, state }))
  expect(sent).not.toContain('iVBO')
  const call = { type: 'tool-call', payload: { toolName: 'recall', toolCallId: 'r' } }
  trim.processor.processLLMResponse({ chunks: [call], state, fromCache: false })
  const recall = createTool(trim.recall)
  const reference = /recall ([0-9a-f]{8})/.exec(sent)?.[1] ?? ''
  const answer = await trim.recall.execute({ reference }, { agent: { toolCallId: 'r' } })
  expect(recall.toModelOutput?.(answer as never)).toEqual(output)
})
