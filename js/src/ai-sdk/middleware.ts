import type { Conversations, Request } from '../adapters/conversations.js'
import { readable } from '../base/check.js'

/** The used part of a model call's options (`LanguageModelV4CallOptions`, `LanguageModelV3CallOptions`). */
export interface CallParams {
  prompt: object[]
  tools?: object[] | undefined
  providerOptions?: Record<string, Record<string, unknown>> | undefined
}

/**
 * Middleware for `wrapLanguageModel`, in the form that AI SDK 6 and 7 share. The application keeps its
 * messages unchanged: the view is made for the call only.
 */
export interface ModelMiddleware<Version extends string> {
  readonly specificationVersion: Version
  /** Replaces the prompt with the view. */
  transformParams<P extends CallParams>(call: { params: P; model: { modelId: string } }): Promise<P>
  /** Learns from the usage of an answer. */
  wrapGenerate<R extends { usage: object }>(call: {
    doGenerate: () => PromiseLike<R>
    params: CallParams
  }): Promise<R>
  /** Learns from the usage at the end of a streamed answer. */
  wrapStream<R extends { stream: ReadableStream }>(call: {
    doStream: () => PromiseLike<R>
    params: CallParams
  }): Promise<R>
}

/** Creates the middleware for these conversations. */
export function modelMiddleware<Version extends string>(
  conversations: Conversations,
  specificationVersion: Version,
): ModelMiddleware<Version> {
  const requests = new WeakMap<object, Request<object>>()
  return {
    specificationVersion,
    async transformParams(call) {
      const { prompt, own, ...options } = readable('params', () => {
        const own = { ...call.params }
        const { prompt, tools = [], providerOptions: { trimtab, ...providerOptions } = {} } = own
        if (trimtab !== undefined) own.providerOptions = providerOptions
        const prefix = JSON.stringify(tools)
        return { own, prompt, tools, prefix, model: call.model.modelId, id: asId(trimtab?.id) }
      })
      const request = conversations.request(prompt, options)
      requests.set(request.messages, request)
      return { ...own, prompt: request.messages }
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate()
      conversations.learn(() => requests.get(params.prompt)?.calibrate(result.usage))
      return result
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream()
      return readable('result', () => {
        const request = requests.get(params.prompt)
        const learn = (part: Part) =>
          conversations.learn(() => {
            if (part.type === 'finish') request?.calibrate(part.usage)
          })
        return { ...result, stream: result.stream.pipeThrough(new TransformStream(reader(learn))) }
      })
    },
  }
}

interface Part {
  type?: unknown
  usage?: unknown
}

/** Passes through every part of a stream, and reports the usage in the last one. */
function reader(learn: (part: Part) => void): Transformer<Part, object> {
  return {
    transform(part, controller) {
      learn(part)
      controller.enqueue(part)
    },
  }
}

const asId = (id: unknown): string | undefined => (typeof id === 'string' && id !== '' ? id : undefined)
