/// <reference lib="esnext.disposable" preserve="true" />
import { TrimtabError } from './error.js'
import { checkStep } from './options.js'
import { rollingContext } from './policies.js'
import { type PreparedPolicy, prepare } from './prepared-policy.js'
import { projectWith } from './projection.js'
import { Session } from './session.js'
import type { Format, FormatOptions, Policy, Projection, TokensByKind } from './types.js'

/** A {@link Context} as plain JSON. */
export interface SavedContext {
  version: 1
  policy: Policy
  format?: Format
}

const SAVED_VERSION = 1
const AFTER_TURN = prepareLater({ ephemeral: { when: 'now' } })

/**
 * A handle on one conversation: a policy, and the facts of the history so far. Each call takes the host's history as
 * it is then; only what is new in it is read.
 */
export class Context implements Disposable {
  readonly policy: Policy
  readonly #session: Session
  readonly #prepared: PreparedPolicy
  #disposed = false

  /**
   * @param policy What to do; rolling context when absent. It is copied: later changes of the object have no effect.
   * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
   */
  constructor(policy: Policy = rollingContext(), options: FormatOptions = {}) {
    this.#prepared = prepare(policy)
    this.policy = JSON.parse(this.#prepared.json) as Policy
    this.#session = new Session(options.format)
  }

  /** The view to send now. See {@link project}. */
  project<M extends object>(messages: readonly M[], options: { currentStep?: number } = {}): Projection<M> {
    this.#check()
    return projectWith(this.#session, messages, this.#prepared, checkStep(options.currentStep))
  }

  /** The history to keep after the assistant's final text: without the content of ephemeral results. */
  endTurn<M extends object>(messages: readonly M[]): M[] {
    this.#check()
    return this.#session.view(messages, AFTER_TURN(), -1).messages
  }

  /** Estimated tokens of a history by what they are spent on. */
  usage<M extends object>(messages: readonly M[]): TokensByKind {
    this.#check()
    return this.#session.usage(messages)
  }

  toJSON(): SavedContext {
    const { format } = this.#session
    return { version: SAVED_VERSION, policy: this.policy, ...(format === undefined ? {} : { format }) }
  }

  /** @throws {TrimtabError} `unsupported_state` for what a newer version saved. */
  static fromJSON(saved: SavedContext): Context {
    if (saved?.version !== SAVED_VERSION) {
      const found =
        typeof saved === 'object' && saved !== null ? `version ${String(saved.version)}` : String(saved)
      const message = `a saved context of version ${SAVED_VERSION} is needed, found ${found}`
      throw new TrimtabError('unsupported_state', message, { argument: 'saved' })
    }
    return new Context(saved.policy, saved.format === undefined ? {} : { format: saved.format })
  }

  /** Frees the engine's memory. Any later call is an error. */
  [Symbol.dispose](): void {
    this.#disposed = true
    this.#session.free()
  }

  #check(): void {
    if (this.#disposed) throw new TrimtabError('disposed', 'this Context was disposed: make a new one')
  }
}

function prepareLater(policy: Policy): () => PreparedPolicy {
  let made: PreparedPolicy | undefined
  return () => {
    made ??= prepare(policy)
    return made
  }
}
