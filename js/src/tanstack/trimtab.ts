/// <reference lib="esnext.disposable" preserve="true" />

import { type AdapterOptions, Conversations, type Request } from '../adapters/conversations.js'
import type { Policy } from '../generated/types.js'
import { RECALL, recallTool, type ToolParameters } from '../history/recall.js'
import { MessageNames } from './messages.js'

/** What is used of a `ChatMiddlewareConfig`. */
export interface ChatConfig<M extends object = object> {
  messages: M[]
  providerMessages?: M[] | undefined
  systemPrompts?: readonly unknown[]
  tools?: readonly { name: string }[]
}

/** What is used of a `ChatMiddlewareContext`. */
export interface ChatContext {
  phase: string
  model: string
  messages: readonly object[]
}

/** A `ChatMiddleware`: the view is made for the call alone, and `messages` stay whole. */
export interface TrimtabMiddleware {
  name: 'trimtab'
  onConfig<M extends object>(
    context: ChatContext,
    config: ChatConfig<M>,
  ): { providerMessages: M[] } | undefined
  onUsage(context: ChatContext, usage: object): void
  onBeforeToolCall(
    context: ChatContext,
    call: { toolName: string; args: unknown },
  ): { type: 'skip'; result: unknown } | undefined
}

/** A tool for `tools` of `chat`, which the middleware answers. (No interface: so it is also a `Tool`.) */
export type TanStackRecall = {
  name: 'recall'
  description: string
  inputSchema: ToolParameters
  execute(): string
}

/** What {@link trimtab} gives, over the same conversations. */
export interface TanStackTrimtab extends Disposable {
  /** For `middleware` of `chat`, last in the list. */
  readonly middleware: TrimtabMiddleware
  /** For `tools` of `chat`: gives the model back what was cleared. */
  readonly recall: TanStackRecall
}

const PHASES = ['beforeModel', 'structuredOutput']

/**
 * Trims what the models of TanStack AI see; messages that are stored and streamed stay whole. A conversation is known
 * by its messages; reported usage corrects estimates automatically.
 *
 * @param policy What to do; rolling context when absent.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab(policy?: Policy, options: AdapterOptions = {}): TanStackTrimtab {
  const conversations = new Conversations(policy, options, 'openai-chat')
  const names = new MessageNames()
  const requests = new WeakMap<object, Request<object>>()
  const { description, parameters } = recallTool()
  return {
    middleware: {
      name: 'trimtab',
      onConfig<M extends object>(context: ChatContext, config: ChatConfig<M>) {
        if (!PHASES.includes(context.phase)) return undefined
        const { messages, providerMessages = messages, systemPrompts, tools = [] } = config
        const prefix = JSON.stringify([systemPrompts, tools.map(({ name }) => name)])
        const request = conversations.request(names.toChat(providerMessages), {
          model: context.model,
          prefix,
        })
        requests.set(context, request)
        return { providerMessages: names.toTanStack(request.messages) as M[] }
      },
      onUsage: (context, usage) => requests.get(context)?.calibrate(usage),
      onBeforeToolCall({ messages }, { toolName, args }) {
        if (toolName !== RECALL) return undefined
        return {
          type: 'skip',
          result: names.toParts(conversations.answerRecall(args, names.toChat(messages))),
        }
      },
    },
    recall: { name: RECALL, description, inputSchema: parameters, execute: () => NO_MIDDLEWARE },
    [Symbol.dispose]: () => conversations[Symbol.dispose](),
  }
}

const NO_MIDDLEWARE = 'Error: the middleware of trimtab/tanstack answers this tool, and is not in use.'
