/// <reference lib="esnext.disposable" preserve="true" />

import { type AdapterOptions, Conversations, type Request } from '../adapters/conversations.js'
import { PendingCalls, UNKNOWN_CALL } from '../adapters/pending-calls.js'
import { type RecallOutput, recallOutput } from '../adapters/recall-output.js'
import { type RecallArguments, type ToolSchema, toolSchema } from '../adapters/tool-schema.js'
import { check, OBJECT, readable } from '../base/check.js'
import { asRecord } from '../base/json.js'
import type { Policy } from '../generated/types.js'
import { RECALL, recallTool } from '../history/recall.js'

/** The used part of the arguments of `processInputStep`. */
export interface InputStep {
  tools?: Record<string, unknown>
  state: Record<string, unknown>
}

/** The used part of the arguments of `processLLMRequest`. */
export interface ModelCall<M extends object> {
  prompt: M[]
  model: object
  state: Record<string, unknown>
}

/** The used part of the arguments of `processLLMResponse`. */
export interface ModelReply {
  chunks: readonly { type: string; payload?: unknown }[]
  state: Record<string, unknown>
  fromCache: boolean
}

/** A processor for `inputProcessors`. The view is made for the call only; what Mastra stores is unchanged. */
export interface TrimtabProcessor {
  readonly id: 'trimtab'
  /** Only looks at the tools, which the other methods do not receive. */
  processInputStep(step: InputStep): undefined
  processLLMRequest<M extends object>(call: ModelCall<M>): { prompt: M[] }
  processLLMResponse(reply: ModelReply): void
}

/** The argument of `createTool`. */
export interface MastraRecall {
  id: 'recall'
  description: string
  inputSchema: ToolSchema<RecallArguments>
  execute(args: RecallArguments, context: object): Promise<string | object>
  toModelOutput(output: unknown): RecallOutput
}

/** The result of {@link trimtab}. All members share the same conversations. */
export interface MastraTrimtab extends Disposable {
  /** For `inputProcessors` of an agent, last in the list. */
  readonly processor: TrimtabProcessor
  /** For `createTool(recall)`: returns cleared results to the model. */
  readonly recall: MastraRecall
}

/**
 * Trims what the models of Mastra's agents see; memory, streams and stored messages keep the originals. A
 * conversation is identified by its messages. Reported usage corrects estimates automatically.
 *
 * @param policy The policy; cache-aware by default.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab(policy?: Policy, options: AdapterOptions = {}): MastraTrimtab {
  const conversations = new Conversations(policy, options, 'ai-sdk')
  const calls = new PendingCalls()
  const made = new WeakMap<object, { prompt: readonly object[]; request: Request<object> }>()
  const offered = new WeakMap<object, readonly object[]>()
  const { description, parameters } = recallTool()
  return {
    processor: {
      id: 'trimtab',
      processInputStep(step) {
        readable('step', () => offered.set(step.state, namedTools(step.tools ?? {})))
      },
      processLLMRequest<M extends object>(call: ModelCall<M>) {
        const { prompt, state, ...options } = readable('call', () => {
          const { prompt, model, state } = call
          const { modelId } = model as { modelId?: unknown }
          const tools = offered.get(check('state', state, OBJECT))
          return { prompt, state, tools, model: typeof modelId === 'string' ? modelId : undefined }
        })
        const request = conversations.request(prompt, options)
        made.set(state, { prompt, request })
        return { prompt: request.messages }
      },
      processLLMResponse: (reply) =>
        conversations.learn(() => {
          const { chunks, state, fromCache } = reply
          const last = made.get(state)
          if (last === undefined) return
          const { recall = RECALL } = last.request
          for (const { type, payload } of chunks) {
            const { toolName, toolCallId, output } = (payload ?? {}) as ChunkPayload
            if (type === 'tool-call' && toolName === recall && toolCallId !== undefined)
              calls.add(toolCallId, last.prompt)
            if (type === 'finish' && !fromCache) last.request.calibrate(output?.usage)
          }
        }),
    },
    recall: {
      id: RECALL,
      description,
      inputSchema: toolSchema(parameters),
      execute(args, context) {
        const called = context as { agent?: { toolCallId: string } }
        const prompt = calls.take(readable('context', () => called.agent?.toolCallId))
        return Promise.resolve(prompt === undefined ? UNKNOWN_CALL : conversations.answerRecall(args, prompt))
      },
      toModelOutput: (output) => readable('output', () => recallOutput(output as string | object)),
    },
    [Symbol.dispose]: () => conversations[Symbol.dispose](),
  }
}

/** Mastra names tools by their keys. */
const namedTools = (tools: Record<string, unknown>): object[] =>
  Object.entries(tools).map(([name, tool]) => ({ name, description: asRecord(tool)?.description }))

/** The used part of a chunk's payload. */
interface ChunkPayload {
  toolName?: string
  toolCallId?: string
  output?: { usage?: unknown }
}
