import { checkMessages, checkOptions, countFrom, FUNCTION, NAMED, shown } from '../base/check.js'
import { BRANCH_LENGTH } from '../base/common-start.js'
import { TrimtabError } from '../base/error.js'
import type { Format, Policy } from '../generated/types.js'
import { answerRecall, type Recalled, type RecallRange, recall } from '../history/recall.js'
import { Context } from '../projection/context.js'
import type { LiveReport } from '../projection/types.js'
import type { MessageCounter } from '../tokens/message-counter.js'
import { type Continuation, Conversation, type RequestOptions, type View } from './conversation.js'

/** What an adapter tells its host of each request. */
export interface RequestEvent {
  /** The conversation's id, where the framework has one. */
  id: string | undefined
  /** What the view leaves out, and why. */
  report: LiveReport
}

/** What went otherwise than it should, without harm to the request. */
export interface AdapterWarning {
  /**
   * `shared_id`: an id was given for several conversations, which are kept apart by their histories.
   * `unknown_usage`: the model's usage is of no known shape, and teaches nothing.
   * `server_history`: the provider keeps the history, which is not sent, and so not trimmed.
   */
  code: 'shared_id' | 'unknown_usage' | 'server_history'
  message: string
}

/** Options of every adapter. */
export interface AdapterOptions {
  /** The model, where the framework does not say it: what it demands of its reasoning is known from its name. */
  model?: string
  /** How many conversations are remembered: the one that rested longest is forgotten. Default 100. */
  maxConversations?: number
  /** Counts tokens in place of the engine's estimate. See `messageCounter` of `trimtab/tokens`. */
  counter?: MessageCounter
  /** Milliseconds from any moment on, by which a pause is known that the prompt cache does not outlive. Default `Date.now`. */
  now?: () => number
  /** Is told of each request that was made. */
  onRequest?: (event: RequestEvent) => void
  /** Is told once of each kind of thing that went otherwise than it should. Default: `console.warn`. */
  onWarning?: (warning: AdapterWarning) => void
}

/** A request that is to be made. */
export interface NextRequest extends RequestOptions {
  /** The conversation's id, where the framework has one. */
  id?: string | undefined
  /** What the model reported for the conversation's last request, where that is known only now. */
  usage?: unknown
}

/** A request as it was made: what the model sees, and the way back for its usage. */
export interface Request<M extends object> extends View<M> {
  /** Learns from the usage that the model reported. It throws nothing. */
  calibrate(usage: unknown): void
}

const MOST_CONVERSATIONS = 100

const OPTIONS = {
  model: NAMED,
  maxConversations: countFrom(1),
  counter: null,
  now: FUNCTION,
  onRequest: FUNCTION,
  onWarning: FUNCTION,
}

/**
 * The conversations of an agent, a {@link Context} for each: found by the framework's id and the history itself, which
 * begins with what the conversation had, bounded in number, and disposed when they are forgotten.
 */
export class Conversations implements Disposable {
  readonly #policy: Policy | undefined
  readonly #options: AdapterOptions
  readonly #format: Format | undefined
  /** The one used last stands last. */
  #known: Conversation[] = []
  readonly #warned = new Set<string>()

  /** @param format The format of all messages, where the adapter knows it. */
  constructor(policy: Policy | undefined, options: AdapterOptions = {}, format?: Format) {
    options = checkOptions(options, OPTIONS, 'trimtab')
    this.#policy = policy
    this.#options = options
    this.#format = format
    // A wrong policy is refused here, and not in the first request.
    this.#create()[Symbol.dispose]()
  }

