import { atOnce, callback } from '../base/at-once.js'
import {
  AMOUNT,
  called,
  check,
  checkMessages,
  checkOptions,
  countFrom,
  FUNCTION,
  NAMED,
  readable,
  shown,
} from '../base/check.js'
import { BRANCH_LENGTH } from '../base/common-start.js'
import { reasonOf, TrimtabError } from '../base/error.js'
import type { Format, Policy } from '../generated/types.js'
import { answerRecall, type Recalled, type RecallRange, recall } from '../history/recall.js'
import { Context } from '../projection/context.js'
import type { LiveReport } from '../projection/types.js'
import type { MessageCounter } from '../tokens/message-counter.js'
import { type Continuation, Conversation, type RequestOptions, type View } from './conversation.js'
import { recallNameIn } from './recall-name.js'

/** The event of a request, for the host. */
export interface RequestEvent {
  /** The conversation's id, if the framework has one. */
  id: string | undefined
  /** What the view leaves out, and why. */
  report: LiveReport
}

/** A problem that does not affect the request. */
export interface AdapterWarning {
  /**
   * `shared_id`: several conversations have the same id; they are told apart by their histories.
   * `unknown_usage`: the model's usage has an unknown form, so nothing is learned from it. `server_history`:
   * the provider keeps the history, so it is not sent and cannot be trimmed. `no_recall`: stubs name the tool
   * `recall`, and the request offers tools but not this one.
   */
  code: 'shared_id' | 'unknown_usage' | 'server_history' | 'no_recall'
  message: string
}

/** Options of every adapter. */
export interface AdapterOptions {
  /** The model, if the framework does not pass it; its name determines what it requires of reasoning. */
  model?: string | undefined
  /** Number of conversations to keep; the least recently used one is dropped. Default 100. */
  maxConversations?: number | undefined
  /** Counts tokens instead of the engine's estimates. See `messageCounter` of `trimtab/tokens`. */
  counter?: MessageCounter | undefined
  /**
   * Returns the time in milliseconds, from any origin; used to detect pauses after which the prompt cache has
   * expired. Default `Date.now`.
   */
  now?: (() => number) | undefined
  /** Called for each request. */
  onRequest?: ((event: RequestEvent) => void) | undefined
  /** Called once for each kind of problem. Default: `console.warn`. */
  onWarning?: ((warning: AdapterWarning) => void) | undefined
}

/** A request to make. */
export interface NextRequest extends RequestOptions {
  /** The conversation's id, if the framework has one. */
  id?: string | undefined
  /** The usage of the conversation's last request, if it is known only now. */
  usage?: unknown
  /** The tools that the request offers, if the framework passes them. */
  tools?: readonly object[] | undefined
}

/** A request: what the model sees, and a function for its usage. */
export interface Request<M extends object> extends View<M> {
  /** The messages that the view was made of. */
  history: readonly M[]
  /** The name of the tool `recall`; `undefined` if it is not among the tools. */
  recall: string | undefined
  /** Learns from the usage reported by the model. Throws nothing. */
  calibrate(usage: unknown): void
}

const MOST_CONVERSATIONS = 100

const CLOCK = called(AMOUNT, 'a function that returns milliseconds from 0 on')

const OPTIONS = {
  model: NAMED,
  maxConversations: countFrom(1),
  counter: null,
  now: FUNCTION,
  onRequest: callback('onRequest'),
  onWarning: callback('onWarning'),
}

/**
 * The conversations of an agent, with a {@link Context} for each. A conversation is found by the framework's
 * id and by its history, which begins with the messages of the conversation. Their number is limited, and
 * dropped ones are disposed.
 */
export class Conversations implements Disposable {
  readonly #policy: Policy | undefined
  readonly #options: AdapterOptions
  readonly #format: Format | undefined
  /** The most recently used one is last. */
  known: Conversation[] = []
  readonly #warned = new Set<string>()

  /** @param format The format of all messages, if the adapter knows it. */
  constructor(policy: Policy | undefined, options: AdapterOptions = {}, format?: Format) {
    options = checkOptions(options, OPTIONS, 'trimtab')
    this.#policy = policy
    this.#options = options
    this.#format = format
    // Rejects an invalid policy now instead of at the first request.
    this.#create().context[Symbol.dispose]()
  }

