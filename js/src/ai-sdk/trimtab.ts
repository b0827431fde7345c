/// <reference lib="esnext.disposable" preserve="true" />

import {
  type AdapterOptions,
  answerRecallFrom,
  Conversations,
  type NextRequest,
} from '../adapters/conversations.js'
import { type RecallOutput, recallOutput } from '../adapters/recall-output.js'
import { type RecallArguments, type ToolSchema, toolSchema } from '../adapters/tool-schema.js'
import { checkMessages, checkOptions, NAMED, readable } from '../base/check.js'
import { isArray } from '../base/json.js'
import type { Policy } from '../generated/types.js'
import { recallTool } from '../history/recall.js'
import { MadeViews } from './made-views.js'
import { type ModelMiddleware, modelMiddleware } from './middleware.js'
import { alikeTo } from './other-forms.js'

/** The used part of the arguments of `prepareStep`. */
export interface Step<M extends object> {
  messages: M[]
  /** The steps so far; the usage of the last one corrects estimates. */
  steps: readonly { usage: object }[]
  model: string | { modelId: string }
  /** The messages with which the run began, the same array in each of its steps. AI SDK 7 has it. */
  initialMessages?: readonly object[] | undefined
}

/** Tools for `generateText`, `streamText` and agents. (A type alias, so that it is also a `ToolSet`.) */
export type AiSdkTools = {
  /** Returns cleared results to the model, from the messages of the call that it belongs to. */
  recall: {
    description: string
    inputSchema: ToolSchema<RecallArguments>
    execute(args: RecallArguments, options: { messages: object[] }): string | object
    toModelOutput(result: { output: string | object }): RecallOutput
  }
}

/**
 * The result of {@link trimtab}. All members share the same conversations. One of `middleware`, `prepareStep`
 * and `view` is enough.
 */
export interface AiSdkTrimtab extends Disposable {
  /** For `wrapLanguageModel` of AI SDK 7. */
  readonly middleware: ModelMiddleware<'v4'>
  /** For `wrapLanguageModel` of AI SDK 6. */
  readonly middlewareV3: ModelMiddleware<'v3'>
  /** For `generateText`, `streamText` and agents of AI SDK 6 and 7, instead of a wrapped model. */
  prepareStep<M extends object>(step: Step<M>): { messages: M[] }
  /**
   * Returns the view of a list of `ModelMessage` or `UIMessage`, where neither the middleware nor
   * `prepareStep` can be used.
   */
  view<M extends object>(messages: readonly M[], options?: { id?: string | undefined }): M[]
  /** The tool `recall`, for `tools`. */
  readonly tools: AiSdkTools
}

const VIEW_OPTIONS = { id: NAMED }

/**
 * Trims what the models of an AI SDK application see; the application keeps all its messages.
 *
 * A conversation is identified by `providerOptions: { trimtab: { id } }` of a call, or else by its messages.
 * The reported usage corrects estimates automatically.
 *
 * @param policy The policy; cache-aware by default.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab(policy?: Policy, options: AdapterOptions = {}): AiSdkTrimtab {
  const conversations = new Conversations(policy, options)
  const { description, parameters } = recallTool()
  const made = new MadeViews()

  function viewOf<M extends object>(messages: readonly M[], options: NextRequest, run?: object): M[] {
    const { messages: view, history } = conversations.request(messages, options)
    made.add({ view, history }, run)
    return view
  }

  /** Where `recall` searches for what the messages of its call show. Rarely more than the first is needed. */
  function* historiesOf(messages: readonly object[]): Generator<readonly object[]> {
    yield readable('options', () => made.originalsOf(messages))
    yield* readable('options', () => alikeTo(messages, conversations.known)).toReversed()
    yield messages
  }

  return {
    middleware: modelMiddleware(conversations, 'v4'),
    middlewareV3: modelMiddleware(conversations, 'v3'),
    prepareStep(step) {
      const { messages, run, ...options } = readable('step', () => {
        const { messages, steps, model, initialMessages } = step
        const run = isArray(initialMessages) ? initialMessages : undefined
        return {
          messages: made.nextOf(checkMessages(messages), run),
          run,
          model: typeof model === 'string' ? model : model.modelId,
          usage: steps.at(-1)?.usage,
        }
      })
      return { messages: viewOf(messages, options, run) }
    },
    view(messages, options = {}) {
      messages = checkMessages(messages)
      // A getter or proxy of the host that throws does so here.
      readable(
        'messages',
        () => messages.map((message: { role?: unknown }) => message.role),
        'unreadable_message',
      )
      options = checkOptions(options, VIEW_OPTIONS, 'view')
      return viewOf(messages, options)
    },
    tools: {
      recall: {
        description,
        inputSchema: toolSchema(parameters),
        execute: (args, options) => {
          const messages = readable('options', () => options.messages)
          return answerRecallFrom(historiesOf(messages), args)
        },
        toModelOutput: (result) => readable('result', () => recallOutput(result.output)),
      },
    },
    [Symbol.dispose]: () => conversations[Symbol.dispose](),
  }
}
