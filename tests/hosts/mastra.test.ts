// Mastra's agents against a strict provider on this machine.
import { clearOldToolUses } from 'trimtab'
import { trimtab } from 'trimtab/mastra'
import { describe, expect, test } from 'vitest'
import { expectTurns } from '../frameworks/expectations.js'
import { fileText, type Provider, STEPS } from '../frameworks/provider.js'
import { Agent } from './packages/node_modules/@mastra/core/dist/agent/index.js'
import type { InputProcessor } from './packages/node_modules/@mastra/core/dist/processors/index.js'
import { createTool } from './packages/node_modules/@mastra/core/dist/tools/index.js'

type Trim = ReturnType<typeof trimtab>

const instructions = 'You read files.'
const prompt = (thread: string) => `${thread}: read all files`
const options = { maxSteps: STEPS + 2 }

function agentOf(provider: Provider, trim: Trim, thread: string): Agent {
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
    tools: { read_file, recall: createTool(trim.recall) },
    inputProcessors: [trim.processor],
  })
}

/** Each way of use: plays a turn, and gives the messages that it added. */
const WAYS: Record<string, (agent: Agent, thread: string) => Promise<object[]>> = {
  generate: async (agent, thread) => (await agent.generate(prompt(thread), options)).response.messages ?? [],
  stream: async (agent, thread) => {
    const { response } = await (await agent.stream(prompt(thread), options)).getFullOutput()
    return response.messages ?? []
  },
}

describe.each(Object.entries(WAYS))('%s', (_, play) => {
  test('60 steps of two threads at once', () =>
    expectTurns(
      trimtab,
      async ({ provider, thread, trim }) => [
        { role: 'user', content: prompt(thread) },
        ...(await play(agentOf(provider, trim, thread), thread)),
      ],
      { system: instructions },
    ))
})

test('the parts fit the types of the framework', () => {
  using trim = trimtab(clearOldToolUses())
  const processor: InputProcessor = trim.processor
  expect([processor, createTool(trim.recall)].every(Boolean)).toBe(true)
})
