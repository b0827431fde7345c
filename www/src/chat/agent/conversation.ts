import type { Format, Policy, State } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { type Steered, steered } from '../policies.js'
import { type Decider, type Decisions, LOCAL } from './decisions.js'
import { RecordedHistory } from './history.js'
import type { ModelEvent } from './model.js'
import { editsAfter, type SentRequest } from './requests.js'
import {
  type Compacted,
  type Compacting,
  type EarlierSegment,
  type NotCompacted,
  segmentOf,
} from './segments.js'
import { stateBefore } from './state-before.js'
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
  /** Positions of the messages in which a summary stands for those before them. */
  readonly summaries?: readonly number[]
  /** The segments before, which summaries stand for, in order. */
  readonly earlier?: readonly EarlierSegment[]
  readonly updated: number
}

export interface NewConversation {
  id: string
  title: string
  format: Format
  policy: Policy
  /** What was read of its messages elsewhere. */
  history?: RecordedHistory
  /** Positions of the messages in which a summary stands for those before them. */
  summaries?: readonly number[]
  /** Who decides what requests carry; by default this thread does. */
  decider?: Decider
}

/**
 * One conversation: the history in its provider's format, every request that was made of it, and the answer that is
 * coming. Knows no model, no tools, no page; who changes it is the agent or a replay.
 */
export class Conversation {
  readonly id: string
  readonly format: Format
  readonly decider: Decider
  title: string
  /** When it last changed, in milliseconds since 1970. */
  updated = 0
  draft: Draft | null = null
  /** What is being done now, in words; `null` while it is the user's turn. */
  activity: string | null = null
  /** Why the last answer failed. */
  failure: string | null = null
  notes: readonly Note[] = []
  /** Positions of the messages in which a summary stands for those before them. */
  summaries: readonly number[]
  /** The segments before, which summaries stand for, in order. */
  earlier: readonly EarlierSegment[] = []
  #policy: Policy
  #isPaused = false
  /** What was decided so far. */
  #state: State | undefined
  /** Goes on from the requests that there are; made when the next one is. */
  #decisions: Decisions | null = null
  #messages: readonly object[] = []
  #requests: readonly SentRequest[] = []
  #history: RecordedHistory
  readonly #listeners = new Set<() => void>()

  constructor({ id, title, format, policy, history, summaries = [], decider = LOCAL }: NewConversation) {
    this.id = id
    this.title = title
    this.format = format
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
  history(length = this.#messages.length): RecordedHistory {
    const history = this.#history.of(this.#messages)
    // What covers more than there is yet, as of a session that is played, stays.
    if (history.facts !== this.#history.facts) this.#history = history
    return history.before(length)
  }

  /** What the tool `recall` of this conversation answers. */
  async answerRecall(args: unknown): Promise<string | object> {
    return this.#decided().recall(args)
  }

  /** Calls the listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Decides what the next request carries, and keeps the account of it. `now` is in milliseconds since 1970. */
  async request(now: number): Promise<readonly object[]> {
    const decided = this.#state
    const isPaused = this.#isPaused
    const { view, request, state } = await this.#decided().next(this.#messages, now)
    // Meanwhile a trim may have been undone: that goes on from what was decided before it.
    if (this.#state === decided) this.#state = state
    const made: SentRequest = {
      ...request,
      ...(request.edits.length > 0 && decided !== undefined ? { stateBefore: decided } : {}),
      ...(isPaused ? { isPaused: true } : {}),
    }
    this.#requests = [...this.#requests, made]
    this.failure = null
    this.draft = { text: '', reasoning: '', calls: [] }
    this.#changed(now)
    return view
  }

  /** What the next request would carry if the user said something now. `now` is in milliseconds since 1970. */
  async ahead(now: number): Promise<SentRequest> {
    return this.#decided().ahead(this.#messages, now)
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
  async endTurn(): Promise<void> {
    const messages = this.#messages
    const kept = await this.#decided().endTurn(messages)
    if (this.#messages !== messages) return
    this.#messages = kept
    this.#changed()
  }

  /** Goes back to the first `length` messages, with the requests that were made before there were more, as it was then. */
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
   * A conversation of its own with the first `length` messages, and what had been decided when there were no more.
   *
   * @param now Sets the clock, where it is that of a recording: the next request would be made now, in milliseconds since 1970.
   */
  branch(length: number, { id, title }: Pick<NewConversation, 'id' | 'title'>, now?: number): Conversation {
    const help = { history: this.#history, decider: this.decider }
    const made = Conversation.fromJSON({ ...this.toJSON(), id, title }, help)
    made.truncate(length)
    const next = this.#requests[made.requests.length]
    if (now !== undefined && next !== undefined) {
      const late = now - next.time
      made.#requests = made.#requests.map((request) => ({ ...request, time: request.time + late }))
    }
    return made
  }

  /** How the history would be compacted, or why not. */
  async compact(how: Compacting): Promise<Compacted | NotCompacted> {
    return this.#decided().compact(this.#messages, how)
  }

  /**
   * The conversation that goes on from a summary. This one is its earlier segment.
   *
   * @param segment Where this one is kept, and what its requests cost.
   */
  compacted(made: Compacted, segment: Pick<EarlierSegment, 'id' | 'cost'>): Conversation {
    const { state: _, ...saved } = this.toJSON()
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
    this.title = title
    this.#changed()
  }

  /** Takes the accounts of requests that were made elsewhere of these messages, and what was decided for them so far. */
  recorded(requests: readonly SentRequest[], state?: State): void {
    this.#requests = requests
    this.#state = state
    this.#renew()
    this.#changed()
  }

  /** Another policy, from the next request on. What was decided stays where the new policy knows its passes. */
  setPolicy(policy: Policy): void {
    this.#changePolicy(policy)
    this.#isPaused = false
    this.#renew()
    this.#changed()
  }

  /** What becomes of single calls, with their results, from the next request on: the policy has their ids. */
  steer(calls: Steered): void {
    this.#changePolicy(steered(this.#policy, calls))
    this.#renew()
    this.#changed()
  }

  /** Sends again what a request trimmed, and lets nothing else go until {@link resumeTrimming}. */
  undoTrim(request: SentRequest): void {
    const last = this.#requests.at(-1)
    if (request.stateBefore === undefined || last === undefined) return
    // A fork at a request that was made before this needs what is given up here.
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
    if (this.#decisions !== null) return this.#decisions
    const last = this.#requests.at(-1)
    this.#decisions = this.decider.decide({
      format: this.format,
      policy: this.#isPaused ? paused(this.#policy) : this.#policy,
      ...(this.#state === undefined ? {} : { state: this.#state }),
      ...(last === undefined ? {} : { last }),
      edits: [...editsAfter(this.#requests).values()],
    })
    return this.#decisions
  }

  /** A fork at a request that was made needs the policy that it had. */
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

  /** The policy that was in force when a request was made. */
  #policyOf(request: number): Policy {
    return this.#requests.slice(request).find(({ policy }) => policy !== undefined)?.policy ?? this.#policy
  }

  /** What was decided up to a request, and maybe later: the first state that was kept from there on. */
  #stateFrom(request: number): State | undefined {
    for (const { stateBefore: before, givenUp } of this.#requests.slice(request)) {
      const kept = before ?? givenUp
      if (kept !== undefined) return kept
    }
    return this.#state
  }

  /** The next request goes on from what there is now. */
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
