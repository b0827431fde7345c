/// <reference lib="esnext.disposable" preserve="true" />

import { callback, unawaited } from '../base/at-once.js'
import {
  check,
  checkOptions,
  DATA,
  FUNCTION,
  IDLE,
  NAMED,
  readable,
  refuseWith,
  STEP,
  shown,
  TEXT,
} from '../base/check.js'
import { TrimtabError } from '../base/error.js'
import { FORMAT } from '../base/format.js'
import { DEFAULT_LIMITS } from '../generated/protocol.js'
import type { EditReport, Format, Policy, TokensByKind } from '../generated/types.js'
import { History } from '../history/history.js'
import { originalOf } from '../history/lookups.js'
import { pauseIn } from '../history/message-times.js'
import {
  answerRecall,
  linesOf,
  RANGE,
  type Recalled,
  type RecallRange,
  referenceIn,
} from '../history/recall.js'
import type { FormatOptions, State } from '../history/types.js'
import { cacheAware } from '../policy/cache-aware.js'
import { forModel, prefixOf } from '../policy/model-binding.js'
import { type PreparedPolicy, prepare, prepareLater } from '../policy/prepared-policy.js'
import { isNear, isSame, scaled, type TokenScale, UNSCALED } from '../policy/token-scale.js'
import type { MessageCounter } from '../tokens/message-counter.js'
import { CacheLife } from './cache-life.js'
import { type ContextCalibration, ContextTokens } from './context-tokens.js'
import { OWN_VIEW, SEVERAL_HISTORIES } from './notices.js'
import { type MadeProjection, projectWith } from './projection.js'
import { RequestCache } from './request-cache.js'
import { checkScale, type SavedScale } from './saved-scale.js'
import { Turns } from './turns.js'
import type { Projection, ProjectOptions } from './types.js'

/** A {@link Context} as plain JSON. */
export interface SavedContext {
  version: 1
  policy: Policy
  format?: Format
  /** The decisions; absent before the first projection. */
  state?: State
  /** The model, if it was given. */
  model?: string
  /** What {@link Context.calibrate} learned; absent before. */
  calibration?: ContextCalibration
  /** How the limits were converted for the last view; absent without a counter and before {@link Context.calibrate}. */
  scale?: SavedScale
}

/** Options of {@link Context}. */
export interface ContextOptions extends FormatOptions {
  /** The decisions of an earlier projection, to repeat. */
  state?: State | undefined
  /** The model that receives the views. Its name determines `binding`, unless the policy sets it. */
  model?: string | undefined
  /** What {@link Context.calibrate} learned in an earlier conversation with the same model. */
  calibration?: ContextCalibration | undefined
  /** Counts tokens instead of the engine's estimates, each message once. See `messageCounter` of `trimtab/tokens`. */
  counter?: MessageCounter | undefined
}

const SAVED_VERSION = 1
/** How often a view that exceeds the budget is made again. Nearly always the first fits. */
const TRIES = 5

const isOver = (tokens: number | null, max: number | null) => tokens !== null && max !== null && tokens > max

const CONTEXT_OPTIONS = { state: DATA, calibration: DATA, counter: null, model: NAMED, format: FORMAT }
const PROJECT_OPTIONS = { currentStep: STEP, idle: IDLE, prefix: TEXT, model: NAMED }
const AFTER_TURN = prepareLater({ ephemeral: { when: 'now' } })

/**
 * The state of one conversation: a policy, the facts of the history so far, and the decisions. Pass the whole history
 * to each call; only its new messages are read.
 *
 * Decisions are kept: a cleared result does not come back at a later step. With `clearAtLeast`, new edits wait until
 * they are worth a rewrite of the prompt cache.
 */