  /** Makes the view of a conversation's next request. */
  request<M extends object>(messages: readonly M[], options: NextRequest = {}): Request<M> {
    messages = checkMessages(messages)
    const { id, usage, prefix, tools = [], model = this.#options.model } = options
    const { now = Date.now, onRequest } = this.#options
    const found = () => this.#find(messages, id)
    const { conversation, history } = readable('messages', found, 'unreadable_message')
    if (usage !== undefined) this.#calibrate(conversation, conversation.requests, usage)
    const moment = check('now', atOnce('now', now()), CLOCK)
    const view = conversation.project(history as readonly M[], { model, prefix, now: moment })
    const request = conversation.requests
    this.#use(conversation)
    // Without any tool the model cannot call one, so a stub misleads nobody.
    const [recall, hasTools] = readable('request', () => [recallNameIn(tools), tools.length > 0])
    const lacksRecall = hasTools && recall === undefined && !this.#warned.has('no_recall')
    if (lacksRecall && view.report.edits.some(({ text }) => /recall \w{8}/.test(`${text}`)))
      this.warn('no_recall', 'stubs name `recall`: add it to the tools')
    onRequest?.({ id, report: view.report })
    return {
      ...view,
      history: conversation.history as readonly M[],
      recall,
      calibrate: (reported) => this.#calibrate(conversation, request, reported),
    }
  }

  /**
   * Answers a call of `recallTool`: with a text, or the content of a result with images, in the format of the
   * messages.
   *
   * @param messages The messages seen by the caller of the tool, or their originals. Other conversations are
   *   not searched.
   */
  answerRecall(args: unknown, messages: readonly object[]): string | object {
    const closest = readable('messages', () => this.#closest(messages))
    return answerRecallFrom([closest?.history ?? messages], args)
  }

  /** Drops all conversations and frees the engine's memory. */
  [Symbol.dispose](): void {
    for (const { context } of this.known) context[Symbol.dispose]()
    this.known = []
  }

  /** Creates a conversation. A branch starts with the decisions of the one that it branches from. */
  #create(id?: string, from?: Conversation): Conversation {
    const { counter, model } = this.#options
    const options = {
      ...(counter === undefined ? {} : { counter }),
      ...(model === undefined ? {} : { model }),
    }
    const format = this.#format === undefined ? {} : { format: this.#format }
    const context =
      from === undefined
        ? new Context(this.#policy, { ...options, ...format })
        : // The saved context includes the format.
          Context.fromJSON(from.context.toJSON(), options)
    return new Conversation(id, context, from)
  }

  /** Returns the conversation that the messages continue, or a new one if they branch off. */
  #find(messages: readonly object[], id: string | undefined): Found {
    const found = this.#closest(messages, id)
    const newest = id === undefined ? undefined : this.known.findLast((each) => each.id === id)
    // A host that summarised its history keeps the id; reasoning after the summary is bound to what it replaced.
    if (found === undefined) return { conversation: this.#create(id, newest), history: messages }
    const { conversation, history, dropped } = found
    if (newest !== undefined && conversation !== newest)
      this.warn('shared_id', `the id ${shown(id)} was given for several conversations: give each its own`)
    if (dropped <= BRANCH_LENGTH) return { conversation, history }
    return { conversation: this.#create(id, conversation), history }
  }

  /** Returns the conversation with the longest common beginning, which must exceed the system prompt. */
  #closest(messages: readonly object[], id?: string): (Found & Continuation) | undefined {
    let best: (Found & Continuation) | undefined
    let most = messages.findIndex((message) => !isInstruction(message))
    for (const conversation of this.known.toReversed()) {
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
    this.known = [...this.known.filter((each) => each !== conversation), conversation]
    const { maxConversations = MOST_CONVERSATIONS } = this.#options
    while (this.known.length > maxConversations) this.known.shift()?.context[Symbol.dispose]()
  }

  #calibrate(conversation: Conversation, request: number, usage: unknown): void {
    this.learn(() => {
      if (this.known.includes(conversation)) conversation.calibrate(request, usage)
    })
  }

  /** Reads an answer of the model. Throws nothing: the host would lose an answer that it has paid for. */
  learn(read: () => void): void {
    try {
      read()
    } catch (error) {
      try {
        this.warn('unknown_usage', `nothing was learned of the model's usage: ${reasonOf(error)}`)
      } catch {
        // The host's own `onWarning` failed.
      }
    }
  }

  /** Reports a warning of each kind once. */
  warn(code: AdapterWarning['code'], message: string): void {
    if (this.#warned.has(code)) return
    this.#warned.add(code)
    const { onWarning = printWarning } = this.#options
    onWarning({ code, message })
  }
}

/**
 * Like `answerRecall` of the conversations, for tools that receive the conversation's id. Also searches what the
 * host has summarised since.
 *
 * @param id The id of the conversation's requests.
 */
export function answerRecallOf({ known }: Conversations, id: string, args: unknown): string | object {
  const own = known.toReversed().filter((each) => each.id === id)
  return answerRecallFrom(
    own.map(({ history }) => history),
    args,
  )
}

/** Answers a call of `recall` from the first history that has the reference; later ones are not asked for. */
export const answerRecallFrom = (histories: Iterable<readonly object[]>, args: unknown): string | object =>
  answerRecall((reference, range) => recallFrom(histories, reference, range), args)

function recallFrom(histories: Iterable<readonly object[]>, reference: string, range: RecallRange): Recalled {
  let refused: unknown
  for (const history of histories) {
    try {
      return recall(history, reference, range)
    } catch (error) {
      if (!(error instanceof TrimtabError && error.code === 'not_recallable')) throw error
      refused = error
    }
  }
  if (refused !== undefined) throw refused
  return recall([], reference, range)
}

interface Found {
  conversation: Conversation
  history: readonly object[]
}

const isInstruction = ({ role }: { role?: unknown }): boolean => role === 'system' || role === 'developer'

const printWarning = ({ message }: AdapterWarning): void => console.warn(`trimtab: ${message}`)
