// The OpenAI Agents SDK over the AI SDK's Anthropic provider, against a local provider that binds thinking to
// everything sent before it.
import { createAnthropic } from '@ai-sdk/anthropic'
import { trimtab } from 'trimtab/openai-agents'
import { test } from 'vitest'
import {
  bashOutput,
  buildPrompt,
  expectBoundThreads,
  expectFreeRefused,
  type POLICY,
} from '../frameworks/expectations.js'
import { STEPS } from '../frameworks/provider.js'
import { Agent, aisdk, type Model, Runner, setTracingDisabled, tool } from './packages/openai-agents.js'

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
    execute: bashOutput,
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
    return new Runner().run(agent, buildPrompt(thread), options)
  }
}

test('two threads at once run 60 steps: nothing is refused, results are cleared, and thinking is sent', () =>
  expectBoundThreads(playerAt))

test("with binding: 'free' the provider refuses a request", () => expectFreeRefused(playerAt))
