import { Context, type Format, type Policy, type Projection, readMessages, type State } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { type Steered, steered } from '../policies.js'
import type { History } from './history.js'
import type { ModelEvent } from './model.js'
import { Accounts, idleSince, type SentRequest } from './requests.js'
import { paused } from './undo.js'

/** An answer that is still coming. */
export interface Draft {
  text: string
  reasoning: string
  calls: { name: string; arguments: string }[]
}

/** Something that happened behind so many messages, and is no message. */
export interface Note {
  readonly after: number
  /** `cut`: the answer reached its limit of tokens. */
  readonly kind: 'stopped' | 'cut'
}

/** A conversation as plain JSON. */
export interface SavedConversation {
  readonly id: string
  readonly title: string
  readonly format: Format
  readonly messages: readonly object[]
  readonly requests: readonly SentRequest[]
  readonly notes: readonly Note[]
  readonly policy: Policy
  readonly isPaused: boolean
  readonly state?: State
  readonly updated: number
}

export interface NewConversation {
  id: string
  title: string
  format: Format
  policy: Policy
  /** Reads the first so many messages, where that was done elsewhere; by default they are read here. */
  read?: (length: number) => History
}

/**
 * One conversation: the history in its provider's format, every request that was made of it, and the answer that is
 * coming. Knows no model, no tools, no page; who changes it is the agent or a replay.
 */
export class Conversation {
  readonly id: string
  readonly format: Format
  title: string
  /** When it last changed, in milliseconds since 1970. */
  updated = 0
  draft: Draft | null = null
  /** What is being done now, in words; `null` while it is the user's turn. */
  activity: string | null = null
  /** Why the last answer failed. */
  failure: string | null = null
  notes: readonly Note[] = []
  #policy: Policy
  #isPaused = false
  #context: Context
  #messages: readonly object[] = []
  #requests: readonly SentRequest[] = []
  /** Goes on from the requests that there are. */
  #accounts: Accounts | null = null
  readonly #read: NewConversation['read']
  readonly #listeners = new Set<() => void>()

  constructor({ id, title, format, policy, read }: NewConversation) {
    this.id = id
    this.title = title
    this.format = format
    this.#policy = policy
    this.#read = read
    this.#context = new Context(policy, { format })
  }

  static fromJSON(saved: SavedConversation): Conversation {
    const made = new Conversation(saved)
    made.#messages = saved.messages
    made.#requests = saved.requests
    made.notes = saved.notes
    made.updated = saved.updated
    made.#isPaused = saved.isPaused
    made.#renew(saved.state)
    return made
  }

  toJSON(): SavedConversation {
    const { state } = this.#context.toJSON()
    return {
      id: this.id,
      title: this.title,
      format: this.format,
      messages: this.#messages,
      requests: this.#requests,
      notes: this.notes,
      policy: this.#policy,
      isPaused: this.#isPaused,
      updated: this.updated,
      ...(state === undefined ? {} : { state }),
    }
  }

  get messages(): readonly object[] {
    return this.#messages
  }

  get requests(): readonly SentRequest[] {
    return this.#requests
  }

  get policy(): Policy {
    return this.#policy
  }

