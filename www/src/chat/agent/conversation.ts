import type { Format, Policy, State } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { type Steered, steered } from '../policies.js'
import { type Decider, type Decisions, LOCAL, type Start } from './decisions.js'
import type { Draft, Note } from './draft.js'
import { RecordedHistory } from './history.js'
import type { ModelEvent } from './model.js'
import { editsAfter, type SentRequest } from './requests.js'
import type { SavedConversation } from './saved-conversation.js'
import {
  type Compacted,
  type Compacting,
  type EarlierSegment,
  type NotCompacted,
  segmentOf,
} from './segments.js'
import { stateBefore } from './state-before.js'
import { paused } from './undo.js'
import type { Origin } from './variants.js'

export interface NewConversation {
  id: string
  title: string
  format: Format
  policy: Policy
  /** The facts of its messages, if already read. */
  history?: RecordedHistory
  /** Indices of messages that contain a summary of the messages before them. */
  summaries?: readonly number[]
  /** The conversation that it branched from. */
  origin?: Origin
  /** Decides the content of requests; by default in this thread. */
  decider?: Decider
}

/** Identity of a branch. */
export interface NewBranch extends Pick<NewConversation, 'id' | 'title'> {
  /** Time of creation, in milliseconds since 1970. With it, the branch records its origin. */
  made?: number
}

/**
 * One conversation: the history in its provider's format, all its requests, and the answer that is streaming.
 * Independent of models, tools and the page; the agent or a replay changes it.
 */
export class Conversation {
  readonly id: string
  readonly decider: Decider
  /** The conversation that it branched from; not set after a compaction, which renumbers messages. */
  readonly origin: Origin | undefined
  title: string
  /** Time of the last change, in milliseconds since 1970. */
  updated = 0
  draft: Draft | null = null
  /** Description of the work in progress; `null` if it is the user's turn. */
  activity: string | null = null
  /** Why the last answer failed. */
  failure: string | null = null
  /** When the provider takes the failed request again, in milliseconds since 1970; `null` if it does not say. */
  retryAt: number | null = null
  notes: readonly Note[] = []
  /** Indices of messages that contain a summary of the messages before them. */
  summaries: readonly number[]
  /** Earlier segments, replaced by summaries, in order. */
  earlier: readonly EarlierSegment[] = []
  #format: Format
  #policy: Policy
  #isPaused = false
  /** The decisions so far. */
  #state: State | undefined
  /** Continues from the existing requests; created with the next request. */
  #decisions: Decisions | null = null
  #messages: readonly object[] = []
  #requests: readonly SentRequest[] = []
  #history: RecordedHistory
  readonly #listeners = new Set<() => void>()

  constructor({
    id,
    title,
    format,
    policy,
    history,
    summaries = [],
    origin,
    decider = LOCAL,
  }: NewConversation) {
    this.id = id
    this.origin = origin
    this.title = title
    this.#format = format
    this.#policy = policy
    this.#history = history ?? RecordedHistory.empty(format)
    this.summaries = summaries
    this.decider = decider
  }

  static fromJSON(
    saved: SavedConversation,
    help: Pick<NewConversation, 'history' | 'decider'> = {},
  ): Conversation {
    const made = new Conversation({ ...saved, ...help })
    made.#messages = saved.messages
    made.#requests = saved.requests
    made.notes = saved.notes
    made.updated = saved.updated
    made.#isPaused = saved.isPaused
    made.#state = saved.state
    made.earlier = saved.earlier ?? []
    return made
  }

