import type { MessageFacts } from 'trimtab'
import type { FileView } from 'trimtab/reading'
import { Conversation } from './agent/conversation.js'
import type { Decider, Decisions, Start } from './agent/decisions.js'
import { RecordedHistory } from './agent/history.js'
import type { Files } from './agent/places.js'
import type { SentRequest } from './agent/requests.js'
import type { SavedConversation } from './agent/saved-conversation.js'
import type { NotCompacted } from './agent/segments.js'
import type { Outlined } from './content/outlined.js'
import { type PackedView, Unpacking } from './worker/packed-view.js'
import { Portions } from './worker/portions.js'
import type {
  Asked,
  LoadedConversation,
  PackedCompaction,
  PackedRequest,
  Told,
  Work,
} from './worker/protocol.js'
import { NO_WORKER, startWorker } from './worker/start.js'

/** An error in the worker. */
export class WorkFailed extends Error {
  constructor(
    message: string,
    /** The code of a `TrimtabError`. */
    readonly code?: string,
  ) {
    super(message)
  }
}

interface Waiting {
  resolve(value: unknown): void
  reject(reason: Error): void
}

/**
 * Runs the work of one conversation in a worker, so that the page never blocks: deciding requests, saving and loading.
 * The worker has a copy of the conversation's messages; each is transferred once.
 */
export class Desk implements Decider {
  #worker: Worker | null = null
  #portions = new Portions()
  /** Identifies the `Start` that the worker currently decides from. */
  #deciding: object | null = null
  #isClosing = false
  /** Number of callers that will still ask for something. */
  #holds = 0
  #number = 0
  readonly #waiting = new Map<number, Waiting>()
  #onRead: (told: Told & { kind: 'read' }) => void = () => {}
  /** Orders the requests to the worker, each after the messages that it needs. */
  #order: Promise<unknown> = Promise.resolve()

  /** Returns decisions that are computed in the worker. */
  decide(start: () => Start): Decisions {
    let unpacking = new Unpacking()
    const deciding = {}
    const ask = async (work: Work, messages?: readonly object[]) =>
      this.#ask(work, messages, () => {
        if (this.#deciding === deciding) return
        this.#deciding = deciding
        // The worker starts anew, and so does what it sends: it may be another worker than before.
        unpacking = new Unpacking()
        this.#post({ kind: 'decide', start: start() })
      })
    return {
      async next(messages, now) {
        const { view, request, state } = (await ask({ kind: 'next', now }, messages)) as PackedRequest
        return { view: unpacking.unpack(view, messages), request, state }
      },
      ahead: async (messages, now) => (await ask({ kind: 'ahead', now }, messages)) as SentRequest,
      async endTurn(messages) {
        return unpacking.unpack((await ask({ kind: 'endTurn' }, messages)) as PackedView, messages)
      },
      async compact(messages, how) {
        const made = (await ask({ kind: 'compact', how }, messages)) as PackedCompaction | NotCompacted
        if (typeof made === 'string') return made
        const { view, ...about } = made
        return { ...about, messages: new Unpacking().unpack(view, messages) }
      },
      recall: async (args) => (await ask({ kind: 'recall', args })) as string | object,
      close: () => {
        if (this.#deciding === deciding) this.#deciding = null
      },
    }
  }

  /**
   * Saves a conversation; returns whether anything had changed.
   *
   * @throws {WorkFailed} with the code `conflict` if another tab saved it since this desk loaded or saved it.
   */
  async save({ messages, ...conversation }: SavedConversation, files: Files): Promise<boolean> {
    return (await this.#ask({ kind: 'save', conversation, files }, messages)) as boolean
  }

  /** Loads a saved conversation with the files that it changed; `null` if there is none. */
  async load(id: string): Promise<{ conversation: Conversation; files: Files } | null> {
    const messages: object[] = []
    const facts: MessageFacts[] = []
    this.#onRead = (told) => {
      messages.push(...told.messages)
      facts.push(...told.facts)
    }
    const loaded = (await this.#ask({ kind: 'load', id })) as LoadedConversation | undefined
    if (loaded === undefined) return null
    this.#portions = new Portions(messages)
    const { conversation, files } = loaded
    const history = new RecordedHistory(messages, conversation.format, facts)
    const saved = { ...conversation, messages }
    return { conversation: Conversation.fromJSON(saved, { history, decider: this }), files }
  }

  /** Returns the outline view of a file. */
  async view(file: Outlined): Promise<FileView> {
    return (await this.#ask({ kind: 'view', file })) as FileView
  }

  /**
   * Keeps the worker until the returned function is called, also if the desk is closed: another worker would not know
   * what this one has stored, and could not replace it.
   */
  hold(): () => void {
    this.#holds += 1
    return () => {
      this.#holds -= 1
      this.#endIfDone()
    }
  }

  /** Ends the worker once all pending requests are answered, and nobody holds it. */
  close(): void {
    this.#isClosing = true
    this.#endIfDone()
  }

  async #ask(work: Work, messages?: readonly object[], before = () => {}): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#number += 1
    const number = this.#number
    this.#waiting.set(number, { resolve, reject })
    const post = async () => {
      if (messages !== undefined) await this.#portions.bring(messages, (asked) => this.#post(asked))
      before()
      this.#post({ kind: 'work', number, work })
    }
    // What follows must not fail with it.
    this.#order = this.#order.then(post).catch((error: unknown) => {
      this.#waiting.delete(number)
      reject(error instanceof Error ? error : new Error(String(error)))
    })
    return promise
  }

  #post(asked: Asked): void {
    this.#worker ??= this.#started()
    this.#worker.postMessage(asked)
  }

  #started(): Worker {
    const worker = startWorker()
    worker.onmessage = ({ data }: MessageEvent<Told>) => this.#take(data)
    worker.onerror = () => {
      // First, so that what is asked from now on starts another worker.
      this.#end()
      for (const number of this.#waiting.keys()) this.#take({ kind: 'failed', number, reason: NO_WORKER })
    }
    return worker
  }

  #take(told: Told): void {
    if (told.kind === 'read') this.#onRead(told)
    if ((told.kind !== 'answer' && told.kind !== 'failed') || told.number === undefined) return
    const waiting = this.#waiting.get(told.number)
    this.#waiting.delete(told.number)
    if (told.kind === 'answer') waiting?.resolve(told.value)
    else waiting?.reject(new WorkFailed(told.reason, told.code))
    this.#endIfDone()
  }

  #endIfDone(): void {
    if (this.#isClosing && this.#holds === 0 && this.#waiting.size === 0) this.#end()
  }

  #end(): void {
    this.#worker?.terminate()
    this.#worker = null
    this.#deciding = null
    this.#portions = new Portions()
  }
}
