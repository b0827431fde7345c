import { reasonOf } from '../base/error.js'
import { given } from '../base/json.js'
import { estimateByBytes } from '../tokens/byte-estimate.js'
import {
  AnswerIsError,
  ask,
  CURATOR_DEFAULTS,
  type Curator,
  type CuratorRequest,
  type CuratorSettings,
  type Heard,
} from './curator.js'
import { type Curation, errorIn, parseCuration } from './parse-curation.js'
import { type CuratorPrompt, type CuratorPromptOptions, writePrompt } from './prompt.js'
import type { TimeLimit } from './time-limit.js'

/** Why a model did not curate a file, or nothing did. */
export interface Fallback {
  /**
   * `call_failed`: the curator threw. `timed_out`: it exceeded the time limit. `answered_error`: it returned an error.
   * `unreadable_answer`: its answer has no valid line ranges. `too_large`: the file does not fit in its context window.
   * `no_match`: there is no curator, and nothing in the file matches the conversation.
   */
  reason: 'call_failed' | 'timed_out' | 'answered_error' | 'unreadable_answer' | 'too_large' | 'no_match'
  message: string
}

/** Result of asking the model. */
export interface Curated {
  curation?: Curation
  fallback?: Fallback
  /** The model's thinking in all its attempts. */
  thinking: string
  /** Number of calls. */
  iterations: number
}

export interface CurateOptions extends CuratorPromptOptions {
  curator: Curator
  settings: CuratorSettings
  /** The host's. */
  signal: AbortSignal | undefined
  limit: TimeLimit
  onChunk(kind: 'thinking' | 'content', text: string): void
}

/**
 * Asks the host's model which lines matter. A failure of the model does not throw: it is returned in `fallback`.
 *
 * @throws The abort reason of the host's signal, and nothing else.
 */
export async function curate(options: CurateOptions): Promise<Curated> {
  const { curator, signal, limit, onChunk } = options
  const { temperature, maxIterations, contextWindow } = {
    ...CURATOR_DEFAULTS,
    ...given(options.settings),
  }
  const base = writePrompt(options)
  const size = estimateByBytes(base.system + base.prompt)
  if (size > contextWindow) {
    const message = `the file takes about ${size} tokens, and the curator's window has ${contextWindow}`
    return { fallback: { reason: 'too_large', message }, thinking: '', iterations: 0 }
  }
  const curated: Curated = { thinking: '', iterations: 0 }
  try {
    for (let iteration = 1; iteration <= maxIterations; iteration++) {
      const prompt = iteration === 1 ? base : askedAgain(base, curated.fallback)
      const request: CuratorRequest = {
        ...prompt,
        temperature,
        contextWindow,
        iteration,
        signal: limit.signal,
      }
      curated.iterations = iteration
      const heard = await ask(curator, request, onChunk)
      curated.thinking += heard.thinking
      Object.assign(curated, judged(heard, options.lines.length))
      if (curated.curation !== undefined) {
        delete curated.fallback
        break
      }
    }
  } catch (error) {
    signal?.throwIfAborted()
    curated.fallback = failureOf(error, limit)
  }
  return curated
}

function judged({ content }: Heard, totalLines: number): Pick<Curated, 'curation' | 'fallback'> {
  const curation = parseCuration(content, totalLines)
  if (curation !== undefined) return { curation }
  const error = errorIn(content)
  if (error !== undefined) return { fallback: { reason: 'answered_error', message: error } }
  const message = 'the answer holds no line ranges of this file'
  return { fallback: { reason: 'unreadable_answer', message } }
}

function askedAgain(base: CuratorPrompt, fallback: Fallback | undefined): CuratorPrompt {
  const advice = `Your last answer could not be used: ${fallback?.message ?? ''}. Answer with the JSON object only.`
  return { system: base.system, prompt: `${base.prompt}\n\n${advice}` }
}

function failureOf(error: unknown, { isOver, milliseconds }: TimeLimit): Fallback {
  if (isOver) return { reason: 'timed_out', message: `the curator took more than ${milliseconds} ms` }
  const message = reasonOf(error)
  return { reason: error instanceof AnswerIsError ? 'answered_error' : 'call_failed', message }
}
