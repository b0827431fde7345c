import { type AdapterOptions, answerRecallOf, Conversations } from '../adapters/conversations.js'
import { HostMessages } from '../adapters/host-messages.js'
import { quietly } from '../adapters/plugin.js'
import { check, readable, withMethods } from '../base/check.js'
import type { Policy } from '../generated/types.js'
import { RECALL, recallTool, type ToolParameters } from '../history/recall.js'
import { type PiContent, type PiMessage, piContent, piMessages } from './messages.js'

/** The used part of an `ExtensionContext`. */
export interface PiContext {
  sessionManager: { getSessionId(): string }
  model: { id: string } | undefined
  getSystemPrompt(): string
}

/** The argument of `registerTool`. (A type alias, so that it is also a `ToolDefinition`.) */
export type PiRecall = {
  name: 'recall'
  label: string
  description: string
  parameters: ToolParameters
  execute(
    callId: string,
    args: object,
    signal: unknown,
    onUpdate: unknown,
    context: PiContext,
  ): Promise<{ content: PiContent[]; details: undefined }>
}

/** The used part of an `ExtensionAPI`. */
export interface PiApi {
  on<M extends object>(
    event: 'context',
    handler: (event: { messages: M[] }, context: PiContext) => { messages: M[] },
  ): unknown
  on(event: 'session_shutdown', handler: () => void): unknown
  registerTool(tool: PiRecall): void
}

/**
 * Creates an extension of pi, for a file in `.pi/extensions`: models see views, and sessions keep the
 * originals. Each session is a conversation. Reported usage corrects estimates automatically.
 *
 * @param policy The policy; cache-aware by default.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab(policy?: Policy, options: AdapterOptions = {}): (pi: PiApi) => void {
  // Rejects invalid arguments when the file is loaded.
  new Conversations(policy, options)[Symbol.dispose]()
  return (pi) => {
    check('pi', pi, API)
    const api: PiApi = readable('pi', () => ({
      on: pi.on.bind(pi),
      registerTool: pi.registerTool.bind(pi),
    }))
    const conversations = new Conversations(policy, quietly(options), 'ai-sdk')
    const host = new HostMessages<PiMessage>(piMessages)
    const { description, parameters } = recallTool()
    api.on<PiMessage>('context', (event, context) => {
      const { messages, converted, ...options } = readable('event', () => {
        const { messages } = event
        const { sessionManager, model, getSystemPrompt } = context
        return {
          messages,
          converted: host.toFormat(messages),
          id: sessionManager.getSessionId(),
          model: model?.id,
          prefix: getSystemPrompt(),
          usage: usageOf(messages.findLast(({ role }) => role === 'assistant')),
        }
      })
      const view = conversations.request(converted, options)
      return { messages: readable('event', () => host.toHost(messages, view.messages)) }
    })
    api.on('session_shutdown', () => conversations[Symbol.dispose]())
    api.registerTool({
      name: RECALL,
      label: 'Recall',
      description,
      parameters,
      execute: (_id, args, _signal, _onUpdate, context) => {
        const id = readable('context', () => context.sessionManager.getSessionId())
        const answer = answerRecallOf(conversations, id, args)
        return Promise.resolve({ content: piContent(answer), details: undefined })
      },
    })
  }
}

const API = withMethods<PiApi>('the API of extensions', 'on', 'registerTool')

/** pi counts cache reads and writes separately from the input. */
function usageOf(answer: PiMessage | undefined): object | undefined {
  if (answer === undefined) return undefined
  const { input, output, cacheRead, cacheWrite } = answer.usage as Record<string, number>
  return { input: (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0), output }
}
