/// <reference lib="esnext.disposable" preserve="true" />

import { type AdapterOptions, Conversations, type Request } from '../adapters/conversations.js'
import { readable } from '../base/check.js'
import type { Policy } from '../generated/types.js'
import { RECALL, recallTool, type ToolParameters } from '../history/recall.js'
import { MessageNames } from './messages.js'

/** The used part of a `ChatMiddlewareConfig`. */
export interface ChatConfig<M extends object = object> {
  messages: M[]
  providerMessages?: M[] | undefined
  systemPrompts?: readonly unknown[]
  tools?: readonly { name: string; description?: string }[]
}

/** The used part of a `ChatMiddlewareContext`. */
export interface ChatContext {
  phase: string
  model: string
  messages: readonly object[]
}

/** A `ChatMiddleware`. The view is made for the call only; `messages` are unchanged. */
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

/**
 * A tool for `tools` of `chat`; the middleware answers its calls. (A type alias, so that it is also a
 * `Tool`.)
 */
export type TanStackRecall = {
  name: 'recall'
  description: string
  inputSchema: ToolParameters
  execute(): string
}

/** The result of {@link trimtab}. All members share the same conversations. */
export interface TanStackTrimtab extends Disposable {
  /** For `middleware` of `chat`, last in the list. */
  readonly middleware: TrimtabMiddleware
  /** For `tools` of `chat`: returns cleared results to the model. */
  readonly recall: TanStackRecall
}

const PHASES = ['beforeModel', 'structuredOutput']

/**
 * Trims what the models of TanStack AI see; stored and streamed messages are unchanged. A conversation is
 * identified by its messages. Reported usage corrects estimates automatically.
 *
 * @param policy The policy; cache-aware by default.
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
        const read = readable('config', () => {
          if (!PHASES.includes(context.phase)) return undefined
          const { messages, providerMessages = messages, systemPrompts, tools = [] } = config
          const prefix = JSON.stringify([systemPrompts, tools.map(({ name }) => name)])
          return { messages: names.toChat(providerMessages), model: context.model, prefix, tools }
        })
        if (read === undefined) return undefined
        const { messages, ...options } = read
        const request = conversations.request(messages, options)
        requests.set(context, request)
        return { providerMessages: readable('config', () => names.toTanStack(request.messages)) as M[] }
      },
      onUsage: (context, usage) => requests.get(context)?.calibrate(usage),
      onBeforeToolCall: (context, call) =>
        readable('call', () => {
          if (call.toolName !== (requests.get(context)?.recall ?? RECALL)) return undefined
          const answer = conversations.answerRecall(call.args, names.toChat(context.messages))
          return { type: 'skip', result: names.toParts(answer) }
        }),
    },
    recall: { name: RECALL, description, inputSchema: parameters, execute: () => NO_MIDDLEWARE },
    [Symbol.dispose]: () => conversations[Symbol.dispose](),
  }
}

const NO_MIDDLEWARE = 'Error: the middleware of trimtab/tanstack answers this tool, and is not in use.'
