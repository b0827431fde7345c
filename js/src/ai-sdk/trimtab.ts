/// <reference lib="esnext.disposable" preserve="true" />

import { type AdapterOptions, Conversations } from '../adapters/conversations.js'
import { type RecallOutput, recallOutput } from '../adapters/recall-output.js'
import { type RecallArguments, type ToolSchema, toolSchema } from '../adapters/tool-schema.js'
import { checkOptions, NAMED } from '../base/check.js'
import type { Policy } from '../generated/types.js'
import { recallTool } from '../history/recall.js'
import { type ModelMiddleware, modelMiddleware } from './middleware.js'

/** What `prepareStep` is told, as far as it is used here. */
export interface Step<M extends object> {
  messages: M[]
  /** The steps so far: the usage of the last one corrects estimates. */
  steps: readonly { usage: object }[]
  model: string | { modelId: string }
}

/** Tools for `generateText`, `streamText` and agents. (No interface: so it is also a `ToolSet`.) */
export type AiSdkTools = {
  /** Gives the model back what was cleared, from the messages of the call that it belongs to. */
  recall: {
    description: string
    inputSchema: ToolSchema<RecallArguments>
    execute(args: RecallArguments, options: { messages: object[] }): string | object
    toModelOutput(result: { output: string | object }): RecallOutput
  }
}

/** What {@link trimtab} gives, over the same conversations. One of `middleware`, `prepareStep` and `view` is enough. */
export interface AiSdkTrimtab extends Disposable {
  /** For `wrapLanguageModel` of AI SDK 7. */
  readonly middleware: ModelMiddleware<'v4'>
  /** For `wrapLanguageModel` of AI SDK 6. */
  readonly middlewareV3: ModelMiddleware<'v3'>
  /** For `generateText`, `streamText` and agents of AI SDK 6 and 7, instead of a wrapped model. */
  prepareStep<M extends object>(step: Step<M>): { messages: M[] }
  /** The view of a list of `ModelMessage` or `UIMessage`, where neither of them is at hand. */
  view<M extends object>(messages: readonly M[], options?: { id?: string }): M[]
  /** The tool `recall`, for `tools`. */
  readonly tools: AiSdkTools
}

const VIEW_OPTIONS = { id: NAMED }

/**
 * Trims what the models of an AI SDK application see; what the application holds stays whole.
 *
 * A conversation is known by `providerOptions: { trimtab: { id } }` of a call, and without by its messages. The
 * reported usage corrects estimates automatically.
 *
 * @param policy What to do; rolling context when absent.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab(policy?: Policy, options: AdapterOptions = {}): AiSdkTrimtab {
  const conversations = new Conversations(policy, options)
  const { description, parameters } = recallTool()
  return {
    middleware: modelMiddleware(conversations, 'v4'),
    middlewareV3: modelMiddleware(conversations, 'v3'),
    prepareStep({ messages, steps, model }) {
      const modelId = typeof model === 'string' ? model : model.modelId
      const usage = steps.at(-1)?.usage
      return { messages: conversations.request(messages, { model: modelId, usage }).messages }
    },
    view(messages, options = {}) {
      options = checkOptions(options, VIEW_OPTIONS, 'view')
      return conversations.request(messages, options).messages
    },
    tools: {
      recall: {
        description,
        inputSchema: toolSchema(parameters),
        execute: (args, { messages }) => conversations.answerRecall(args, messages),
        toModelOutput: ({ output }) => recallOutput(output),
      },
    },
    [Symbol.dispose]: () => conversations[Symbol.dispose](),
  }
}
