import { type ChatCompletionChunk, Wllama } from '@wllama/wllama/esm/index.js'
import wasm from '@wllama/wllama/esm/wasm/wllama.wasm?url'
import { type Model, ModelError } from '../agent/model.js'
import { reasonOf } from '../agent/reason.js'
import { openai } from './openai.js'
import type { PageModel } from './page-model.js'
import type { Fields } from './wire.js'

/** Maximum tokens of an answer: a small model may not stop by itself. */
const LONGEST = 1024

const SYSTEM = 'You are a helpful assistant. Answer in a few sentences.'

const nothing = () => {}
/** Errors are reported in the chat instead. */
const SILENT = { debug: nothing, log: nothing, warn: nothing, error: nothing }

/** The loaded model. One at a time, as each takes as much memory as its file. */
let loaded: { of: PageModel; llama: Promise<Wllama> } | null = null

/**
 * Loads a model that llama.cpp runs in a worker of the page. It only answers with text: a small model does not use
 * tools reliably.
 */
export async function llamaModel(of: PageModel): Promise<Model> {
  if (loaded?.of !== of) {
    const before = loaded?.llama
    loaded = { of, llama: started(of) }
    void before?.then((llama) => llama.exit()).catch(() => {})
  }
  const { llama } = loaded
  const running = await llama.catch((error: unknown) => {
    loaded = null
    throw new ModelError(`${of.name} cannot be run here: ${reasonOf(error)}`)
  })
  return {
    format: 'openai-chat',
    async *answer({ messages, signal }) {
      const reader = openai.reader({ messages })
      for await (const chunk of asked(running, of, messages, signal))
        yield* reader.read(chunk as unknown as Fields)
      signal.throwIfAborted()
      yield { type: 'answer', messages: reader.messages(), isCut: reader.isCut }
    },
  }
}

/** Yields the parts of an answer. After an abort they are read to their end, so that none fails without a reader. */
async function* asked(
  llama: Wllama,
  { name }: PageModel,
  messages: readonly object[],
  abortSignal: AbortSignal,
): AsyncIterable<ChatCompletionChunk> {
  try {
    const parts = await llama.createChatCompletion({
      messages: [{ role: 'system', content: SYSTEM }, ...(messages as [])],
      stream: true,
      max_tokens: LONGEST,
      // Small models answer best with the most likely tokens.
      temperature: 0,
      abortSignal,
    })
    for await (const part of parts) if (!abortSignal.aborted) yield part
  } catch (error) {
    abortSignal.throwIfAborted()
    throw new ModelError(`${name} did not answer: ${reasonOf(error)}`)
  }
}

async function started({ file, window }: PageModel): Promise<Wllama> {
  const llama = new Wllama({ default: wasm }, { suppressNativeLog: true, logger: SILENT })
  // The fallback for older browsers would be downloaded from another server.
  llama.setCompat(null)
  await llama.loadModel([file], { n_ctx: window, n_gpu_layers: 0, n_parallel: 1 })
  return llama
}
