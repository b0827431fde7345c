// Calls of the methods of adapters and plugins, with sessions of size n.
import type { Policy } from 'trimtab'
import { trimtab as aiSdk } from 'trimtab/ai-sdk'
import { trimtab as claudeAgent } from 'trimtab/claude-agent'
import { trimtab as cline } from 'trimtab/cline'
import { trimtab as copilot } from 'trimtab/copilot'
import { convertMessages } from 'trimtab/formats'
import { trimtab as langchain } from 'trimtab/langchain'
import { trimtab as mastra } from 'trimtab/mastra'
import { type AgentModel, trimtab as agents } from 'trimtab/openai-agents'
import { trimtab as opencode } from 'trimtab/opencode'
import { trimtab as tanstack } from 'trimtab/tanstack'
import { tool, z } from '../plugins/host-tools.js'
import { HISTORIES } from './histories.js'
import { one, type Rows } from './inputs.js'

/** Clears every result at once, and names what was cleared. */
const POLICY: Policy = { age: { maxToolOutputAge: 0 }, recall: true }

const aiSdkMessages = (n: number): object[] => convertMessages(HISTORIES.steps(n), 'ai-sdk').messages
const langchainMessages = (n: number): object[] => convertMessages(HISTORIES.steps(n), 'langchain').messages
const items = (n: number): object[] => convertMessages(HISTORIES.steps(n), 'openai-responses').messages

const referenceIn = (view: unknown): string =>
  /recall ([0-9a-f]{8})/.exec(JSON.stringify(view))?.[1] ?? '00000000'

const each = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))

async function* events(n: number): AsyncGenerator<object> {
  for (let i = 0; i < n; i++) yield { type: 'text', delta: `word ${i}` }
  yield { type: 'response_done', response: { usage: { inputTokens: 100, outputTokens: 5 } } }
}

const streamed = (n: number) =>
  new ReadableStream({
    start(controller) {
      for (let i = 0; i < n; i++) controller.enqueue({ type: 'text-delta', id: 't', delta: `word ${i}` })
      controller.enqueue({ type: 'finish', usage: { inputTokens: { total: 100 } } })
      controller.close()
    },
  })

type Middleware = ReturnType<typeof aiSdk>['middleware']
const transformed = (middleware: Middleware, prompt: object[]) =>
  middleware.transformParams({ params: { prompt }, model: { modelId: 'm' } } as never)

const AI_SDK: Record<string, Rows> = {
  'AiSdkTrimtab.prepareStep': one((n) => {
    const messages = aiSdkMessages(n)
    return () => aiSdk(POLICY).prepareStep({ messages, steps: [], model: 'm' } as never)
  }),
  'AiSdkTools.recall.execute': one((n) => {
    const messages = aiSdkMessages(n)
    const trim = aiSdk(POLICY)
    const reference = referenceIn(trim.view(messages))
    return () => trim.tools.recall.execute({ reference } as never, { messages })
  }),
  'ModelMiddleware.transformParams': one((n) => {
    const prompt = aiSdkMessages(n)
    return () => transformed(aiSdk(POLICY).middleware, prompt)
  }),
  'ModelMiddleware.wrapGenerate': one(async (n) => {
    const { middleware } = aiSdk(POLICY)
    const params = await transformed(middleware, aiSdkMessages(n))
    const doGenerate = () => Promise.resolve({ usage: { inputTokens: { total: 100 } } })
    return () => middleware.wrapGenerate({ doGenerate, params } as never)
  }),
  'ModelMiddleware.wrapStream': one(async (n) => {
    const { middleware } = aiSdk(POLICY)
    const params = await transformed(middleware, aiSdkMessages(n))
    return async () => {
      const doStream = () => Promise.resolve({ stream: streamed(n) })
      const { stream } = await middleware.wrapStream({ doStream, params } as never)
      for await (const _ of stream as unknown as AsyncIterable<unknown>) void _
    }
  }),
}

