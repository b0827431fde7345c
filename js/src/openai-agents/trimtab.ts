/// <reference lib="esnext.disposable" preserve="true" />

import { type AdapterOptions, Conversations } from '../adapters/conversations.js'
import { PendingCalls, UNKNOWN_CALL } from '../adapters/pending-calls.js'
import { withMethods } from '../adapters/with-methods.js'
import { readable } from '../base/check.js'
import type { Policy } from '../generated/types.js'
import { RECALL, recallTool, type ToolDefinition } from '../history/recall.js'
import { ItemNames } from './items.js'

/** The used part of a `Model`. */
export interface AgentModel {
  getResponse(request: never): Promise<object>
  getStreamedResponse(request: never): AsyncIterable<object>
}

/** The used part of a `ModelProvider`. */
export interface AgentModelProvider {
  getModel(name?: string): AgentModel | Promise<AgentModel>
}

/** The argument of `tool`: the function, and its description for the model. */
export type AgentRecall = {
  name: 'recall'
  description: string
  strict: false
  parameters: ToolDefinition['parameters'] & { additionalProperties: true }
  execute(args: unknown, context?: unknown, details?: { toolCall?: { callId: string } }): string | object[]
}

/**
 * The result of {@link trimtab}. All members share the same conversations. One of `modelProvider` and `model`
 * is enough.
 */
export interface AgentsTrimtab extends Disposable {
  /** Wraps a provider, so that its models see views; for `setDefaultModelProvider` or a `Runner`. */
  modelProvider<P extends AgentModelProvider>(provider: P): P
  /**
   * Wraps a model, so that it sees views; for one agent. Pass the model's name if the model has requirements
   * for reasoning.
   */
  model<M extends AgentModel>(model: M, name?: string): M
  /** For `tool(recall)`: returns cleared results to the model. */
  readonly recall: AgentRecall
}

/** The used part of a `ModelRequest`. */
interface ModelRequest {
  input: string | object[]
  systemInstructions?: string
  tools?: object[]
  handoffs?: object[]
  previousResponseId?: string | undefined
  conversationId?: string | undefined
}

/** The used part of a `ModelResponse`, and of the last event of a stream. */
interface ModelResponse {
  usage?: unknown
  output?: readonly { name?: string; callId?: string }[]
}

/** A request to make, and a function to call with its answer. */
interface Exchange {
  request: ModelRequest
  answered(response: ModelResponse): void
}

/**
 * Trims what the models of OpenAI's Agents SDK see. Runs, sessions and traces of the SDK keep the originals:
 * the view is made for the model's call only. A conversation is identified by its messages. Reported usage
 * corrects estimates automatically.
 *
 * A history that OpenAI stores (`conversationId`, `previousResponseId`) is not sent, and so cannot be
 * trimmed: a warning says so once.
 *
 * @param policy The policy; cache-aware by default.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab(policy?: Policy, options: AdapterOptions = {}): AgentsTrimtab {
  const conversations = new Conversations(policy, options, 'openai-responses')
  const names = new ItemNames()
  const calls = new PendingCalls()
  const { description, parameters } = recallTool()

  function exchange(original: ModelRequest, model: string | undefined): Exchange {
    const request = readable('request', () => ({ ...original }))
    const { input, tools } = request
    const isKept = (request.conversationId ?? request.previousResponseId) !== undefined
    if (isKept) conversations.warn('server_history', SERVER_HISTORY)
    if (isKept || typeof input === 'string') return { request: original, answered() {} }
    const [items, prefix] = readable('request', () => [
      names.toResponses(input),
      JSON.stringify([request.systemInstructions, tools, request.handoffs]),
    ])
    const { messages, calibrate, recall } = conversations.request(items, { model, prefix, tools })
    request.input = readable('request', () => names.toAgents(messages))
    return {
      request,
      answered({ usage, output = [] }) {
        calibrate(usage)
        for (const { name, callId } of output)
          if (callId !== undefined && name === recall) calls.add(callId, items)
      },
    }
  }

  function modelOf<M extends AgentModel>(model: M, name?: string): M {
    const inner = model as unknown as InnerModel
    return withMethods(model, {
      async getResponse(original: ModelRequest) {
        const { request, answered } = exchange(original, name)
        const response = await inner.getResponse(request)
        conversations.learn(() => answered(response))
        return response
      },
      async *getStreamedResponse(original: ModelRequest) {
        const { request, answered } = exchange(original, name)
        for await (const event of inner.getStreamedResponse(request)) {
          conversations.learn(() => event.response && answered(event.response))
          yield event
        }
      },
    })
  }

  return {
    model: modelOf,
    modelProvider: (provider) =>
      withMethods(provider, {
        getModel: async (name?: string) => modelOf(await provider.getModel(name), name),
      }),
    recall: {
      name: RECALL,
      description,
      strict: false,
      parameters: { ...parameters, additionalProperties: true },
      execute: (args, _, details) =>
        readable('call', () => {
          const items = calls.take(details?.toolCall?.callId)
          return items === undefined
            ? UNKNOWN_CALL
            : names.toToolOutput(conversations.answerRecall(args, items))
        }),
    },
    [Symbol.dispose]: () => conversations[Symbol.dispose](),
  }
}

/** The methods of a model, as they are called here. */
interface InnerModel {
  getResponse(request: ModelRequest): Promise<ModelResponse>
  getStreamedResponse(request: ModelRequest): AsyncIterable<{ response?: ModelResponse }>
}

const SERVER_HISTORY = 'a history that OpenAI stores (conversationId, previousResponseId) is not trimmed'
