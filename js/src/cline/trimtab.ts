import { type AdapterOptions, answerRecallOf, Conversations } from '../adapters/conversations.js'
import { HostMessages } from '../adapters/host-messages.js'
import { quietly } from '../adapters/plugin.js'
import { readable } from '../base/check.js'
import type { Policy } from '../generated/types.js'
import { RECALL, recallTool, type ToolParameters } from '../history/recall.js'
import { type ClineMessage, type ClineOutput, clineMessages, clineOutput } from './messages.js'

/** The used part of a run's state: the agent and its conversation. */
export interface ClineRun {
  agentId: string
  conversationId?: string
}

/** The used part of an `AgentBeforeModelContext`. */
export interface ClineRequest<M extends ClineMessage> {
  snapshot: ClineRun
  request: { messages: readonly M[]; systemPrompt?: string; tools: readonly { name: string }[] }
}

/** The return value of a plugin's `setup`. */
export interface ClineSetup {
  hooks: { beforeModel<M extends ClineMessage>(call: ClineRequest<M>): { messages: M[] } }
  tools: [
    {
      name: 'recall'
      description: string
      inputSchema: ToolParameters
      execute(args: unknown, context: ClineRun): ClineOutput
    },
  ]
}

/** An `AgentRuntimePlugin`. */
export interface ClinePlugin {
  name: 'trimtab'
  setup(): ClineSetup
}

/**
 * Creates a plugin of Cline's agents: models see views, and the transcript keeps the originals. Conversations
 * of different agents are separate. Reported usage corrects estimates automatically.
 *
 * @param policy The policy; cache-aware by default.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab(policy?: Policy, options: AdapterOptions = {}): ClinePlugin {
  const conversations = new Conversations(policy, quietly(options), 'ai-sdk')
  const host = new HostMessages(clineMessages)
  const { description, parameters: inputSchema } = recallTool()
  return {
    name: 'trimtab',
    setup: () => ({
      hooks: {
        beforeModel<M extends ClineMessage>(call: ClineRequest<M>) {
          const { messages, converted, ...options } = readable('call', () => {
            const { messages, systemPrompt, tools } = call.request
            return {
              messages,
              converted: host.toFormat(messages),
              id: idOf(call.snapshot),
              usage: usageOf(messages.findLast(({ role }) => role === 'assistant')),
              prefix: JSON.stringify([systemPrompt, tools.map(({ name }) => name)]),
            }
          })
          const view = conversations.request(converted, options)
          return { messages: readable('call', () => host.toHost(messages, view.messages)) as M[] }
        },
      },
      tools: [
        {
          name: RECALL,
          description,
          inputSchema,
          execute: (args, context) => {
            const id = readable('context', () => idOf(context))
            return clineOutput(answerRecallOf(conversations, id, args))
          },
        },
      ],
    }),
  }
}

const idOf = ({ conversationId, agentId }: ClineRun): string => conversationId ?? agentId

/** Cline's input tokens include cache reads and writes. */
function usageOf(answer: object | undefined): object | undefined {
  const { metrics } = (answer ?? {}) as { metrics?: { inputTokens: number; outputTokens: number } }
  return metrics === undefined ? undefined : { input: metrics.inputTokens, output: metrics.outputTokens }
}