const AGENTS: Record<string, Rows> = {
  'LangChainTrimtab.recall()': one(async (n) => {
    const messages = langchainMessages(n)
    const trim = langchain(POLICY)
    let view: unknown
    await trim.middleware.wrapModelCall({ messages, model: {} } as never, (request) => {
      view = request
      return {} as never
    })
    const reference = referenceIn(view)
    return () => trim.recall[0]({ reference } as never, { state: { messages } })
  }),
  'AgentModel.getStreamedResponse': one((n) => {
    const input = items(n)
    const model = { getResponse: () => ({}), getStreamedResponse: () => events(n) }
    const wrapped = agents(POLICY).model(model as unknown as AgentModel)
    return async () => {
      for await (const _ of wrapped.getStreamedResponse({ input } as never) as AsyncIterable<unknown>) void _
    }
  }),
  'AgentRecall.execute': one(async (n) => {
    const input = items(n)
    const trim = agents(POLICY)
    let view: unknown
    const getResponse = (request: unknown) => {
      view = request
      const recall = { type: 'function_call', name: 'recall', callId: 'r' }
      return { output: [recall], usage: { inputTokens: 100 } }
    }
    const model = trim.model({ getResponse, getStreamedResponse: () => events(1) } as never) as never as {
      getResponse(request: object): Promise<unknown>
    }
    await model.getResponse({ input })
    const reference = referenceIn(view)
    return () =>
      trim.recall.execute({ reference } as never, undefined, { toolCall: { callId: 'r' } } as never)
  }),
  'TrimtabProcessor.processInputStep': one((n) => {
    const { processor } = mastra(POLICY)
    const tools = Object.fromEntries(each(n, (i) => [`tool${i}`, { description: 'does' }]))
    return () => processor.processInputStep({ tools, state: {} } as never)
  }),
  'TrimtabProcessor.processLLMResponse': one((n) => {
    const { processor } = mastra(POLICY)
    const state = {}
    processor.processLLMRequest({ prompt: aiSdkMessages(n), model: {}, state } as never)
    const finish = { type: 'finish', payload: { output: { usage: { inputTokens: 100 } } } }
    const recall = (i: number) => ({
      type: 'tool-call',
      payload: { toolName: 'recall', toolCallId: `r${i}` },
    })
    return () => processor.processLLMResponse({ chunks: [...each(n, recall), finish], state } as never)
  }),
  'MastraRecall.execute': one((n) => {
    const trim = mastra(POLICY)
    const state = {}
    const view = trim.processor.processLLMRequest({
      prompt: aiSdkMessages(n),
      model: {},
      state,
    } as never)
    const payload = { toolName: 'recall', toolCallId: 'r' }
    trim.processor.processLLMResponse({ chunks: [{ type: 'tool-call', payload }], state } as never)
    const reference = referenceIn(view)
    return () => trim.recall.execute({ reference } as never, { agent: { toolCallId: 'r' } })
  }),
  'TrimtabMiddleware.onUsage': one((n) => {
    const { middleware } = tanstack(POLICY)
    const messages = HISTORIES.steps(n)
    const context = { messages, model: 'm', phase: 'beforeModel' }
    middleware.onConfig(context, { messages })
    return () => middleware.onUsage(context, { promptTokens: 100 })
  }),
  'TrimtabMiddleware.onBeforeToolCall': one((n) => {
    const { middleware } = tanstack(POLICY)
    const messages = HISTORIES.steps(n)
    const context = { messages, model: 'm', phase: 'beforeModel' }
    const reference = referenceIn(middleware.onConfig(context, { messages }))
    return () => middleware.onBeforeToolCall(context, { toolName: 'recall', args: { reference } })
  }),
}

/** A call and its result in Cline's form. */
const use = (i: number): object[] => [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: `c${i}`, toolName: 'read', input: { path: `f${i}.ts` } }],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: `c${i}`, toolName: 'read', output: `line ${i}\n`.repeat(50) },
    ],
  },
]

const PLUGINS: Record<string, Rows> = {
  'OpencodeHooks.dispose': one(async (n) => {
    const hooks = await opencode(POLICY, { tool })()
    const info = { role: 'user', sessionID: 's' }
    const messages = each(n, (i) => ({ info, parts: [{ type: 'text', text: `Step ${i}.` }] }))
    await hooks['experimental.chat.messages.transform']({}, { messages: messages as never })
    return () => hooks.dispose()
  }),
  'ClineSetup.tools.execute': one((n) => {
    const { hooks, tools } = cline(POLICY).setup()
    const messages = each(n, use).flat()
    const view = hooks.beforeModel({ snapshot: { agentId: 'a' }, request: { messages, tools: [] } } as never)
    const reference = referenceIn(view)
    return () => tools[0].execute({ reference }, { agentId: 'a' })
  }),
  'ClaudeAgentTrimtab.recall()': one(async (n) => {
    const trim = claudeAgent(undefined, { z })
    const [{ hooks }] = trim.hooks.PostToolUse
    const use = (i: number) =>
      hooks[0]({
        session_id: 's',
        tool_name: 'Bash',
        tool_use_id: `c${i}`,
        tool_input: { command: `make ${i}` },
        tool_response: `line ${i} of the output\n`.repeat(2000),
      } as never)
    const outputs = []
    for (let i = 0; i < n / 8; i++) outputs.push(await use(i))
    const reference = referenceIn(outputs)
    return () => trim.recall[3]({ reference }, {})
  }),
  'CopilotRecall.handler': one((n) => {
    const trim = copilot()
    const use = (i: number) => ({
      sessionId: 's',
      toolName: 'bash',
      toolArgs: { command: `make ${i}` },
      toolResult: { textResultForLlm: `line ${i} of the output\n`.repeat(2000) },
    })
    const outputs = each(n / 8, (i) => trim.hooks.onPostToolUse(use(i) as never, { sessionId: 's' } as never))
    const reference = referenceIn(outputs)
    return () => trim.recall.handler({ reference } as never, { sessionId: 's' } as never)
  }),
}

export const ADAPTER_METHOD_ROWS: Record<string, Rows> = { ...AI_SDK, ...AGENTS, ...PLUGINS }
