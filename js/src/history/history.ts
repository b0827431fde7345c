import { checkMessages, readable } from '../base/check.js'
import { unreadable } from '../base/error.js'
import { dropOldest } from '../base/lists.js'
import { currentGeneration, currentReader, EngineSession, enter } from '../engine/core.js'
import { EDIT_NUMBERS, FORMATS, PLAN_HEAD } from '../generated/protocol.js'
import type {
  BlockFacts,
  BlockReport,
  EditReport,
  Format,
  MessageFacts,
  PassReport,
} from '../generated/types.js'
import type { PreparedPolicy } from '../policy/prepared-policy.js'
import { copiedNodes, editMessage, type MessageEdit, type PathStep } from './apply.js'
import { EditedMessages } from './edited-messages.js'
import { decisionsOf, refuseState, stateOf } from './state.js'
import type { State } from './types.js'
import { ValueReader } from './value-reader.js'

/** The leading numbers of the engine's plan (`Session::plan` in `src/wasm/session.rs`). */
interface PlanHead {
  steps: number
  currentStep: number
  tokensBefore: number
  tokensAfter: number
  firstChangedIndex: number | null
  /** Number of requests that the engine knows of. */
  requests: number
  /** Whether edits may be waiting because it is unknown what the model requires of reasoning. */
  waits: boolean
}

/** A planned and applied view. */
export interface View<M> extends PlanHead {
  messages: M[]
  /** The plan, as the numbers that the engine returns and accepts. */
  numbers: Uint32Array
}

/** What is needed to plan a view again. */
export type PlannedView = Pick<View<object>, 'numbers' | 'requests'> & { sticky: boolean }

/** What the passes of a view did, and every edit with its reason. */
export interface Description {
  passes: PassReport[]
  edits: EditReport[]
  /**
   * Reasoning whose preceding content differs from when it was made, as `messages.{i}.content.{j}` of the
   * view.
   */
  unbound: string[]
}

/** An edit as the engine returns it (`Session::edit` in `src/wasm/session.rs`). */
export type EditParts = [MessageEdit['path'], MessageEdit['slot'], MessageEdit['text']]

/** Index of the number of removed messages in the numbers of `Session::plan`. */
const REMOVED_COUNT = PLAN_HEAD - 1

/** All known requests. */
export const NO_LIMIT = 0xffffffff

/** Number of policies whose edited messages are kept. */
const MADE_LIMIT = 4

/**
 * One history of the host, as read by the engine. It follows the host's array: appended messages are read,
 * and from the first changed message on (also if changed in place) all are read again.
 */
export class History {
  readonly format: Format | undefined
  #seen: object[] = []
  #engine: EngineSession | undefined
  #host: ValueReader | undefined
  #generation = -1
  #epoch = 0
  readonly #made = new Map<number, EditedMessages>()
  readonly #onRead: ((message: object) => void) | undefined
  readonly #isAppendOnly: boolean

  /**
   * @param onRead Called with each message that was read.
   * @param isAppendOnly Whether each call passes the messages of the previous one, unchanged, and more. Then
   *   messages are not compared again, which makes the replay of a session linear.
   */
  constructor(format?: Format, onRead?: (message: object) => void, isAppendOnly = false) {
    this.format = format
    this.#onRead = onRead
    this.#isAppendOnly = isAppendOnly
  }

  /** Number of messages read. */
  get length(): number {
    return this.#seen.length
  }

  /** Reads the host's values for the engine; passed to each call. */
  get host(): ValueReader {
    this.#running()
    return this.#host as ValueReader
  }

  /** Changes whenever messages that were read are dropped. */
  get epoch(): number {
    return this.#epoch
  }

  /** The messages read, in an array that only grows. */
  get seen(): readonly object[] {
    return this.#seen
  }

  /** Updates the facts to `messages`. From then on they are read from {@link seen}, not from the host's list. */
  follow(messages: readonly object[]): EngineSession {
    const engine = this.#running()
    const same = this.#samePrefix(messages)
    const added = checkMessages(messages, same)
    if (same < this.#seen.length) this.#truncate(engine, same)
    if (added.length > 0) this.#read(engine, added)
    return engine
  }

  #running(): EngineSession {
    const generation = currentGeneration()
    if (this.#engine === undefined || this.#generation !== generation) {
      const host = new ValueReader(currentReader())
      this.#engine = enter(() => new EngineSession(this.format ?? ''))
      this.#host = host
      this.#generation = generation
      this.#forget(0)
    }
    return this.#engine
  }

