import { Context, type EditReport, type Format, type Policy, project, type State } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { RecordedHistory } from './history.js'
import { Accounts, idleSince, type SentRequest } from './requests.js'
import type { Compacted, Compacting, NotCompacted } from './segments.js'

/** What a conversation's next request is decided from, beside its messages. */
export interface Start {
  readonly format: Format
  readonly policy: Policy
  /** What was decided so far. */
  readonly state?: State
  /** The request before, and the edits that it had. */
  readonly last?: SentRequest
  readonly edits: readonly EditReport[]
}

/** A request as it was decided. */
export interface Decided {
  /** What the model is sent. */
  readonly view: readonly object[]
  readonly request: SentRequest
  readonly state: State
}

/** Where requests are decided: in this thread, or in a worker. */
export interface Decider {
  decide(start: Start): Decisions
}

/** Decides what the requests of one conversation carry. */
export interface Decisions {
  /** What a request that is made now carries; `now` is in milliseconds since 1970. */
  next(messages: readonly object[], now: number): Promise<Decided>
  /** What a request would carry if the user said something now, of which nothing is counted. */
  ahead(messages: readonly object[], now: number): Promise<SentRequest>
  /** The messages without what is ephemeral in them. */
  endTurn(messages: readonly object[]): Promise<readonly object[]>
  /** The messages with a summary in the place of the older ones. */
  compact(messages: readonly object[], how: Compacting): Promise<Compacted | NotCompacted>
  /** What the tool `recall` answers. */
  recall(args: unknown): Promise<string | object>
  /** Nothing more is asked. */
  close(): void
}

/** Decides in this thread. */
export const LOCAL: Decider = { decide: (start) => new LocalDecisions(start) }

export class LocalDecisions implements Decisions {
  readonly #start: Start
  readonly #context: Context
  readonly #accounts: Accounts
  #history: RecordedHistory
  #last: SentRequest | undefined
  #state: State | undefined

  constructor(start: Start) {
    const { format, policy, state, last, edits } = start
    this.#start = start
    this.#state = state
    this.#history = RecordedHistory.empty(format)
    this.#context = new Context(policy, { format, ...(state === undefined ? {} : { state }) })
    this.#accounts = new Accounts(last, edits)
    this.#last = last
  }

  async next(messages: readonly object[], now: number): Promise<Decided> {
    const view = this.#context.project(messages, { idle: idleSince(this.#last, now) })
    this.#history = this.#history.of(messages)
    const { messages: facts } = this.#history
    const request = this.#accounts.next({ view, messages, facts, time: now })
    this.#last = request
    this.#state = view.state
    return { view: view.messages, request, state: view.state }
  }

  async ahead(messages: readonly object[], now: number): Promise<SentRequest> {
    const { format, policy } = this.#start
    const said = convertMessages([{ role: 'user', content: '' }], format, { format: 'openai-chat' })
    const next = [...messages, ...said.messages]
    // By itself: what the conversation decides goes on from what was sent.
    const view = project(next, policy, {
      format,
      idle: idleSince(this.#last, now),
      ...(this.#state === undefined ? {} : { state: this.#state }),
    })
    this.#history = this.#history.of(messages)
    return this.#accounts.ahead({ view, messages: next, facts: this.#history.messages, time: now })
  }

  async endTurn(messages: readonly object[]): Promise<readonly object[]> {
    return this.#context.endTurn(messages)
  }

  async compact(messages: readonly object[], how: Compacting): Promise<Compacted | NotCompacted> {
    const { compacted } = await import('./compacted.js')
    return compacted(messages, this.#start.format, how)
  }

  async recall(args: unknown): Promise<string | object> {
    return this.#context.answerRecall(args)
  }

  close(): void {
    this.#context[Symbol.dispose]()
  }
}
