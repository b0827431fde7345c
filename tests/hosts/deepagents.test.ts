// Agents of deepagents against a strict local provider.
import { ChatAnthropic } from '@langchain/anthropic'
import { trimtab } from 'trimtab/langchain'
import { describe, expect, test } from 'vitest'
import {
  type BoundWay,
  bashOutput,
  boundRequests,
  buildPrompt,
  expectClearedWithThinking,
  expectFreeRefused,
  expectTurnAfterAbort,
  expectTurns,
} from '../frameworks/expectations.js'
import { fileText, type Provider, STEPS, type Tools } from '../frameworks/provider.js'
import { ChatOpenAI } from './packages/node_modules/@langchain/openai/dist/index.js'
import { createDeepAgent } from './packages/node_modules/deepagents/dist/index.js'
import {
  type BaseMessage,
  createMiddleware,
  HumanMessage,
  SystemMessage,
  tool,
} from './packages/node_modules/langchain/dist/index.js'

type Trim = ReturnType<typeof trimtab>

/** The agent has a `read_file` of its own. */
const tools: Tools = { read: (path) => ({ name: 'read_source', args: { path } }), recall: 'recall' }

const schema = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const } },
  required: ['path'],
}

function agentOf(provider: Provider, trim: Trim, thread: string) {
  const configuration = { baseURL: provider.address }
  const read_source = tool((args) => fileText(thread, (args as { path: string }).path), {
    name: 'read_source',
    description: 'Reads.',
    schema,
  })
  return createDeepAgent({
    model: new ChatOpenAI({ model: 'm', apiKey: 'none', configuration }),
    tools: [read_source, tool(...trim.recall)],
    middleware: [createMiddleware(trim.middleware)],
    systemPrompt: 'You read files.',
  })
}

interface Turn {
  provider: Provider
  thread: string
  trim: Trim
}
const config = (thread: string) => ({ configurable: { thread_id: thread } })
const first = (thread: string) => ({ messages: [new HumanMessage(`${thread}: read all files`)] })

/** The messages of the agent's state, after the system prompt that the agent wrote. */
function heldBy({ provider, thread }: Turn, state: unknown): BaseMessage[] {
  const system = JSON.parse(provider.accounts.get(thread)?.sent[0] ?? '{}') as { content: string }
  return [new SystemMessage(system.content), ...(state as { messages: BaseMessage[] }).messages]
}

/** Ways to run the agent: each plays a turn and returns the messages that the agent holds after it. */
const WAYS: Record<string, (turn: Turn) => Promise<BaseMessage[]>> = {
  invoke: async (turn) => {
    const agent = agentOf(turn.provider, turn.trim, turn.thread)
    return heldBy(turn, await agent.invoke(first(turn.thread), config(turn.thread)))
  },
  stream: async (turn) => {
    const agent = agentOf(turn.provider, turn.trim, turn.thread)
    const options = { ...config(turn.thread), streamMode: ['messages' as const, 'values' as const] }
    let held: unknown
    for await (const [mode, part] of await agent.stream(first(turn.thread), options))
      if (mode === 'values') held = part
    return heldBy(turn, held)
  },
}

test.each(Object.entries(WAYS))(
  'agent.%s of deepagents: two threads at once run 60 steps without a refused request',
  (_, play) => expectTurns(trimtab, play, { tools }),
)

test('a stream ended by an abort leaves the conversation unchanged', () =>
  expectTurnAfterAbort(
    trimtab,
    async ({ provider, thread, trim }, controller) => {
      const options = { ...config(thread), streamMode: 'messages' as const, signal: controller.signal }
      const parts = await agentOf(provider, trim, thread).stream(first(thread), options)
      for await (const _ of parts) controller.abort()
    },
    WAYS.invoke as (typeof WAYS)[string],
    undefined,
    tools,
  ))

describe('deepagents with a provider that binds thinking to all earlier messages', () => {
  const way: BoundWay = (anthropicApiUrl, policy) => async (thread) => {
    using trim = trimtab(policy)
    const properties = { command: { type: 'string' as const } }
    const bash = tool(bashOutput, {
      name: 'bash',
      description: 'Runs a command.',
      schema: { type: 'object' as const, properties, required: ['command'] },
    })
    const agent = createDeepAgent({
      model: new ChatAnthropic({
        model: 'claude-opus-5-5',
        apiKey: 'none',
        anthropicApiUrl,
        maxRetries: 0,
        maxTokens: 4096,
        thinking: { type: 'adaptive' },
      }),
      tools: [bash, tool(...trim.recall)],
      middleware: [createMiddleware(trim.middleware)],
      systemPrompt: 'You mend builds.',
    })
    const messages = [new HumanMessage(buildPrompt(thread))]
    await agent.invoke({ messages }, { ...config(thread), recursionLimit: 20 * STEPS })
  }

  // The agent summarises its history by itself, because it counts the originals.
  test('runs over 60 steps and its own summary: nothing is refused, results are cleared, and thinking is sent', async () => {
    const requests = await boundRequests(way, ['thread-one'])
    expect(requests.length).toBeGreaterThan(STEPS)
    expect(requests.some((text) => text.includes('has been summarized'))).toBe(true)
    expectClearedWithThinking(requests)
  })

  test("has a request refused with binding: 'free'", () => expectFreeRefused(way))
})
