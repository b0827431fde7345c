import { copyOf, refuse } from '../base/check.js'
import { asText, TrimtabError } from '../base/error.js'
import { dropOldest } from '../base/lists.js'
import { CompiledPolicy, currentGeneration, enter } from '../engine/core.js'
import type { Policy } from '../generated/types.js'
import { contextWarning } from './context-warning.js'

/** A policy as JSON, compiled by the engine at first use. */
export class PreparedPolicy {
  readonly json: string
  /** The settings, read once. */
  readonly policy: Policy
  /** Distinguishes the stubs of this policy from those of others. */
  readonly serial: number
  /** The budget of a view in tokens; `null` if the policy has none. */
  readonly maxTokens: number | null
  readonly #warnAt: number
  readonly #window: number
  readonly #beside: number
  #compiled: CompiledPolicy | undefined
  #generation = -1

  constructor(json: string, serial = nextSerial++, beside = 0) {
    this.json = json
    this.policy = JSON.parse(json) as Policy
    this.serial = serial
    this.#beside = beside
    const [window = 0, warnAt = 0, maxTokens = null] = this.compiled().limits()
    this.maxTokens = maxTokens
    this.#warnAt = warnAt
    this.#window = window
  }

  /** The warning for a view of this many tokens; `null` if none is due. */
  warning(tokens: number): string | null {
    return tokens >= this.#warnAt ? contextWarning(100 * (tokens / this.#window + this.#beside)) : null
  }

  /** The compiled policy; throws if the engine rejects it. */
  compiled(): CompiledPolicy {
    const generation = currentGeneration()
    if (this.#compiled === undefined || this.#generation !== generation) {
      this.#compiled = enter(() => new CompiledPolicy(this.json))
      this.#generation = generation
    }
    return this.#compiled
  }
}

let nextSerial = 0

const prepared = new Map<string, PreparedPolicy>()
const PREPARED_LIMIT = 64

/**
 * Returns the compiled policy. Hosts pass the same settings at every step, often as a new object, so policies
 * are cached by their JSON.
 */
export function prepare(policy: Policy): PreparedPolicy {
  const json = toJson(policy)
  const known = prepared.get(json)
  if (known !== undefined) return known
  const fresh = new PreparedPolicy(json)
  prepared.set(json, fresh)
  dropOldest(prepared, PREPARED_LIMIT)
  return fresh
}

/**
 * JSON has no `NaN` and would turn it into `null`, which turns a pass off. As a string it is rejected by the
 * engine at its place. A list is read once, and is not too long.
 */
const plain = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : copyOf(value)

function toJson(policy: Policy): string {
  if (typeof policy !== 'object' || policy === null)
    refuse('policy', 'an object of settings, as a preset gives', policy, 'invalid_policy')
  try {
    return JSON.stringify(policy, plain)
  } catch (cause) {
    const message = `the policy must be plain JSON: ${asText(cause)}`
    throw new TrimtabError('invalid_policy', message, { argument: 'policy', cause })
  }
}

/** Returns a function that prepares a fixed policy at its first call. */
/* @__NO_SIDE_EFFECTS__ */
export function prepareLater(policy: Policy): () => PreparedPolicy {
  let made: PreparedPolicy | undefined
  return () => {
    made ??= prepare(policy)
    return made
  }
}
