// LangChain's agents against a strict provider on this machine.
import { ChatOpenAI } from '@langchain/openai'
import { type BaseMessage, createAgent, createMiddleware, HumanMessage, tool } from 'langchain'
import { trimtab } from 'trimtab/langchain'
import { expect, test } from 'vitest'
import { expectTurn, POLICY } from './expectations.js'
import { fileText, Provider, STEPS } from './provider.js'

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

/** Token by token, with the state beside. */
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
])('60 steps: %s', async (_, run, threads) => {
  await using provider = await new Provider().start()
  const warnings: string[] = []
  using trim = trimtab(POLICY, { onWarning: ({ message }) => warnings.push(message) })
  const histories = await Promise.all(
    threads.map((thread) => {
      const config = { configurable: { thread_id: thread }, recursionLimit: 10 * STEPS }
      const first = [new HumanMessage(`${thread}: read all files`)]
      return run(agentOf(provider, trim, thread), first, config)
    }),
  )
  expect(provider.refused).toEqual([])
  expect(warnings).toEqual([])
  for (const [i, thread] of threads.entries())
    expectTurn(histories[i] as BaseMessage[], thread, provider, 'You read files.')
})