  toJSON(): SavedConversation {
    const state = this.#state
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
      summaries: this.summaries,
      earlier: this.earlier,
      ...(state === undefined ? {} : { state }),
      ...(this.origin === undefined ? {} : { origin: this.origin }),
    }
  }

  get format(): Format {
    return this.#format
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

  /** Whether a trim was undone: what was restored stays in the view until the user resumes trimming. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  /** Returns the facts of the first `length` messages; all by default. */
  history(length = this.#messages.length): RecordedHistory {
    const history = this.#history.of(this.#messages)
    // Keep a history that extends beyond the current messages, as when a session is played.
    if (history.facts !== this.#history.facts) this.#history = history
    return history.before(length)
  }

  /** Answers a call of this conversation's tool `recall`. */
  async answerRecall(args: unknown): Promise<string | object> {
    return this.#decided().recall(args)
  }

  /** Calls the listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Decides the content of the next request and records the request. `now` is in milliseconds since 1970.
   *
   * @param overhead Tokens of the request besides its messages.
   */
  async request(now: number, overhead = 0): Promise<readonly object[]> {
    const decided = this.#state
    const isPaused = this.#isPaused
    const { view, request, state } = await this.#decided().next(this.#messages, now)
    // If a trim was undone in the meantime, its earlier state must stay.
    if (this.#state === decided) this.#state = state
    const made: SentRequest = {
      ...request,
      ...(overhead === 0 ? {} : { overhead }),
      ...(request.edits.length > 0 && decided !== undefined ? { stateBefore: decided } : {}),
      ...(isPaused ? { isPaused: true } : {}),
    }
    this.#requests = [...this.#requests, made]
    this.failure = null
    this.draft = { text: '', reasoning: '', calls: [] }
    this.#changed(now)
    return view
  }

  /** Returns the next request as it would be if the user sent a message now. `now` is in milliseconds since 1970. */
  async ahead(now: number): Promise<SentRequest> {
    return this.#decided().ahead(this.#messages, now)
  }

  /** Processes an event of the answer; the last one appends the messages to the history. */
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

  /** Sets the format of the model that will answer, unless the conversation has messages: it keeps their format. */
  startIn(format: Format): void {
    if (this.#messages.length > 0 || format === this.#format) return
    this.#format = format
    this.#history = RecordedHistory.empty(format)
    this.#renew()
  }

  say(role: 'user' | 'assistant', content: string, now: number): void {
    const begun = this.draft?.text.trim() ?? ''
    if (role === 'user' && begun !== '') this.#end(begun, 'broken-off', now)
    // A text can end inside a surrogate pair: the user's, and that of an answer which was stopped.
    const said = [{ role, content: content.toWellFormed() }]
    const { messages } = convertMessages(said, this.#format, { format: 'openai-chat' })
    this.failure = null
    this.draft = null
    this.#messages = [...this.#messages, ...messages]
    this.#changed(now)
  }

  /** Adds messages, which replace those from the index `from` on, if any. */
  append(messages: readonly object[], from = this.#messages.length): void {
    this.#messages = [...this.#messages.slice(0, from), ...messages]
    this.#changed()
  }

  /** Keeps the text received so far, and notes that the user stopped it. */
  stop(now: number): void {
    this.#end(this.draft?.text.trim() ?? '', 'stopped', now)
  }

  /** Adds the part of an answer that was received before the page was closed. */
  interrupted(text: string, now: number): void {
    this.#end(text, 'interrupted', now)
  }

  /** Ends an answer with the text received so far. Calls are dropped: they may be incomplete. */
  #end(text: string, kind: Note['kind'], now: number): void {
    this.draft = null
    if (text !== '') this.say('assistant', text, now)
    this.#note(kind)
    this.#changed(now)
  }

  /**
   * Records that the request failed. The partial answer stays readable; it becomes part of the history with the next
   * prompt, and is dropped if the request is repeated.
   */
  fail(reason: string, retryAt: number | null = null): void {
    this.failure = reason
    this.retryAt = retryAt
    this.#changed()
  }

  doing(activity: string | null): void {
    this.activity = activity
    this.#changed()
  }

  /** Removes the content of ephemeral results from the history: their turn is over. */
  async endTurn(): Promise<void> {
    const messages = this.#messages
    const kept = await this.#decided().endTurn(messages)
    if (this.#messages !== messages) return
    this.#messages = kept
    this.#changed()
  }

  /**
   * Restores the state with the first `length` messages: keeps the requests made before there were more, and their
   * decisions.
   */
  truncate(length: number): void {
    const next = this.#requests.findIndex(({ messages }) => messages >= length)
    if (next !== -1) {
      const { isPaused = false } = this.#requests[next] as SentRequest
      const state = this.#stateFrom(next)
      this.#state = state === undefined ? undefined : stateBefore(state, blocksIn(this.history(length)))
      this.#isPaused = isPaused
      this.#policy = this.#policyOf(next)
      this.#requests = this.#requests.slice(0, next)
    }
    this.#messages = this.#messages.slice(0, length)
    this.#renew()
    this.notes = this.notes.filter(({ after }) => after < length)
    this.summaries = this.summaries.filter((at) => at < length)
    if (this.summaries.length === 0) this.earlier = []
    this.failure = null
    this.draft = null
    this.#changed()
  }

  /**
   * Creates a new conversation with the first `length` messages and the decisions made up to then.
   *
   * @param now For a recording: moves the times of the requests, so that the next one would be made now, in
   * milliseconds since 1970.
   */
  branch(length: number, chat: NewBranch, now?: number): Conversation {
    const made = this.copy(chat, length)
    made.truncate(length)
    const next = this.#requests[made.requests.length]
    if (now !== undefined && next !== undefined) {
      const late = now - next.time
      made.#requests = made.#requests.map((request) => ({ ...request, time: request.time + late }))
    }
    return made
  }

  /** Creates a copy with all messages, as a branch of this one after its first `shared` messages. */
  copy({ id, title, made: at }: NewBranch, shared: number): Conversation {
    const help = { history: this.#history, decider: this.decider }
    const { origin: before, ...saved } = this.toJSON()
    // Messages shared with its own origin belong to that one, so that deleting this one leaves no gap.
    const chat = before !== undefined && shared <= before.message ? before.chat : this.id
    const origin = at === undefined ? {} : { origin: { chat, message: shared, made: at } }
    return Conversation.fromJSON({ ...saved, id, title, ...origin }, help)
  }

  /** Computes a compaction of the history, or returns why it cannot be compacted. */
  async compact(how: Compacting): Promise<Compacted | NotCompacted> {
    return this.#decided().compact(this.#messages, how)
  }

  /**
   * Creates the conversation that continues from a summary; this one becomes its earlier segment.
   *
   * @param segment The id under which this one is stored, and the cost of its requests.
   */
  compacted(made: Compacted, segment: Pick<EarlierSegment, 'id' | 'cost'>): Conversation {
    const { state: _, origin: __, ...saved } = this.toJSON()
    const next = {
      ...saved,
      messages: made.messages,
      requests: [],
      notes: [],
      isPaused: false,
      summaries: [made.summary],
      earlier: [...this.earlier, segmentOf(this.earlier, made, segment)],
    }
    return Conversation.fromJSON(next, { history: this.#history.of(made.messages), decider: this.decider })
  }

  rename(title: string): void {
    this.title = title.toWellFormed()
    this.#changed()
  }

  /** Sets requests that were computed elsewhere from these messages, and their decisions so far. */
  recorded(requests: readonly SentRequest[], state?: State): void {
    this.#requests = requests
    this.#state = state
    this.#renew()
    this.#changed()
  }

  /**
   * Sets another policy from the next request on. Decisions stay in force for passes that the new policy has, and a
   * pause lasts until {@link resumeTrimming}.
   */
  setPolicy(policy: Policy): void {
    this.#changePolicy(policy)
    this.#renew()
    this.#changed()
  }

  /**
   * Sets the user's decisions about single calls and their results from the next request on; the policy stores their
   * ids.
   */
  steer(calls: Steered): void {
    this.#changePolicy(steered(this.#policy, calls))
    this.#renew()
    this.#changed()
  }

  /** Restores what a request trimmed, and trims nothing else until {@link resumeTrimming}. */
  undoTrim(request: SentRequest): void {
    const last = this.#requests.at(-1)
    if (request.stateBefore === undefined || last === undefined) return
    // A fork at an earlier request needs the state that is discarded here.
    if (last.givenUp === undefined && this.#state !== undefined)
      this.#requests = [...this.#requests.slice(0, -1), { ...last, givenUp: this.#state }]
    this.#isPaused = true
    this.#state = request.stateBefore
    this.#renew()
    this.#changed()
  }

  resumeTrimming(): void {
    this.#isPaused = false
    this.#renew()
    this.#changed()
  }

  #decided(): Decisions {
    this.#decisions ??= this.decider.decide(() => this.#start())
    return this.#decisions
  }

  /** Returns what the next decision starts from. */
  #start(): Start {
    const last = this.#requests.at(-1)
    return {
      format: this.format,
      policy: this.#isPaused ? paused(this.#policy) : this.#policy,
      ...(this.#state === undefined ? {} : { state: this.#state }),
      ...(last === undefined ? {} : { last }),
      edits: [...editsAfter(this.#requests).values()],
    }
  }

  /** Changes the policy and records the old one in the last request: a fork at an earlier request needs it. */
  #changePolicy(policy: Policy): void {
    const last = this.#requests.at(-1)
    if (
      last !== undefined &&
      last.policy === undefined &&
      JSON.stringify(policy) !== JSON.stringify(this.#policy)
    )
      this.#requests = [...this.#requests.slice(0, -1), { ...last, policy: this.#policy }]
    this.#policy = policy
  }

  /** Returns the policy of a request. */
  #policyOf(request: number): Policy {
    return this.#requests.slice(request).find(({ policy }) => policy !== undefined)?.policy ?? this.#policy
  }

  /**
   * Returns the decisions up to a request, possibly with later ones: the first state that was recorded from there on.
   */
  #stateFrom(request: number): State | undefined {
    for (const { stateBefore: before, givenUp } of this.#requests.slice(request)) {
      const kept = before ?? givenUp
      if (kept !== undefined) return kept
    }
    return this.#state
  }

  /** Makes the next request start from the current state. */
  #renew(): void {
    this.#decisions?.close()
    this.#decisions = null
  }

  #note(kind: Note['kind']): void {
    this.notes = [...this.notes, { after: this.#messages.length, kind }]
  }

  #changed(now?: number): void {
    if (now !== undefined) this.updated = now
    for (const listener of this.#listeners) listener()
  }
}

const blocksIn = ({ messages }: RecordedHistory): number =>
  messages.reduce((sum, { blocks }) => sum + blocks.length, 0)