  #samePrefix(messages: readonly object[]): number {
    try {
      if (this.#isAppendOnly && messages.length >= this.#seen.length) return this.#seen.length
      return this.#host?.watch.countUnchanged(messages) ?? 0
    } catch {
      // A getter or proxy of the host threw: reading the message again says which.
      return 0
    }
  }

  #truncate(engine: EngineSession, length: number): void {
    enter(() => engine.truncate(length))
    this.#host?.watch.forget(length)
    this.#forget(length)
  }

  /** Starts a new array of messages, because reports that look back keep the old one. */
  #forget(length: number): void {
    if (length < this.#seen.length) {
      this.#seen = this.#seen.slice(0, length)
      this.#epoch++
    }
    for (const made of this.#made.values()) made.forget(length)
  }

  #read(engine: EngineSession, added: readonly object[]): void {
    // The engine must not keep the host: it references the messages, and objects referenced from wasm are
    // never collected.
    const { host } = this
    host.failure = undefined
    const seen = this.#seen
    const from = seen.length
    for (const message of added) seen.push(message)
    try {
      enter(() => engine.read(host, seen, seen.length))
    } catch (refused) {
      seen.length = from
      throw host.unreadable() ?? refused
    }
    const failure = host.unreadable()
    if (failure !== undefined) {
      this.#truncate(engine, from)
      throw failure
    }
    for (const message of added) this.#onRead?.(message)
  }

  /**
   * Returns the view of `messages` under a policy.
   *
   * @param step The step of the view; `-1` for the newest.
   * @param idle Seconds since the last request.
   * @param prefix Checksum of what precedes the messages in the request. With it, the view applies earlier decisions and
   *   records its own.
   */
  view<M extends object>(
    messages: readonly M[],
    policy: PreparedPolicy,
    step: number,
    idle = 0,
    prefix?: number,
  ): View<M> {
    const engine = this.follow(messages)
    const compiled = policy.compiled()
    const numbers = enter(() => engine.plan(this.host, this.#seen, compiled, step, idle, prefix ?? -1))
    return this.apply(engine, policy, numbers)
  }

  /** Restores the decisions of earlier projections, for the next sticky view. */
  restore(state: State): void {
    const engine = this.#running()
    const decisions = readable('state', () => decisionsOf(state), 'unsupported_state')
    const unknown = enter(() => engine.restore(decisions))
    if (unknown > 0) refuseState(`${unknown} of its edits are invalid`)
  }

  /** Applies a plan of the engine, given as its numbers. */
  apply<M extends object>(engine: EngineSession, policy: PreparedPolicy, numbers: Uint32Array): View<M> {
    const messages = this.#seen as M[]
    const removed = numbers[REMOVED_COUNT] as number
    const edits = PLAN_HEAD + removed
    const view = messages.slice()
    const made = this.#madeUnder(policy.serial)
    for (let i = edits; i < numbers.length; ) {
      const index = numbers[i] as number
      let end = i + EDIT_NUMBERS
      while (end < numbers.length && numbers[end] === index) end += EDIT_NUMBERS
      let message = made.find(index, numbers, i, end)
      if (message === undefined) {
        const first = (i - edits) / EDIT_NUMBERS
        const list = this.#editsAt(engine, policy, first, first + (end - i) / EDIT_NUMBERS)
        message = this.#edited(index, messages[index] as M, list)
        made.keep(index, numbers, i, end, message)
      }
      view[index] = message as M
      i = end
    }
    const gone = removed === 0 ? undefined : new Set(numbers.subarray(PLAN_HEAD, edits))
    const first = numbers[4] as number
    return {
      messages: gone === undefined ? view : view.filter((_, index) => !gone.has(index)),
      numbers,
      steps: numbers[0] as number,
      currentStep: numbers[1] as number,
      tokensBefore: numbers[2] as number,
      tokensAfter: numbers[3] as number,
      firstChangedIndex: first === 0 ? null : first - 1,
      requests: numbers[5] as number,
      waits: numbers[6] === 1,
    }
  }

  #edited<M extends object>(index: number, message: M, edits: readonly MessageEdit[]): M {
    try {
      this.host.watch.copies.add(index, copiedNodes(message, edits))
      return editMessage(message, edits)
    } catch (cause) {
      // A field that the engine does not read threw, or the class does not allow a copy.
      throw unreadable(index, cause, 'copied with an edit')
    }
  }

  #madeUnder(serial: number): EditedMessages {
    let made = this.#made.get(serial)
    if (made === undefined) {
      made = new EditedMessages()
      this.#made.set(serial, made)
      dropOldest(this.#made, MADE_LIMIT)
    }
    return made
  }

  #editsAt(engine: EngineSession, policy: PreparedPolicy, from: number, to: number): MessageEdit[] {
    const compiled = policy.compiled()
    const list: MessageEdit[] = []
    for (let edit = from; edit < to; edit++) {
      const [path, slot, text] = enter(() => engine.edit(this.host, this.#seen, compiled, edit)) as EditParts
      // An edit with an empty path removes the whole message from the view, so there is nothing to replace.
      if (path.length > 0) list.push({ path, slot, text })
    }
    return list
  }

  /** Returns what the passes did, and every edit with its reason, for a view made by {@link view}. */
  describe(messages: readonly object[], policy: PreparedPolicy, view: PlannedView): Description {
    const engine = this.load(messages, policy, view)
    const compiled = policy.compiled()
    const found = enter(() => engine.describe(this.host, this.#seen, compiled, view.sticky))
    const [passes, edits, unbound] = found as [PassReport[], EditReport[], number[]]
    return { passes, edits, unbound: placesOf(unbound) }
  }

  /** Returns what happened to the blocks of one message in a view, and why. */
  explain(
    messages: readonly object[],
    policy: PreparedPolicy,
    view: PlannedView,
    index: number,
  ): BlockReport[] {
    const engine = this.load(messages, policy, view)
    const compiled = policy.compiled()
    return enter(() => engine.explain(this.host, this.#seen, compiled, index)) as BlockReport[]
  }

  /** The part of a message that holds a block: an entry of its list, a text, or the message itself. */
  partOf(messages: readonly object[], index: number, block: number): unknown {
    const engine = this.withMessage(messages, index)
    const path = enter(() => engine.contentPath(index, block)) as PathStep[]
    return path
      .slice(0, 2)
      .reduce((value, step) => (value as Holder)[step] ?? value, messages[index] as unknown)
  }

  /** The engine, which has read at least up to a message. A restarted one has read nothing yet. */
  withMessage(messages: readonly object[], index: number): EngineSession {
    const engine = this.#running()
    return this.length > index ? engine : this.follow(messages)
  }

  /** Returns the decisions of a view, for the next one. */
  state(messages: readonly object[], policy: PreparedPolicy, view: PlannedView): State {
    const engine = this.load(messages, policy, view)
    const compiled = policy.compiled()
    return stateOf(enter(() => engine.state(this.host, this.#seen, compiled, view.requests)))
  }

  /** Takes over the requests known to another session of the same messages. */
  takeRequests(other: History, policy: PreparedPolicy): void {
    const compiled = policy.compiled()
    const engine = other.follow(other.seen)
    const known = enter(() => engine.state(other.host, other.seen, compiled, NO_LIMIT))
    enter(() => this.#running().restore(known))
  }

  /** Restores the plan of a view in the engine. */
  load(messages: readonly object[], policy: PreparedPolicy, view: PlannedView): EngineSession {
    const engine = this.follow(messages)
    const compiled = policy.compiled()
    enter(() => engine.load(this.host, this.#seen, compiled, view.numbers))
    return engine
  }

  detectedFormat(): Format {
    return FORMATS[enter(() => this.#running().format())] as Format
  }

  /** Every block, in order. */
  blocks(messages: readonly object[]): BlockFacts[] {
    return this.messages(messages).flatMap(({ blocks }) => blocks)
  }

  /** Every message with its blocks. */
  messages(messages: readonly object[]): MessageFacts[] {
    const engine = this.follow(messages)
    return enter(() => engine.messages() as MessageFacts[])
  }

  /**
   * Frees the engine's memory immediately. The session can still be used; it then reads the history from the
   * start.
   */
  free(): void {
    if (this.#engine !== undefined && this.#generation === currentGeneration()) this.#engine.free()
    this.#engine = undefined
    this.#made.clear()
    this.#forget(0)
  }
}

/** Formats pairs of message and block as in Anthropic's API. */
export function placesOf(numbers: ArrayLike<number>): string[] {
  const places: string[] = []
  for (let i = 0; i < numbers.length; i += 2) places.push(`messages.${numbers[i]}.content.${numbers[i + 1]}`)
  return places
}

type Holder = Record<PathStep, unknown>
