import { Context, type EditReport, type Format, type Policy, project, type State } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { RecordedHistory } from './history.js'
import { Accounts, idleSince, type SentRequest } from './requests.js'
import type { Compacted, Compacting, NotCompacted } from './segments.js'

/** Input of a conversation's next decision, besides its messages. */
export interface Start {
  readonly format: Format
  readonly policy: Policy
  /** The decisions so far. */
  readonly state?: State
  /** The previous request, and its edits. */
  readonly last?: SentRequest
  readonly edits: readonly EditReport[]
}

/** A decided request. */
export interface Decided {
  /** The messages to send to the model. */
  readonly view: readonly object[]
  readonly request: SentRequest
  readonly state: State
}

/** Decides requests in this thread or in a worker. */
export interface Decider {
  /** @param start Returns what to start from: called again if what was decided so far is lost. */
  decide(start: () => Start): Decisions
}

/** Decides the content of one conversation's requests. */
export interface Decisions {
  /** Decides a request that is made now; `now` is in milliseconds since 1970. */
  next(messages: readonly object[], now: number): Promise<Decided>
  /** Returns the request that would follow if the user sent a message now, and records nothing. */
  ahead(messages: readonly object[], now: number): Promise<SentRequest>
  /** Returns the messages without the content of ephemeral results. */
  endTurn(messages: readonly object[]): Promise<readonly object[]>
  /** Replaces the older messages with a summary. */
  compact(messages: readonly object[], how: Compacting): Promise<Compacted | NotCompacted>
  /** Answers a call of the tool `recall`. */
  recall(args: unknown): Promise<string | object>
  /** Frees the decisions; no other method may be called after it. */
  close(): void
}

/** Decides in this thread. */
export const LOCAL: Decider = { decide: (start) => new LocalDecisions(start()) }

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
    // Projected separately: the conversation's own decisions must depend only on requests that were sent.
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
