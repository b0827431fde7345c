import { checkOptions, kind } from '../base/check.js'
import type { Complete } from '../base/json.js'
import { orAborted } from '../base/or-aborted.js'
import type { CuratorPrompt } from './prompt.js'

/** Request to a model: the prompt, and the settings that document "Unified read_file" runs it with. */
export interface CuratorRequest extends CuratorPrompt {
  temperature: number
  /** Context window that the request was planned for, in tokens. */
  contextWindow: number
  /** Number of this attempt, from 1. */
  iteration: number
  /** Aborted when the result is no longer needed: time limit reached, or aborted by the host. */
  signal: AbortSignal
}

/** A piece of a model's answer. A string is content. */
export type CuratorChunk = string | { kind: 'thinking' | 'content'; text: string }

/** A complete answer: its text, or an error. */
export type CuratorAnswer = string | { content: string; thinking?: string } | { error: string }

/** The host's model: returns a complete answer, or a stream of its pieces. */
export type Curator = (
  request: CuratorRequest,
) => CuratorAnswer | Promise<CuratorAnswer> | AsyncIterable<CuratorChunk>

/** Settings for calling the curator. */
export interface CuratorSettings {
  /** Default 0.3. */
  temperature?: number | undefined
  /** Maximum number of calls, if its answer cannot be parsed. Default 2. */
  maxIterations?: number | undefined
  /** Context window of the prompt in tokens (estimates): a file that does not fit is not sent. Default 16,000. */
  contextWindow?: number | undefined
  /** Time limit for all calls together, or for the wait for those of an equal read, in milliseconds. Default 60,000. */
  timeLimit?: number | undefined
}

/** The default {@link CuratorSettings}. */
export const CURATOR_DEFAULTS: Complete<CuratorSettings> = Object.freeze({
  temperature: 0.3,
  maxIterations: 2,
  contextWindow: 16_000,
  timeLimit: 60_000,
})

const NUMBER = kind<number>('a number from 0 on', (value) => typeof value === 'number' && value >= 0)
const CURATOR_SETTINGS = {
  temperature: NUMBER,
  maxIterations: kind<number>('a number from 1 on', (value) => typeof value === 'number' && value >= 1),
  contextWindow: NUMBER,
  timeLimit: NUMBER,
}

/** @throws {TrimtabError} `invalid_option`. */
export function checkedSettings(settings: CuratorSettings): CuratorSettings {
  return checkOptions(settings, CURATOR_SETTINGS, 'curatorSettings')
}

/** A model's answer, split into content and thinking. */
export interface Heard {
  content: string
  thinking: string
}

/** The model, or the host's function around it, returned an error instead of an answer. */
export class AnswerIsError extends Error {}

/** Calls the curator once, and passes each piece to `onChunk`. Rejects as soon as the signal aborts. */
export async function ask(
  curator: Curator,
  request: CuratorRequest,
  onChunk: (kind: 'thinking' | 'content', text: string) => void,
): Promise<Heard> {
  const heard: Heard = { content: '', thinking: '' }
  const add = (kind: 'thinking' | 'content', text: unknown) => {
    if (typeof text !== 'string' || text === '') return
    heard[kind] += text
    onChunk(kind, text)
  }
  request.signal.throwIfAborted()
  const answer = curator(request)
  if (isIterable(answer)) {
    for await (const chunk of untilAborted(answer, request.signal)) {
      if (typeof chunk === 'string') add('content', chunk)
      else add(chunk?.kind === 'thinking' ? 'thinking' : 'content', chunk?.text)
    }
    return heard
  }
  const whole = await orAborted(answer, request.signal)
  if (typeof whole === 'string') add('content', whole)
  else if (whole !== null && typeof whole === 'object' && 'error' in whole)
    throw new AnswerIsError(String(whole.error))
  else {
    add('thinking', whole?.thinking)
    add('content', whole?.content)
  }
  return heard
}

function isIterable(answer: unknown): answer is AsyncIterable<CuratorChunk> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
}

/** Yields the pieces until the signal aborts: a model that hangs must not block the read. */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let isDone = false
  try {
    for (;;) {
      const next = await orAborted(iterator.next(), signal)
      isDone = next.done === true
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // Not awaited: an iterator that hangs would hang here too.
    if (!isDone) iterator.return?.()?.then(undefined, () => undefined)
  }
}
