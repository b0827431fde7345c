// The OpenAI Agents SDK over the AI SDK's Anthropic provider, against a local provider that binds thinking to
// everything sent before it.
import { createAnthropic } from '@ai-sdk/anthropic'
import { trimtab } from 'trimtab/openai-agents'
import { expect, test } from 'vitest'
import { AnthropicProvider, BOUND } from '../frameworks/anthropic-provider.js'
import { POLICY } from '../frameworks/expectations.js'
import { STEPS } from '../frameworks/provider.js'
import { Agent, aisdk, type Model, Runner, setTracingDisabled, tool } from './packages/openai-agents.js'

const THREADS = ['thread-one', 'thread-two']
const prompt = (thread: string) => `${thread}: mend the build`

function playerAt(address: string, policy: typeof POLICY) {
  setTracingDisabled(true)
  const trim = trimtab(policy)
  const claude = createAnthropic({ apiKey: 'none', baseURL: `${address}/v1` })('claude-opus-5-5')
  // The types of `aisdk` are those of AI SDK 6, whose interface differs, and do not allow for exact optional
  // properties.
  const model = aisdk(claude as never) as object as Model
  const bash = tool({
    name: 'bash',
    description: 'Runs a command.',
    strict: false,
    parameters: {
      type: 'object',
      properties: { command: { type: 'string' } },
      required: ['command'],
      additionalProperties: true,
    },
    execute: (args) => `${(args as { command: string }).command}: warning: unused variable\n`.repeat(200),
  })
  const agent = new Agent({
    name: 'mender',
    instructions: 'You mend builds.',
    model: trim.model(model, 'claude-opus-5-5'),
    modelSettings: {
      retry: { maxRetries: 0 },
      providerData: { providerOptions: { anthropic: { thinking: { type: 'adaptive' } } } },
    },
    tools: [bash],
  })
  return async (thread: string) => {
    const options = { maxTurns: STEPS + 2 }
    return new Runner().run(agent, prompt(thread), options)
  }
}

test('two threads at once run 60 steps: nothing is refused, results are cleared, and thinking is sent', async () => {
  await using provider = await new AnthropicProvider(STEPS).start()
  await Promise.all(THREADS.map(playerAt(provider.address, POLICY)))
  expect(provider.refused).toEqual([])
  for (const thread of THREADS) {
    const sent = provider.requests.map((messages) => JSON.stringify(messages))
    const requests = sent.filter((text) => text.includes(prompt(thread)))
    expect(requests).toHaveLength(STEPS + 1)
    // The full history has 75 results of 10,000 characters.
    expect(requests.at(-1)?.length).toBeLessThan(350_000)
    expect(requests.filter((text) => text.includes('"signature"')).length).toBeGreaterThan(STEPS / 2)
  }
})

test("with binding: 'free' the provider refuses a request", async () => {
  await using provider = await new AnthropicProvider(STEPS).start()
  const play = playerAt(provider.address, { ...POLICY, binding: 'free' })
  await play('thread-one').catch(() => {})
  expect(provider.refused[0]).toContain(BOUND)
})