export class Context implements Disposable {
  readonly policy: Policy
  readonly #history: History
  #prepared: PreparedPolicy
  #model: string | undefined
  #prefix: string | undefined
  /**
   * Checksum of the prefix, the model and the settings that determine the texts of edits; `undefined` until
   * computed.
   */
  #begins: number | undefined
  readonly #tokens: ContextTokens
  #scale: TokenScale = UNSCALED
  /** The policy with its limits converted to the engine's estimates. */
  #scaled: PreparedPolicy
  #last: Projection<object> | undefined
  #cache: RequestCache | undefined
  readonly #life: CacheLife
  /** Seconds before the last projected request. */
  #pause = 0
  readonly #turns = new Turns()
  readonly #listeners = new Set<(view: Projection<object>) => void>()
  #restored: State | undefined
  #disposed = false

  /**
   * @param policy The policy; {@link cacheAware} by default. It is copied: later changes of the object have no effect.
   * @throws {TrimtabError} `invalid_policy`, `invalid_option`, `unsupported_state`.
   */
  constructor(policy: Policy = cacheAware(), options: ContextOptions = {}) {
    options = checkOptions(options, CONTEXT_OPTIONS, 'Context')
    this.policy = JSON.parse(prepare(policy).json) as Policy
    this.#model = options.model
    this.#prepared = prepare(forModel(this.policy, this.#model))
    this.#scaled = this.#prepared
    this.#history = new History(options.format, (message) => this.#tokens.forget(message))
    this.#tokens = new ContextTokens(this.#history, options.counter, options.calibration)
    this.#life = new CacheLife(options.calibration?.cacheLife)
    this.#restored = options.state
    if (options.state !== undefined) this.#history.restore(options.state)
  }