  /** The view of a conversation's next request. */
  request<M extends object>(messages: readonly M[], options: NextRequest = {}): Request<M> {
    checkMessages(messages)
    const { id, usage, prefix, model = this.#options.model } = options
    const { now = Date.now, onRequest } = this.#options
    const { conversation, history } = this.#find(messages, id)
    if (usage !== undefined) this.#calibrate(conversation, conversation.requests, usage)
    const view = conversation.project(history as readonly M[], { model, prefix, now: now() })
    const request = conversation.requests
    this.#use(conversation)
    onRequest?.({ id, report: view.report })
    return { ...view, calibrate: (reported) => this.#calibrate(conversation, request, reported) }
  }

  /**
   * What a call of `recallTool` answers: a text, or the content of a result with images, in the format of the messages.
   *
   * @param messages The messages that the tool's caller saw, or their originals: no other conversation is looked into.
   */
  answerRecall(args: unknown, messages: readonly object[]): string | object {
    return answerRecallFrom([this.#closest(messages)?.history ?? messages], args)
  }

  /**
   * The same where a tool is told the conversation's id: what the host has summarised since is looked into as well.
   *
   * @param id The id of the conversation's requests.
   */
  answerRecallOf(id: string, args: unknown): string | object {
    const histories = this.#known.filter((each) => each.id === id).map(({ history }) => history)
    return answerRecallFrom(histories, args)
  }

  /** Forgets all conversations, and frees the engine's memory. */
  [Symbol.dispose](): void {
    for (const { context } of this.#known) context[Symbol.dispose]()
    this.#known = []
  }

  /** A new one's context; a branch begins with what the conversation that it leaves has decided. */
  #create(from?: Conversation): Context {
    const { counter, model } = this.#options
    const options = {
      ...(counter === undefined ? {} : { counter }),
      ...(model === undefined ? {} : { model }),
    }
    // What another one saved has its format.
    if (from !== undefined) return Context.fromJSON(from.context.toJSON(), options)
    return new Context(this.#policy, {
      ...options,
      ...(this.#format === undefined ? {} : { format: this.#format }),
    })
  }

  /** The conversation that messages go on from; another one where they leave it. */
  #find(messages: readonly object[], id: string | undefined): Found {
    const found = this.#closest(messages, id)
    if (found === undefined) return { conversation: new Conversation(id, this.#create()), history: messages }
    const { conversation, history, dropped } = found
    if (id !== undefined && conversation !== this.#known.findLast((each) => each.id === id))
      this.warn('shared_id', `the id ${shown(id)} was given for several conversations: give each its own`)
    if (dropped <= BRANCH_LENGTH) return { conversation, history }
    return { conversation: new Conversation(id, this.#create(conversation), conversation), history }
  }

  /** The conversation that has most in common with messages, from their beginning and beyond the system prompt. */
  #closest(messages: readonly object[], id?: string): (Found & Continuation) | undefined {
    let best: (Found & Continuation) | undefined
    let most = messages.findIndex((message) => !isInstruction(message))
    for (const conversation of this.#known.toReversed()) {
      if (id !== undefined && conversation.id !== id) continue
      const continuation = conversation.continue(messages)
      if (continuation.known <= most) continue
      best = { ...continuation, conversation }
      if (continuation.dropped === 0) return best
      most = continuation.known
    }
    return best
  }

  #use(conversation: Conversation): void {
    this.#known = [...this.#known.filter((each) => each !== conversation), conversation]
    const { maxConversations = MOST_CONVERSATIONS } = this.#options
    while (this.#known.length > maxConversations) this.#known.shift()?.context[Symbol.dispose]()
  }

  #calibrate(conversation: Conversation, request: number, usage: unknown): void {
    try {
      if (this.#known.includes(conversation)) conversation.calibrate(request, usage)
    } catch (error) {
      if (!(error instanceof TrimtabError)) throw error
      this.warn('unknown_usage', `nothing was learned of the model's usage: ${error.message}`)
    }
  }

  /** Says something once. */
  warn(code: AdapterWarning['code'], message: string): void {
    if (this.#warned.has(code)) return
    this.#warned.add(code)
    const { onWarning = printWarning } = this.#options
    onWarning({ code, message })
  }
}

/** What a call of `recall` answers, from the newest of some histories that has it. */
export const answerRecallFrom = (histories: readonly (readonly object[])[], args: unknown): string | object =>
  answerRecall((reference, range) => recallFrom(histories, reference, range), args)

function recallFrom(
  histories: readonly (readonly object[])[],
  reference: string,
  range: RecallRange,
): Recalled {
  for (const history of histories.slice(1).toReversed()) {
    try {
      return recall(history, reference, range)
    } catch (error) {
      if (!(error instanceof TrimtabError && error.code === 'not_recallable')) throw error
    }
  }
  return recall(histories[0] ?? [], reference, range)
}

interface Found {
  conversation: Conversation
  history: readonly object[]
}

const isInstruction = ({ role }: { role?: unknown }): boolean => role === 'system' || role === 'developer'

const printWarning = ({ message }: AdapterWarning): void => console.warn(`trimtab: ${message}`)
