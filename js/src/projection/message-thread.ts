import {
  called,
  check,
  checkOptions,
  IDLE,
  type Kind,
  LIST,
  NAMED,
  OBJECT,
  readable,
  TEXT,
  withMethods,
} from '../base/check.js'
import { commonStart } from '../base/common-start.js'
import { pauseIn } from '../history/message-times.js'
import type { Context } from './context.js'
import type { LiveReport, ProjectOptions } from './types.js'

/** The field `thread` of a request, in Anthropic's API with the beta `message-threads-2026-08-12`. */
export type ThreadParam = { type: 'create' } | { type: 'continue'; previous_message_id: string }

/** The request to send. */
export interface ThreadRequest<M> {
  /** `null` if the messages cannot be held in a thread: leave the field out. */
  thread: ThreadParam | null
  /** The new messages if the thread continues, otherwise the whole view. */
  messages: M[]
  /** The whole view, for a retry without the thread. */
  view: M[]
  report: LiveReport
}

/** A message from the API, for {@link MessageThread.answered}. */
export interface ThreadAnswer {
  id: string
  content: readonly object[]
  stop_reason?: string | null | undefined
}

const CONTEXT = withMethods<Context>('a Context', 'project')
const OPTIONS = { idle: IDLE, prefix: TEXT, model: NAMED }

/** Seconds after the last request until the server discards a thread. */
const THREAD_SECONDS = 300

const BLOCKS = called(LIST, "the list of the answer's blocks") as Kind<readonly object[]>

/**
 * Decides how to continue a conversation in Anthropic's message threads, in which the server stores the messages and a
 * request contains only the new ones. As long as the view of a `Context` only grows, the thread is continued. A new
 * thread is created from the whole view if the view changes stored messages (a batch of results was cleared, the host
 * changed its history), after five minutes, with another system prompt, other tools or another model, and after a
 * refusal.
 *
 * Use one for each `Context`. Keep the whole history, with the API's answers unchanged.
 */
export class MessageThread {
  readonly #context: Context
  #asked: Asked | undefined
  #held: Held | undefined

  /** @throws {TrimtabError} `invalid_option`. */
  constructor(context: Context) {
    check('context', context, CONTEXT)
    this.#context = context
  }

  /**
   * Returns the request to send now. See `Context.project`. The age of the thread is `idle`, or else taken
   * from the messages' timestamps.
   *
   * @param messages The history, in Anthropic's format.
   * @throws {TrimtabError} As `Context.project`.
   */
  project<M extends object>(
    messages: readonly M[],
    options: Pick<ProjectOptions, 'idle' | 'prefix' | 'model'> = {},
  ): ThreadRequest<M> {
    options = checkOptions(options, OPTIONS, 'MessageThread.project')
    const { messages: view, report } = this.#context.project(messages, options)
    const { prefix = this.#asked?.prefix, model = this.#asked?.model, idle = pauseIn(messages) } = options
    this.#asked = { view, prefix, model }
    if (isCompacted(view)) return { thread: null, messages: view, view, report }
    const held = idle < THREAD_SECONDS ? this.#held : undefined
    const isSame = held !== undefined && held.prefix === prefix && held.model === model
    if (!isSame || !holds(held, view)) return { thread: { type: 'create' }, messages: view, view, report }
    const thread = { type: 'continue', previous_message_id: held.id } as const
    return { thread, messages: view.slice(held.messages.length), view, report }
  }

  /**
   * Records the answer to the last projected request.
   *
   * @throws {TrimtabError} `invalid_option`.
   */
  answered(answer: ThreadAnswer): void {
    check('answer', answer, OBJECT)
    const { id, content: blocks, stop_reason } = readable('answer', () => fieldsOf(answer))
    check('answer.id', id, TEXT)
    const content = check('answer.content', blocks, BLOCKS)
    if (this.#asked === undefined) return
    const { view, ...begins } = this.#asked
    // A thread cannot continue after a refused turn.
    const isOver = stop_reason === 'refusal' || isCompacted(view)
    this.#held = isOver ? undefined : { ...begins, id, messages: [...view, { role: 'assistant', content }] }
  }

  /** The server lost the thread (`thread_not_found`, `thread_already_continued`): the next request creates a new one. */
  lost(): void {
    this.#held = undefined
  }
}

const fieldsOf = ({ id, content, stop_reason = null }: ThreadAnswer): ThreadAnswer => ({
  id,
  content,
  stop_reason,
})

/** What precedes the messages of a request. */
interface Beginning {
  prefix: string | undefined
  model: string | undefined
}

interface Asked extends Beginning {
  view: readonly object[]
}

/** What the server stores. */
interface Held extends Beginning {
  id: string
  messages: readonly object[]
}

const holds = ({ messages }: Held, view: readonly object[]): boolean =>
  commonStart(messages, view) === messages.length

/** Threads do not support compaction. */
function isCompacted(view: readonly object[]): boolean {
  const isBlock = (block: { type?: unknown } | null) => block?.type === 'compaction'
  const isOne = ({ content }: { content?: unknown }) => Array.isArray(content) && content.some(isBlock)
  return readable('messages', () => view.some(isOne), 'unreadable_message')
}
