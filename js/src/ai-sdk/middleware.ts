import type { Conversations, Request } from '../adapters/conversations.js'

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
    async transformParams({ params, model }) {
      const { prompt, tools = [], providerOptions: { trimtab, ...providerOptions } = {} } = params
      const request = conversations.request(prompt, {
        id: asId(trimtab?.id),
        model: model.modelId,
        prefix: JSON.stringify(tools),
        tools,
      })
      requests.set(request.messages, request)
      const isNamed = trimtab !== undefined
      return { ...params, prompt: request.messages, ...(isNamed ? { providerOptions } : {}) }
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate()
      requests.get(params.prompt)?.calibrate(result.usage)
      return result
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream()
      const request = requests.get(params.prompt)
      const stream = result.stream.pipeThrough(
        new TransformStream(reader((usage) => request?.calibrate(usage))),
      )
      return { ...result, stream }
    },
  }
}

/** Passes through every part of a stream, and reports the usage in the last one. */
function reader(learn: (usage: unknown) => void): Transformer<{ type?: unknown; usage?: unknown }, object> {
  return {
    transform(part, controller) {
      if (part.type === 'finish') learn(part.usage)
      controller.enqueue(part)
    },
  }
}

const asId = (id: unknown): string | undefined => (typeof id === 'string' && id !== '' ? id : undefined)
