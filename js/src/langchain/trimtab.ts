/// <reference lib="esnext.disposable" preserve="true" />

import { type AdapterOptions, Conversations } from '../adapters/conversations.js'
import type { RecallArguments } from '../adapters/tool-schema.js'
import { readable } from '../base/check.js'
import { asRecord } from '../base/json.js'
import type { Policy } from '../generated/types.js'
import { RECALL, recallTool, type ToolDefinition } from '../history/recall.js'

/** The used part of a `ModelRequest`. */
export interface AgentRequest {
  messages: object[]
  model: object
  systemPrompt?: string
  tools?: readonly object[]
  runtime?: { configurable?: { thread_id?: string } }
}

/** The used part of a model's answer. */
interface Answer {
  usage_metadata?: unknown
}

/**
 * The argument of `createMiddleware`. The view is made for the call only; the agent's state keeps the
 * originals.
 */
export interface AgentMiddlewareConfig {
  name: 'trimtab'
  wrapModelCall<R extends AgentRequest, A>(
    request: R,
    handler: (request: R) => A | PromiseLike<A>,
  ): Promise<A>
}

/** The arguments of `tool`: the function, and its description for the model. */
export type LangChainRecall = [
  run: (args: RecallArguments, runtime: { state: { messages: object[] } }) => string | object,
  fields: { name: 'recall'; description: string; schema: ToolDefinition['parameters'] },
]

/** The result of {@link trimtab}. All members share the same conversations. */
export interface LangChainTrimtab extends Disposable {
  /** For `createMiddleware`. */
  readonly middleware: AgentMiddlewareConfig
  /** For `tool(...recall)`: returns cleared results to the model. */
  readonly recall: LangChainRecall
}

/**
 * Trims what the model of a LangChain agent sees; the agent's state keeps the originals. A conversation is
 * identified by the `thread_id`, or else by its messages. Reported usage corrects estimates automatically.
 *
 * @param policy The policy; cache-aware by default.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab(policy?: Policy, options: AdapterOptions = {}): LangChainTrimtab {
  const conversations = new Conversations(policy, options)
  const { description, parameters } = recallTool()
  return {
    middleware: {
      name: 'trimtab',
      async wrapModelCall(request, handler) {
        const { messages, own, ...options } = readable('request', () => {
          const own = { ...request }
          const { messages, model, systemPrompt = '', tools = [], runtime } = own
          return {
            own,
            messages,
            id: runtime?.configurable?.thread_id,
            model: nameOf(model),
            prefix: JSON.stringify([systemPrompt, tools.map((tool) => fieldOf(tool, 'name'))]),
            tools: tools.map((tool) => asRecord(fieldOf(tool, 'function')) ?? tool),
          }
        })
        const { calibrate, ...view } = conversations.request(messages, options)
        const answer = await handler({ ...own, messages: view.messages })
        conversations.learn(() => calibrate((answer as Answer | undefined)?.usage_metadata))
        return answer
      },
    },
    recall: [
      (args, runtime) =>
        conversations.answerRecall(
          args,
          readable('runtime', () => runtime.state.messages),
        ),
      { name: RECALL, description, schema: parameters },
    ],
    [Symbol.dispose]: () => conversations[Symbol.dispose](),
  }
}

/** The model's name, from the fields that LangChain's model classes have. */
function nameOf(model: object): string | undefined {
  const name = fieldOf(model, 'model') ?? fieldOf(model, 'modelName')
  return typeof name === 'string' && name !== '' ? name : undefined
}

const fieldOf = (object: object, name: string): unknown => (object as Record<string, unknown>)[name]
