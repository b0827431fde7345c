// A call of every method of adapters and plugins, with arguments that are valid.
import { trimtab as aiSdk } from 'trimtab/ai-sdk'
import { trimtab as claudeAgent } from 'trimtab/claude-agent'
import { trimtab as cline } from 'trimtab/cline'
import { trimtab as copilot } from 'trimtab/copilot'
import { trimtab as langchain } from 'trimtab/langchain'
import { trimtab as mastra } from 'trimtab/mastra'
import { type AgentModel, type AgentModelProvider, trimtab as openaiAgents } from 'trimtab/openai-agents'
import { trimtab as opencode } from 'trimtab/opencode'
import { trimtab as pi } from 'trimtab/pi'
import { trimtab as tanstack } from 'trimtab/tanstack'
import { tool, z } from '../plugins/host-tools.js'
import type { MethodCall } from './hostile-method-calls.js'
import { type AnyFunction, history } from './hostile-values.js'

const opencodeHooks = await opencode(undefined, { tool })()
const prompt = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }]
const model = { getResponse: () => ({}), getStreamedResponse: () => [] } as unknown as AgentModel
const [claudeHook] = claudeAgent(undefined, { z }).hooks.PostToolUse

type Handler = (event: unknown, context: unknown) => unknown
function piHost(): { api: object; handlers: Record<string, Handler>; tools: { execute: AnyFunction }[] } {
  const handlers: Record<string, Handler> = {}
  const tools: { execute: AnyFunction }[] = []
  const api = {
    on: (event: string, handler: Handler) => {
      handlers[event] = handler
    },
    registerTool: (tool: { execute: AnyFunction }) => tools.push(tool),
  }
  return { api, handlers, tools }
}
const piHandler = (...args: [unknown, unknown]) => {
  const { api, handlers } = piHost()
  pi()(api as never)
  return handlers.context?.(...args)
}

const aiSdkCall = { params: { prompt }, model: { modelId: 'm' } }
const agentRequest = { input: [{ role: 'user', content: 'hi' }], modelSettings: {}, tools: [] }
const toolUse = { sessionId: 's', toolName: 'bash', toolArgs: {}, toolResult: { textResultForLlm: 'x' } }
const tanstackContext = { phase: 'beforeModel', messages: history, model: 'm' }

