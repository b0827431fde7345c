/// <reference lib="esnext.disposable" preserve="true" />

import { type AdapterOptions, Conversations } from '../adapters/conversations.js'
import type { RecallArguments } from '../adapters/tool-schema.js'
import type { Policy } from '../generated/types.js'
import { RECALL, recallTool, type ToolDefinition } from '../history/recall.js'

/** What the middleware uses of a `ModelRequest`. */
export interface AgentRequest {
  messages: object[]
  model: object
  systemPrompt?: string
  tools?: readonly object[]
  runtime?: { configurable?: { thread_id?: string } }
}

/** A model's answer, as far as it is used here. */
interface Answer {
  usage_metadata?: unknown
}

/** What `createMiddleware` takes: the view is made for the call alone, and the agent's state keeps the originals. */
export interface AgentMiddlewareConfig {
  name: 'trimtab'
  wrapModelCall<R extends AgentRequest, A>(
    request: R,
    handler: (request: R) => A | PromiseLike<A>,
  ): Promise<A>
}

/** What `tool` takes: the function, and what the model is told of it. */
export type LangChainRecall = [
  run: (args: RecallArguments, runtime: { state: { messages: object[] } }) => string | object,
  fields: { name: 'recall'; description: string; schema: ToolDefinition['parameters'] },
]

/** What {@link trimtab} gives, over the same conversations. */
export interface LangChainTrimtab extends Disposable {
  /** For `createMiddleware`. */
  readonly middleware: AgentMiddlewareConfig
  /** For `tool(...recall)`: gives the model back what was cleared. */
  readonly recall: LangChainRecall
}

/**
 * Trims what the model of a LangChain agent sees; the agent's state keeps the originals. A conversation is known by the
 * `thread_id`, and without one by its messages; reported usage corrects estimates automatically.
 *
 * @param policy What to do; rolling context when absent.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab(policy?: Policy, options: AdapterOptions = {}): LangChainTrimtab {
  const conversations = new Conversations(policy, options)
  const { description, parameters } = recallTool()
  return {
    middleware: {
      name: 'trimtab',
      async wrapModelCall(request, handler) {
        const { messages, model, systemPrompt = '', tools = [], runtime } = request
        const { calibrate, ...view } = conversations.request(messages, {
          id: runtime?.configurable?.thread_id,
          model: nameOf(model),
          prefix: JSON.stringify([systemPrompt, tools.map((tool) => fieldOf(tool, 'name'))]),
        })
        const answer = await handler({ ...request, messages: view.messages })
        calibrate((answer as Answer | undefined)?.usage_metadata)
        return answer
      },
    },
    recall: [
      (args, { state }) => conversations.answerRecall(args, state.messages),
      { name: RECALL, description, schema: parameters },
    ],
    [Symbol.dispose]: () => conversations[Symbol.dispose](),
  }
}

/** A model's name, where its class holds one as all of LangChain's do. */
function nameOf(model: object): string | undefined {
  const name = fieldOf(model, 'model') ?? fieldOf(model, 'modelName')
  return typeof name === 'string' && name !== '' ? name : undefined
}

const fieldOf = (object: object, name: string): unknown => (object as Record<string, unknown>)[name]
