import { type AdapterOptions, answerRecallOf, Conversations } from '../adapters/conversations.js'
import { HostMessages } from '../adapters/host-messages.js'
import { quietly } from '../adapters/plugin.js'
import { type Zod, type ZodArguments, zodArguments } from '../adapters/zod-arguments.js'
import { check, FUNCTION, OBJECT, readable } from '../base/check.js'
import type { Policy } from '../generated/types.js'
import { recallTool } from '../history/recall.js'
import { type OpencodeMessage, type OpencodeOutput, opencodeMessages, opencodeOutput } from './messages.js'

/** `tool` of `@opencode-ai/plugin`, which creates tools and contains zod. */
export interface OpencodeTool<Tool, Schema> {
  (definition: {
    description: string
    args: ZodArguments<Schema>
    execute(args: object, context: { sessionID: string }): Promise<OpencodeOutput>
  }): Tool
  schema: Zod<Schema>
}

/** Options of {@link trimtab}. */
export interface OpencodeOptions<Tool, Schema> extends AdapterOptions {
  /** `tool` of `@opencode-ai/plugin`. */
  tool: OpencodeTool<Tool, Schema>
}

/** The hooks of the plugin. */
export interface OpencodeHooks<Tool> {
  'experimental.chat.messages.transform'(
    input: object,
    output: { messages: OpencodeMessage[] },
  ): Promise<void>
  tool: { recall: Tool }
  dispose(): Promise<void>
}

/**
 * Creates a plugin of opencode, for a file in `.opencode/plugins`: models see views, and sessions keep the
 * originals. Each session is a conversation. Reported usage corrects estimates automatically.
 *
 * @param policy The policy; cache-aware by default.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab<Tool, Schema>(
  policy: Policy | undefined,
  options: OpencodeOptions<Tool, Schema>,
): () => Promise<OpencodeHooks<Tool>> {
  check('options', options, OBJECT)
  const { tool, ...rest } = readable('options', () => ({ ...options }))
  check('tool', tool, FUNCTION)
  // Rejects invalid arguments when the file is loaded.
  new Conversations(policy, rest)[Symbol.dispose]()
  return () => Promise.resolve(hooks(new Conversations(policy, quietly(rest), 'ai-sdk'), tool))
}

function hooks<Tool, Schema>(
  conversations: Conversations,
  tool: OpencodeTool<Tool, Schema>,
): OpencodeHooks<Tool> {
  const host = new HostMessages(opencodeMessages)
  const { description, parameters } = recallTool()
  return {
    async 'experimental.chat.messages.transform'(_, output) {
      const read = readable('output', () => {
        const { messages } = output
        const last = messages.at(-1)?.info
        if (last === undefined) return undefined
        const options = { id: last.sessionID, ...known(messages) }
        return { messages, converted: host.toFormat(messages), options }
      })
      if (read === undefined) return
      const view = conversations.request(read.converted, read.options)
      readable('output', () => {
        const shown = host.toHost(read.messages, view.messages)
        // opencode uses this array after the hook, so it is changed in place.
        read.messages.splice(0, read.messages.length, ...shown)
      })
    },
    tool: {
      recall: tool({
        description,
        args: readable('tool', () => zodArguments(tool.schema, parameters)),
        execute: (args, context) => {
          const id = readable('context', () => context.sessionID)
          return Promise.resolve(opencodeOutput(answerRecallOf(conversations, id, args)))
        },
      }),
    },
    dispose: () => Promise.resolve(conversations[Symbol.dispose]()),
  }
}

/** The used part of the `info` of messages. */
interface Info {
  role: string
  model?: { modelID: string }
  tokens?: { input: number; output: number; cache: { read: number; write: number } }
}

/**
 * The model of the last prompt, and the usage of the last answer. opencode counts cached tokens separately
 * from the input.
 */
function known(messages: readonly OpencodeMessage[]): {
  model: string | undefined
  usage: object | undefined
} {
  const infos: Info[] = messages.map(({ info }) => info)
  const tokens = infos.findLast(({ role }) => role === 'assistant')?.tokens
  const model = infos.findLast(({ role }) => role === 'user')?.model?.modelID
  if (tokens === undefined) return { model, usage: undefined }
  const { input, output, cache } = tokens
  return { model, usage: { input: input + cache.read + cache.write, output } }
}