  /**
   * Makes the view to send now. See {@link project}. With `currentStep` it shows the view that the policy alone would
   * make at that step, and decides nothing. After a pause, pass the seconds since the last request as `idle`, unless
   * the messages have timestamps. `prefix` and `model` keep their last values.
   */
  project<M extends object>(
    messages: readonly M[],
    options: Omit<ProjectOptions, 'state' | 'format'> = {},
  ): Projection<M> {
    this.#check()
    options = checkOptions(options, PROJECT_OPTIONS, 'Context.project')
    const { currentStep, prefix = this.#prefix, model = this.#model } = options
    const isSticky = currentStep === undefined
    const pause = options.idle ?? (isSticky ? pauseIn(messages) : 0)
    const idle = isSticky ? this.#life.pause(pause) : pause
    this.#goOn(prefix, model)
    this.#rescale(messages)
    const begins = this.#begins ?? prefixOf(this.policy, prefix, model)
    this.#begins = begins
    const isOwn = this.#isOwnView(messages)
    const view = () =>
      projectWith(
        this.#history,
        messages,
        this.#scaled,
        currentStep ?? -1,
        idle,
        isSticky ? begins : undefined,
      )
    let made = view()
    if (isSticky) {
      made = this.#fitted(made, view)
      this.#last = made
      this.#pause = pause
      if (this.#turns.isReturn(this.#history.seen)) made.report.notice = SEVERAL_HISTORIES
      else if (isOwn) made.report.notice = OWN_VIEW
      const tokens = made.report.expectedTokens ?? made.report.tokensAfter
      this.#cache = new RequestCache(made.messages, made.report.format, tokens, this.#cache)
      made.report.cache = this.#cache
      for (const listener of this.#listeners) unawaited('listener', listener(made))
    }
    return made
  }

  /** Whether the messages hold what the last view put in place of the application's. Asked before they are read. */
  #isOwnView(messages: readonly object[]): boolean {
    const first = this.#last?.report.firstChangedIndex ?? -1
    const shown = this.#last?.messages[first]
    try {
      return shown !== undefined && messages[first] === shown && !this.#history.seen.includes(shown)
    } catch {
      // What is no list, or cannot be read, gets a proper error where it is read.
      return false
    }
  }

  /**
   * Learns from the usage that the provider reported for the request with the last view. From then on {@link usage} and
   * `report.expectedTokens` are corrected by kind of content, and the policy's limits (`clear`, `budget`, `warn`,
   * `clearAtLeast`, `window`) count the provider's tokens, including tools and system prompt. The observed life of the
   * prompt cache replaces the policy's `cacheSeconds`: longer if the cache was read after a longer pause, shorter if
   * nothing was left after a shorter one.
   *
   * Usage that is the sum of several requests, as frameworks report it for a run, is recognised by its size. If nothing
   * was reported (`undefined`, `null`, no input), nothing is learned.
   *
   * @param usage The usage object of the provider's answer: of Anthropic, OpenAI, Gemini, DeepSeek, the AI SDK or
   *   LangChain, or `{input, output}`, tokens from the cache counted.
   * @throws {TrimtabError} `invalid_option`.
   */
  calibrate(usage: object | null | undefined): void {
    this.#check()
    const reported = this.#tokens.calibrate(usage)
    if (reported === undefined || this.#cache === undefined) return
    this.#life.report(this.#pause, this.#cache.read, reported)
    this.#cache.report(reported)
  }

  /**
   * Returns the original of a cleared or clipped result of the last history, by the reference in its stub.
   *
   * @throws {TrimtabError} `not_recallable` with the reason, if nothing is found; `invalid_option`.
   */
  recall(reference: string, range: RecallRange = {}): Recalled {
    this.#check()
    const digits = referenceIn(reference)
    range = checkOptions(range, RANGE, 'Context.recall')
    return linesOf(originalOf(this.#history, this.#history.seen, digits), range)
  }

  /**
   * Answers a call of {@link recallTool}: with the lines, or the reason why there are none. It does not throw.
   *
   * @param args The call's arguments, as an object or as JSON text.
   * @returns A text. For a result with images or files, if no lines were requested, its complete content as in its
   * message: in most formats a list of the provider's own parts, to send as the content of the recall's result. `Content`
   * is its type in the provider's client; TypeScript takes it from where the answer is assigned.
   */
  answerRecall<Content extends object = object>(args: unknown): string | Content {
    return answerRecall((reference, range) => this.recall(reference, range), args) as string | Content
  }

  /**
   * Returns the history to keep after the assistant's final text, without the content of ephemeral results.
   *
   * @param options `onRemoved` is called with what was removed, as in `cleanupEphemeralMessages`.
   */
  endTurn<M extends object>(
    messages: readonly M[],
    options: { onRemoved?: ((removed: readonly EditReport[]) => void) | undefined } = {},
  ): M[] {
    this.#check()
    options = checkOptions(options, { onRemoved: callback('onRemoved') }, 'endTurn')
    const { messages: kept, report } = projectWith(this.#history, messages, AFTER_TURN(), -1, 0)
    options.onRemoved?.(report.edits)
    return kept
  }

  /**
   * Returns the tokens of a history by kind of content: the engine's estimates or the counts of `counter`, corrected by
   * what {@link calibrate} learned.
   */
  usage<M extends object>(messages: readonly M[]): TokensByKind {
    this.#check()
    return this.#tokens.usage(messages)
  }

  /**
   * Calls `listener` with each view that is made to be sent, and immediately with the last one, if there is one. Use it
   * to display a conversation. An error of the listener is thrown by `project`.
   *
   * @returns A function that removes the listener.
   */
  onView(listener: (view: Projection<object>) => void): () => void {
    this.#check()
    check('listener', listener, FUNCTION)
    this.#listeners.add(listener)
    if (this.#last !== undefined) unawaited('listener', listener(this.#last))
    return () => void this.#listeners.delete(listener)
  }

  toJSON(): SavedContext {
    const { format } = this.#history
    const state = this.#last?.state ?? this.#restored
    const calibration = this.#calibration()
    const model = this.#model
    const scale = this.#tokens.isEstimate ? undefined : { ...this.#scale, saved: this.#tokens.saved }
    return {
      version: SAVED_VERSION,
      policy: this.policy,
      ...(format === undefined ? {} : { format }),
      ...(state === undefined ? {} : { state }),
      ...(model === undefined ? {} : { model }),
      ...(calibration === undefined ? {} : { calibration }),
      ...(scale === undefined ? {} : { scale }),
    }
  }

  /**
   * @param options A `counter` is a function and not saved, so pass it again. `model` is the model from now on.
   * @throws {TrimtabError} `unsupported_state` for a state saved by a newer version, `invalid_policy`.
   */
  static fromJSON(saved: SavedContext, options: Pick<ContextOptions, 'counter' | 'model'> = {}): Context {
    options = checkOptions(options, { counter: FUNCTION, model: NAMED }, 'Context.fromJSON')
    const { version, policy, format, state, model, calibration, scale } = readable('saved', () => ({
      ...saved,
    }))
    if (version !== SAVED_VERSION) {
      const found = typeof saved === 'object' && saved !== null ? `version ${shown(version)}` : shown(saved)
      const message = `a saved context of version ${SAVED_VERSION} is needed, found ${found}`
      return refuseWith('saved', message, 'unsupported_state')
    }
    // Rejects a missing policy instead of using the default one.
    prepare(policy)
    const context = new Context(policy, {
      ...(model === undefined ? {} : { model }),
      ...options,
      ...(format === undefined ? {} : { format }),
      ...(state === undefined ? {} : { state }),
      ...(calibration === undefined ? {} : { calibration }),
    })
    if (scale !== undefined) context.#resume(scale)
    return context
  }

  /** Frees the engine's memory. Any later call is an error. */
  [Symbol.dispose](): void {
    this.#disposed = true
    this.#history.free()
  }

  #calibration(): ContextCalibration | undefined {
    const { calibration } = this.#tokens
    const { seen } = this.#life
    return calibration === undefined || seen === undefined ? calibration : { ...calibration, cacheLife: seen }
  }

  #goOn(prefix: string | undefined, model: string | undefined): void {
    if (prefix !== this.#prefix || model !== this.#model) this.#begins = undefined
    this.#prefix = prefix
    if (model === this.#model) return
    this.#model = model
    this.#prepared = prepare(forModel(this.policy, model))
    this.#scaled = scaled(this.#prepared, this.#scale)
  }

  /**
   * Returns the view with its expected tokens. If those exceed the budget because the view has another mixture of
   * contents than the history, it is made again with the ratio of its own.
   */
  #fitted<M extends object>(made: MadeProjection<M>, again: () => MadeProjection<M>): MadeProjection<M> {
    const max = this.#prepared.maxTokens
    let expected = this.#tokens.expected(made)
    for (let tries = TRIES; tries > 0 && isOver(expected, max) && made.report.fits; tries--) {
      const { beside, perToken } = this.#scale
      const own = (Number(expected) - beside) / Math.max(1, made.report.tokensAfter)
      this.#scaleBy({ ...this.#scale, perToken: Math.max(perToken, own) })
      made = again()
      expected = this.#tokens.expected(made)
    }
    if (expected !== null && max !== null) made.report.fits = expected <= max
    made.report.expectedTokens = expected
    this.#tokens.sent(made, expected)
    return made
  }

  #resume(saved: SavedScale): void {
    const { saved: left, ...scale } = checkScale(saved)
    this.#tokens.resume(left)
    if (!isSame(scale, UNSCALED)) this.#scaleBy(scale)
  }

  #rescale(messages: readonly object[]): void {
    const scale = this.#tokens.scale(messages)
    if (scale === this.#scale || isNear(scale, this.#scale, this.policy.window ?? DEFAULT_LIMITS.window))
      return
    this.#scaleBy(scale)
  }

  #scaleBy(scale: TokenScale): void {
    this.#scale = scale
    this.#scaled = scaled(this.#prepared, scale)
  }

  #check(): void {
    if (this.#disposed) throw new TrimtabError('disposed', 'this Context was disposed: make a new one')
  }
}