  /** Whether a trim was undone: what was sent stays, until the user lets trimming go on. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  /** The first `length` messages as the engine reads them; all by default. */
  history(length = this.#messages.length): History {
    if (this.#read !== undefined) return this.#read(length)
    return readMessages(this.#messages.slice(0, length), { format: this.format })
  }

  /** What the tool `recall` of this conversation answers. */
  answerRecall(args: unknown): string | object {
    return this.#context.answerRecall(args)
  }

  /** Calls the listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Decides what the next request carries, and keeps the account of it. `now` is in milliseconds since 1970. */
  request(now: number): Projection<object> {
    const last = this.#requests.at(-1)
    const stateBefore = this.#context.toJSON().state
    const view = this.#context.project(this.#messages, { idle: idleSince(last, now) })
    const { messages: facts } = this.history()
    this.#accounts ??= new Accounts(this.#requests)
    const made = this.#accounts.next({ view, messages: this.#messages, facts, time: now })
    const isTrim = made.edits.length > 0 && stateBefore !== undefined
    this.#requests = [...this.#requests, isTrim ? { ...made, stateBefore } : made]
    this.failure = null
    this.draft = { text: '', reasoning: '', calls: [] }
    this.#changed(now)
    return view
  }

  /** Takes in a piece of the answer; the last one puts the messages into the history. */
  receive(event: ModelEvent): void {
    this.draft ??= { text: '', reasoning: '', calls: [] }
    switch (event.type) {
      case 'text':
        this.draft.text += event.text
        break
      case 'reasoning':
        this.draft.reasoning += event.text
        break
      case 'call': {
        const call = this.draft.calls[event.index] ?? { name: '', arguments: '' }
        this.draft.calls[event.index] = {
          name: call.name + event.name,
          arguments: call.arguments + event.arguments,
        }
        break
      }
      case 'answer':
        this.draft = null
        this.#messages = [...this.#messages, ...event.messages]
        if (event.isCut === true) this.#note('cut')
    }
    this.#changed()
  }

  say(role: 'user' | 'assistant', content: string, now: number): void {
    const { messages } = convertMessages([{ role, content }], this.format, { format: 'openai-chat' })
    this.failure = null
    this.draft = null
    this.#messages = [...this.#messages, ...messages]
    this.#changed(now)
  }

  append(messages: readonly object[]): void {
    this.#messages = [...this.#messages, ...messages]
    this.#changed()
  }

  /** Keeps what was said so far, and that the user ended it. */
  stop(now: number): void {
    const text = this.draft?.text.trim() ?? ''
    this.draft = null
    if (text !== '') this.say('assistant', text, now)
    this.#note('stopped')
    this.#changed(now)
  }

  /** No answer came. What was heard of it stays to be read until the next request; it is not part of the history. */
  fail(reason: string): void {
    this.failure = reason
    this.#changed()
  }

  doing(activity: string | null): void {
    this.activity = activity
    this.#changed()
  }

  /** Takes the content of ephemeral results out of the history: their turn is over. */
  endTurn(): void {
    this.#messages = this.#context.endTurn(this.#messages)
    this.#changed()
  }

  /** Goes back to the first `length` messages, with the requests that were made of them. */
  truncate(length: number): void {
    this.#messages = this.#messages.slice(0, length)
    this.#requests = this.#requests.filter(({ messages }) => messages < length)
    this.#accounts = null
    this.notes = this.notes.filter(({ after }) => after < length)
    this.failure = null
    this.draft = null
    this.#changed()
  }

  /** A conversation of its own with the first `length` messages, and what was decided of them. */
  branch(length: number, { id, title }: Pick<NewConversation, 'id' | 'title'>): Conversation {
    const made = Conversation.fromJSON({ ...this.toJSON(), id, title })
    made.truncate(length)
    return made
  }

  rename(title: string): void {
    this.title = title
    this.#changed()
  }

  /** Takes the accounts of requests that were made elsewhere of these messages, and what was decided for them so far. */
  recorded(requests: readonly SentRequest[], state?: State): void {
    this.#requests = requests
    this.#accounts = null
    if (state !== undefined) this.#renew(state)
    this.#changed()
  }

  /** Another policy, from the next request on. What was decided stays where the new policy knows its passes. */
  setPolicy(policy: Policy): void {
    this.#policy = policy
    this.#isPaused = false
    this.#renew(this.#context.toJSON().state)
    this.#changed()
  }

  /** What becomes of single calls, with their results, from the next request on: the policy has their ids. */
  steer(calls: Steered): void {
    this.#policy = steered(this.#policy, calls)
    this.#renew(this.#context.toJSON().state)
    this.#changed()
  }

  /** Sends again what a request trimmed, and lets nothing else go until {@link resumeTrimming}. */
  undoTrim(request: SentRequest): void {
    if (request.stateBefore === undefined) return
    this.#isPaused = true
    this.#renew(request.stateBefore)
    this.#changed()
  }

  resumeTrimming(): void {
    this.#isPaused = false
    this.#renew(this.#context.toJSON().state)
    this.#changed()
  }

  #renew(state: State | undefined): void {
    this.#context[Symbol.dispose]()
    const policy = this.#isPaused ? paused(this.#policy) : this.#policy
    this.#context = new Context(policy, { format: this.format, ...(state === undefined ? {} : { state }) })
  }

  #note(kind: Note['kind']): void {
    this.notes = [...this.notes, { after: this.#messages.length, kind }]
  }

  #changed(now?: number): void {
    if (now !== undefined) this.updated = now
    for (const listener of this.#listeners) listener()
  }
}
