// The frameworks that reach Anthropic, against a local provider that binds thinking to everything sent before
// it.
import { createAnthropic } from '@ai-sdk/anthropic'
import Anthropic from '@anthropic-ai/sdk'
import { ChatAnthropic } from '@langchain/anthropic'
import { type AnyTextAdapter, chat, maxIterations, toolDefinition } from '@tanstack/ai'
import { createAnthropicChat } from '@tanstack/ai-anthropic'
import * as ai from 'ai'
import * as ai6 from 'ai-6'
import { createAnthropic as createAnthropic6 } from 'anthropic-3'
import { createAgent, createMiddleware, HumanMessage, tool } from 'langchain'
import { Context } from 'trimtab'
import { trimtab as aiSdk } from 'trimtab/ai-sdk'
import { trimtab as langchain } from 'trimtab/langchain'
import { trimtab as tanstack } from 'trimtab/tanstack'
import { describe, test } from 'vitest'
import {
  type BoundWay,
  bashOutput,
  buildPrompt,
  expectBoundThreads,
  expectFreeRefused,
} from './expectations.js'
import { STEPS } from './provider.js'

const MODEL = 'claude-opus-5-5'
const SYSTEM = 'You mend builds.'

const description = 'Runs a command.'
const schema = {
  type: 'object' as const,
  properties: { command: { type: 'string' as const } },
  required: ['command'],
}

function client(isStream: boolean): BoundWay {
  return (baseURL, policy) => async (thread) => {
    const api = new Anthropic({ apiKey: 'none', baseURL, maxRetries: 0 })
    const tools = [{ name: 'bash', description, input_schema: schema }]
    using context = new Context(policy, { model: MODEL })
    const history: Anthropic.MessageParam[] = [{ role: 'user', content: buildPrompt(thread) }]
    const fixed = { model: MODEL, max_tokens: 4096, system: SYSTEM, tools }
    for (;;) {
      const request = { ...fixed, messages: context.project(history).messages }
      const { content } = isStream
        ? await api.messages.stream(request).finalMessage()
        : await api.messages.create(request)
      history.push({ role: 'assistant', content })
      const results = content.flatMap((block): Anthropic.ToolResultBlockParam[] =>
        block.type === 'tool_use'
          ? [
              {
                type: 'tool_result',
                tool_use_id: block.id,
                content: bashOutput(block.input),
              },
            ]
          : [],
      )
      if (results.length === 0) return
      history.push({ role: 'user', content: results })
    }
  }
}

/** One adapter for all threads, as in an application. */
const vercel6 =
  (isStream: boolean, how: 'middleware' | 'prepareStep'): BoundWay =>
  (address, policy) => {
    const { prepareStep, middlewareV3: middleware } = aiSdk(policy)
    const model = createAnthropic6({ apiKey: 'none', baseURL: `${address}/v1` })(MODEL)
    const own =
      how === 'prepareStep' ? { model, prepareStep } : { model: ai6.wrapLanguageModel({ model, middleware }) }
    const command = ai6.tool({
      inputSchema: ai6.jsonSchema<{ command: string }>(schema),
      execute: bashOutput,
    })
    const settings = {
      ...own,
      system: SYSTEM,
      tools: { bash: command },
      stopWhen: ai6.stepCountIs(STEPS + 2),
      maxRetries: 0,
      providerOptions: { anthropic: { thinking: { type: 'adaptive' as const } } },
    }
    return async (thread) => {
      const messages: ai6.ModelMessage[] = [{ role: 'user', content: buildPrompt(thread) }]
      if (!isStream) return ai6.generateText({ ...settings, messages })
      return ai6.streamText({ ...settings, messages, onError: () => {} }).text
    }
  }

const vercel =
  (isStream: boolean, how: 'middleware' | 'prepareStep'): BoundWay =>
  (address, policy) => {
    const trim = aiSdk(policy)
    const model = createAnthropic({ apiKey: 'none', baseURL: `${address}/v1` })(MODEL)
    const { prepareStep, middleware } = trim
    const own =
      how === 'prepareStep' ? { model, prepareStep } : { model: ai.wrapLanguageModel({ model, middleware }) }
    const command = ai.tool({ inputSchema: ai.jsonSchema<{ command: string }>(schema), execute: bashOutput })
    const settings = {
      ...own,
      system: SYSTEM,
      tools: { bash: command },
      stopWhen: ai.stepCountIs(STEPS + 2),
      maxRetries: 0,
      providerOptions: { anthropic: { thinking: { type: 'adaptive' } } },
    }
    return async (thread) => {
      const messages: ai.ModelMessage[] = [{ role: 'user', content: buildPrompt(thread) }]
      if (!isStream) return ai.generateText({ ...settings, messages })
      return ai.streamText({ ...settings, messages, onError: () => {} }).responseMessages
    }
  }

const graph =
  (isStream: boolean): BoundWay =>
  (address, policy) => {
    const trim = langchain(policy)
    const model = new ChatAnthropic({
      model: MODEL,
      apiKey: 'none',
      anthropicApiUrl: address,
      maxRetries: 0,
      maxTokens: 4096,
      thinking: { type: 'adaptive' },
      streaming: isStream,
    })
    const command = tool((args) => bashOutput(args), { name: 'bash', description, schema })
    const middleware = [createMiddleware(trim.middleware)]
    const agent = createAgent({ model, tools: [command], middleware, systemPrompt: SYSTEM })
    return (thread) => {
      const config = { configurable: { thread_id: thread }, recursionLimit: 10 * STEPS }
      return agent.invoke({ messages: [new HumanMessage(buildPrompt(thread))] }, config)
    }
  }

const tan: BoundWay = (address, policy) => {
  const trim = tanstack(policy)
  // The adapter's list of models does not have this one yet.
  const adapter: AnyTextAdapter = createAnthropicChat<never>(MODEL as never, 'none', {
    baseURL: address,
    maxRetries: 0,
  }) as object as AnyTextAdapter
  const command = toolDefinition({ name: 'bash', description, inputSchema: schema }).server((args) =>
    bashOutput(args),
  )
  return async (thread) => {
    const stream = chat({
      adapter,
      systemPrompts: [SYSTEM],
      messages: [{ role: 'user', content: buildPrompt(thread) }],
      tools: [command],
      middleware: [trim.middleware],
      modelOptions: { thinking: { type: 'adaptive' } },
      agentLoopStrategy: maxIterations(STEPS + 2),
    })
    for await (const chunk of stream) if (chunk.type === 'RUN_ERROR') throw new Error(JSON.stringify(chunk))
  }
}

const WAYS: Record<string, BoundWay> = {
  '@anthropic-ai/sdk': client(false),
  '@anthropic-ai/sdk, streamed': client(true),
  'ai, middleware': vercel(false, 'middleware'),
  'ai, middleware, streamed': vercel(true, 'middleware'),
  'ai, prepareStep': vercel(false, 'prepareStep'),
  'ai, prepareStep, streamed': vercel(true, 'prepareStep'),
  'ai 6, middleware': vercel6(false, 'middleware'),
  'ai 6, prepareStep, streamed': vercel6(true, 'prepareStep'),
  'TanStack AI': tan,
  LangChain: graph(false),
  'LangChain, streamed': graph(true),
}

describe.each(Object.entries(WAYS))('%s', (_, way) => {
  test('two threads at once run 60 steps: nothing is refused, results are cleared, and thinking is sent', () =>
    expectBoundThreads(way))

  test("with binding: 'free' the provider refuses a request", () => expectFreeRefused(way))
})
