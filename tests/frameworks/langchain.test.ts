// LangChain agents against a strict local provider.
import { ChatOpenAI } from '@langchain/openai'
import { type BaseMessage, createAgent, createMiddleware, HumanMessage, tool } from 'langchain'
import { trimtab } from 'trimtab/langchain'
import { test } from 'vitest'
import { expectTurnAfterAbort, expectTurns } from './expectations.js'
import { fileText, type Provider, STEPS } from './provider.js'

type Trim = ReturnType<typeof trimtab>

const schema = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const } },
  required: ['path'],
}

function agentOf(provider: Provider, trim: Trim, thread: string) {
  const configuration = { baseURL: provider.address }
  const model = new ChatOpenAI({ model: 'm', apiKey: 'none', configuration })
  const read_file = tool((args) => fileText(thread, (args as { path: string }).path), {
    name: 'read_file',
    description: 'Reads.',
    schema,
  })
  return createAgent({
    model,
    tools: [read_file, tool(...trim.recall)],
    middleware: [createMiddleware(trim.middleware)],
    systemPrompt: 'You read files.',
  })
}

type Agent = ReturnType<typeof agentOf>
type Config = { configurable: { thread_id: string }; recursionLimit: number }

async function invoke(agent: Agent, messages: BaseMessage[], config: Config): Promise<BaseMessage[]> {
  return ((await agent.invoke({ messages }, config)) as { messages: BaseMessage[] }).messages
}

/** Streams tokens and the state. */
async function stream(agent: Agent, messages: BaseMessage[], config: Config): Promise<BaseMessage[]> {
  let held: BaseMessage[] = []
  const parts = await agent.stream({ messages }, { ...config, streamMode: ['messages', 'values'] })
  for await (const [mode, part] of parts)
    if (mode === 'values') held = (part as { messages: BaseMessage[] }).messages
  return held
}

test.each([
  ['invoke, two threads at once', invoke, ['thread-one', 'thread-two']],
  ['stream', stream, ['thread-one']],
])('60 steps run without a refused request: %s', (_, run, threads) =>
  expectTurns(
    trimtab,
    ({ provider, thread, trim }) => {
      const config = { configurable: { thread_id: thread }, recursionLimit: 10 * STEPS }
      const first = [new HumanMessage(`${thread}: read all files`)]
      return run(agentOf(provider, trim, thread), first, config)
    },
    { system: 'You read files.', threads },
  ),
)

test('a stream ended by an abort leaves the conversation unchanged', () => {
  const first = (thread: string) => [new HumanMessage(`${thread}: read all files`)]
  const config = (thread: string) => ({ configurable: { thread_id: thread }, recursionLimit: 10 * STEPS })
  return expectTurnAfterAbort(
    trimtab,
    async ({ provider, thread, trim }, controller) => {
      const options = { ...config(thread), streamMode: 'messages' as const, signal: controller.signal }
      const parts = await agentOf(provider, trim, thread).stream({ messages: first(thread) }, options)
      for await (const _ of parts) controller.abort()
    },
    ({ provider, thread, trim }) => invoke(agentOf(provider, trim, thread), first(thread), config(thread)),
    'You read files.',
  )
})
