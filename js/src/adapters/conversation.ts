import { commonStart } from '../base/common-start.js'
import type { Context } from '../projection/context.js'
import type { LiveReport } from '../projection/types.js'

/** What a request shows the model. */
export interface View<M extends object> {
  messages: M[]
  report: LiveReport
}

/** What a request has beside its messages, as `Context.project` takes it. */
export interface RequestOptions {
  /** The model that it goes to. */
  model?: string | undefined
  /** What stands before the messages: tools, a system prompt. */
  prefix?: string | undefined
}

/** How a list of messages goes on from what a conversation has. */
export interface Continuation {
  /** The history, in the objects that the conversation knows where they say the same. */
  history: readonly object[]
  /** How many of its messages were known. */
  known: number
  /** How many messages of the conversation it does not have, or has otherwise. */
  dropped: number
}

/** One conversation: its context, its originals, and the view of the request that was made last. */
export class Conversation {
  /** The framework's own id, where it was given. */
  readonly id: string | undefined
  readonly context: Context
  #history: readonly object[] = []
  #view: readonly object[] = []
  #requests = 0
  /** When the last request was made, in milliseconds. */
  #asked: number

  /** @param from The conversation that it leaves: the cache holds what both begin with since that one's last request. */
  constructor(id: string | undefined, context: Context, from?: Conversation) {
    this.id = id
    this.context = context
    this.#asked = from === undefined ? Number.POSITIVE_INFINITY : from.#asked
  }

  /** How messages go on from this conversation; a conversation's own view stands for what it was made of. */
  continue(messages: readonly object[]): Continuation {
    const known = commonStart(this.#history, messages)
    const shown = this.#view.length
    if (known < this.#history.length && shown > known && commonStart(this.#view, messages) === shown) {
      const history = [...this.#history, ...messages.slice(shown)]
      return { history, known: shown, dropped: 0 }
    }
    const history = [...this.#history.slice(0, known), ...messages.slice(known)]
    return { history, known, dropped: this.#history.length - known }
  }

  /** The originals, as they were at the last request. */
  get history(): readonly object[] {
    return this.#history
  }

  /** How many requests were made. */
  get requests(): number {
    return this.#requests
  }

  /**
   * The view of a history to send.
   *
   * @param options.now In milliseconds: the time since the last request is what the prompt cache has rested.
   */
  project<M extends object>(
    history: readonly M[],
    { model, prefix, now }: RequestOptions & { now: number },
  ): View<M> {
    const { messages, report } = this.context.project(history, {
      // Of what was before this conversation's first request the messages may know.
      ...(Number.isFinite(this.#asked) ? { idle: Math.max(0, now - this.#asked) / 1000 } : {}),
      ...(model === undefined ? {} : { model }),
      ...(prefix === undefined ? {} : { prefix }),
    })
    this.#history = history
    this.#view = messages
    this.#requests++
    this.#asked = now
    return { messages, report }
  }

  /** Learns from the usage of a request; of one that another has followed since, nothing can be learned. */
  calibrate(request: number, usage: unknown): void {
    if (request === this.#requests && request > 0) this.context.calibrate(usage as object)
  }
}