export const ADAPTERS: Record<string, MethodCall> = {
  'AiSdkTrimtab.prepareStep': [
    (step) => aiSdk().prepareStep(step),
    { messages: prompt, steps: [], model: { modelId: 'm' } },
  ],
  'AiSdkTrimtab.view': [(messages, options) => aiSdk().view(messages, options), prompt, { id: 'a' }],
  'AiSdkTools.recall.execute': [
    (args, options) => aiSdk().tools.recall.execute(args, options),
    { reference: 'x' },
    { messages: prompt },
  ],
  'AiSdkTools.recall.toModelOutput': [(it) => aiSdk().tools.recall.toModelOutput(it), { output: 'x' }],
  'ToolSchema.~standard.validate': [
    (value) => aiSdk().tools.recall.inputSchema['~standard'].validate(value),
    { reference: 'x' },
  ],
  'ModelMiddleware.transformParams': [(call) => aiSdk().middleware.transformParams(call), aiSdkCall],
  'ModelMiddleware.wrapGenerate': [
    (reply, params) =>
      aiSdk().middleware.wrapGenerate({ doGenerate: () => Promise.resolve(reply), params } as never),
    { usage: { inputTokens: { total: 1 } } },
    { prompt },
  ],
  'ModelMiddleware.wrapStream': [
    (reply, params) =>
      aiSdk().middleware.wrapStream({ doStream: () => Promise.resolve(reply), params } as never),
    { stream: new ReadableStream() },
    { prompt },
  ],
  'AgentMiddlewareConfig.wrapModelCall': [
    (request, reply) => langchain().middleware.wrapModelCall(request, () => reply),
    { messages: [{ type: 'human', content: 'hi' }], model: {}, state: {}, runtime: {} },
    { usage_metadata: { input_tokens: 1 } },
  ],
  'LangChainTrimtab.recall()': [
    (args, runtime) => langchain().recall[0](args, runtime),
    { reference: 'x' },
    { state: { messages: [{ type: 'human', content: 'hi' }] } },
  ],
  'AgentsTrimtab.model': [(model, name) => openaiAgents().model(model, name), model, 'm'],
  'AgentsTrimtab.modelProvider': [
    (provider) => openaiAgents().modelProvider(provider),
    { getModel: () => model },
  ],
  'AgentModelProvider.getModel': [
    (model, name) => {
      const provider: AgentModelProvider = { getModel: () => model }
      return openaiAgents().modelProvider(provider).getModel(name)
    },
    model,
    'm',
  ],
  'AgentModel.getResponse': [
    (request, reply) =>
      openaiAgents()
        .model({ ...model, getResponse: () => reply } as unknown as AgentModel)
        .getResponse(request as never),
    agentRequest,
    { usage: { inputTokens: 1 } },
  ],
  'AgentModel.getStreamedResponse': [
    async (request, event) => {
      const streaming = { ...model, getStreamedResponse: () => [event] }
      for await (const _ of openaiAgents()
        .model(streaming as unknown as AgentModel)
        .getStreamedResponse(request as never))
        void _
    },
    agentRequest,
    { type: 'response_done', response: { usage: { inputTokens: 1 } } },
  ],
  'AgentRecall.execute': [(args, run) => openaiAgents().recall.execute(args, run), { reference: 'x' }, {}],
  'TrimtabMiddleware.onConfig': [
    (context, config) => tanstack().middleware.onConfig(context, config),
    tanstackContext,
    { messages: history },
  ],
  'TrimtabMiddleware.onUsage': [
    (context, usage) => tanstack().middleware.onUsage(context, usage),
    tanstackContext,
    { promptTokens: 1 },
  ],
  'TrimtabMiddleware.onBeforeToolCall': [
    (context, call) => tanstack().middleware.onBeforeToolCall(context, call),
    tanstackContext,
    { toolName: 'recall', args: { reference: 'x' } },
  ],
  'TanStackRecall.execute': [
    (args) => Reflect.apply(tanstack().recall.execute, undefined, [args]),
    { reference: 'x' },
  ],
  'TrimtabProcessor.processInputStep': [
    (step) => mastra().processor.processInputStep(step),
    { tools: {}, state: {}, messages: [] },
  ],
  'TrimtabProcessor.processLLMRequest': [
    (call) => mastra().processor.processLLMRequest(call),
    { prompt, model: { modelId: 'm' }, state: {} },
  ],
  'TrimtabProcessor.processLLMResponse': [
    (reply) => mastra().processor.processLLMResponse(reply),
    { chunks: [{ type: 'finish', payload: { usage: { inputTokens: 1 } } }], state: {} },
  ],
  'MastraRecall.execute': [
    (args, context) => mastra().recall.execute(args, context),
    { reference: 'x' },
    { agent: { messages: [] } },
  ],
  'MastraRecall.toModelOutput': [(it) => mastra().recall.toModelOutput(it), 'x'],
  'OpencodeHooks.experimental.chat.messages.transform': [
    (input, output) => opencodeHooks['experimental.chat.messages.transform'](input, output),
    {},
    {
      messages: [
        { info: { role: 'user', sessionID: 's' }, parts: [{ type: 'text', text: 'go' }] },
        {
          info: { role: 'assistant', sessionID: 's' },
          parts: [
            {
              type: 'tool',
              callID: 'c',
              tool: 'read',
              state: { status: 'completed', input: {}, output: 'x' },
            },
          ],
        },
      ],
    },
  ],
  'trimtab/pi.trimtab()': [(api) => pi()(api), piHost().api],
  'trimtab/pi.trimtab(), the handler of a context': [
    piHandler,
    { messages: [{ role: 'user', content: 'go' }] },
    { sessionManager: { getSessionId: () => 's' }, model: { id: 'm' }, getSystemPrompt: () => 'Work.' },
  ],
  'ClineSetup.hooks.beforeModel': [
    (call) => cline().setup().hooks.beforeModel(call),
    { snapshot: { agentId: 'a' }, request: { messages: prompt, tools: [] } },
  ],
  'ClineSetup.tools.execute': [
    (args, run) => cline().setup().tools[0].execute(args, run),
    { reference: 'x' },
    { agentId: 'a' },
  ],
  'ClaudeAgentTrimtab.hooks.PreToolUse.hooks()': [
    (input) => claudeHook.hooks[0](input),
    { session_id: 's', tool_name: 'Bash', tool_use_id: 'c', tool_input: {}, tool_response: 'x' },
  ],
  'ClaudeAgentTrimtab.recall()': [
    (args, extra) => claudeAgent(undefined, { z }).recall[3](args, extra),
    { reference: 'x' },
    {},
  ],
  'CopilotHooks.onPostToolUse': [
    (use, invocation) => copilot().hooks.onPostToolUse(use, invocation),
    toolUse,
    { sessionId: 's' },
  ],
  'CopilotRecall.handler': [
    (args, invocation) => copilot().recall.handler(args, invocation),
    { reference: 'x' },
    { sessionId: 's' },
  ],
}

/** Methods that a framework calls with objects of its own; `hostile-frameworks.test.ts` attacks them. */
export const OF_FRAMEWORKS: readonly string[] = [
  'AiSdkTrimtab.prepareStep',
  'AiSdkTools.recall.execute',
  'AiSdkTools.recall.toModelOutput',
  'ModelMiddleware.transformParams',
  'ModelMiddleware.wrapGenerate',
  'ModelMiddleware.wrapStream',
  'AgentMiddlewareConfig.wrapModelCall',
  'LangChainTrimtab.recall()',
  'AgentsTrimtab.model',
  'AgentsTrimtab.modelProvider',
  'AgentModelProvider.getModel',
  'AgentModel.getResponse',
  'AgentModel.getStreamedResponse',
  'TrimtabMiddleware.onConfig',
  'TrimtabMiddleware.onBeforeToolCall',
  'TrimtabProcessor.processInputStep',
  'TrimtabProcessor.processLLMRequest',
  'TrimtabProcessor.processLLMResponse',
  'MastraRecall.execute',
  'MastraRecall.toModelOutput',
  'OpencodeHooks.experimental.chat.messages.transform',
  'trimtab/pi.trimtab()',
  'ClineSetup.hooks.beforeModel',
  'ClineSetup.tools.execute',
  'ClaudeAgentTrimtab.hooks.PreToolUse.hooks()',
  'ClaudeAgentTrimtab.recall()',
  'CopilotHooks.onPostToolUse',
  'CopilotRecall.handler',
]

/** Methods of adapters without arguments, with a call of each. */
export const ADAPTERS_WITHOUT_ARGUMENTS: Record<string, () => unknown> = {
  'ToolSchema.~standard.jsonSchema.input': () =>
    aiSdk().tools.recall.inputSchema['~standard'].jsonSchema.input(),
  'ToolSchema.~standard.jsonSchema.output': () =>
    aiSdk().tools.recall.inputSchema['~standard'].jsonSchema.output(),
  'ClinePlugin.setup': () => cline().setup(),
  'OpencodeHooks.dispose': async () => (await opencode(undefined, { tool })()).dispose(),
  'trimtab/opencode.trimtab()': () => opencode(undefined, { tool })(),
}
