import { readable } from '../base/check.js'
import { commonStart } from '../base/common-start.js'
import type { Context } from '../projection/context.js'
import type { LiveReport } from '../projection/types.js'

/** The view for a request. */
export interface View<M extends object> {
  messages: M[]
  report: LiveReport
}

/** The parts of a request outside its messages, for `Context.project`. */
export interface RequestOptions {
  /** The model that receives the request. */
  model?: string | undefined
  /** What precedes the messages: tools, a system prompt. */
  prefix?: string | undefined
}

/** How a list of messages continues a conversation. */
export interface Continuation {
  /** The history; equal messages are the objects that the conversation already has. */
  history: readonly object[]
  /** Number of messages that were known. */
  known: number
  /** Number of messages of the conversation that are missing or changed. */
  dropped: number
}

/** One conversation: its context, its originals, and the view of the last request. */
export class Conversation {
  /** The framework's own id, if given. */
  readonly id: string | undefined
  readonly context: Context
  /** The originals of the last request. */
  history: readonly object[] = []
  /** The view of the last request. */
  view: readonly object[] = []
  /** Number of requests. */
  requests = 0
  /** The time of the last request, in milliseconds. */
  #asked: number

  /**
   * @param from The conversation that this one branches from. The cache holds their common beginning since
   *   the last request of `from`.
   */
  constructor(id: string | undefined, context: Context, from?: Conversation) {
    this.id = id
    this.context = context
    this.#asked = from === undefined ? Number.POSITIVE_INFINITY : from.#asked
  }

  /**
   * Compares messages with this conversation. Messages that begin with its own view continue the originals of
   * that view.
   */
  continue(messages: readonly object[]): Continuation {
    const known = commonStart(this.history, messages)
    const shown = this.view.length
    if (known < this.history.length && shown > known && commonStart(this.view, messages) === shown) {
      const history = [...this.history, ...messages.slice(shown)]
      return { history, known: shown, dropped: 0 }
    }
    const history = [...this.history.slice(0, known), ...messages.slice(known)]
    return { history, known, dropped: this.history.length - known }
  }

  /**
   * Makes the view of a history to send.
   *
   * @param options.now Milliseconds. The time since the last request is the idle time of the prompt cache.
   */
  project<M extends object>(
    history: readonly M[],
    { model, prefix, now }: RequestOptions & { now: number },
  ): View<M> {
    const { messages, report } = this.context.project(history, {
      // Before the first request of this conversation, only the messages' timestamps can give the pause.
      ...(Number.isFinite(this.#asked)
        ? { idle: readable('now', () => Math.max(0, now - this.#asked) / 1000) }
        : {}),
      ...(model === undefined ? {} : { model }),
      ...(prefix === undefined ? {} : { prefix }),
    })
    this.history = history
    this.view = messages
    this.requests++
    this.#asked = now
    return { messages, report }
  }

  /** Learns from the usage of a request, unless another request has followed it. */
  calibrate(request: number, usage: unknown): void {
    if (request === this.requests && request > 0) this.context.calibrate(usage as object)
  }
}
