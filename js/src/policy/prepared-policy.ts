import { refuse } from '../base/check.js'
import { TrimtabError } from '../base/error.js'
import { CompiledPolicy, currentGeneration, enter } from '../engine/core.js'
import { DEFAULT_LIMITS } from '../generated/protocol.js'
import type { Policy } from '../generated/types.js'
import { contextWarning } from './context-warning.js'
import { scaledPolicy, type TokenScale, UNSCALED } from './token-scale.js'

/** A policy as JSON, compiled by the engine when it is first needed. */
export class PreparedPolicy {
  readonly json: string
  /** Tells the stubs of this policy from those of others. */
  readonly serial: number
  /** The most tokens of a view, with a budget. */
  readonly maxTokens: number | null
  readonly #warnAt: number
  readonly #window: number
  readonly #beside: number
  #compiled: CompiledPolicy | undefined
  #generation = -1

  constructor(json: string, serial = nextSerial++ & MAX_SERIAL, beside = 0) {
    this.json = json
    this.serial = serial
    this.#beside = beside
    const compiled = this.compiled()
    this.maxTokens = compiled.maxTokens() ?? null
    this.#warnAt = compiled.warnAt() ?? Number.POSITIVE_INFINITY
    this.#window = compiled.window()
  }

  /** The warning that a view of so many tokens is due. */
  warning(tokens: number): string | null {
    return tokens >= this.#warnAt ? contextWarning(100 * (tokens / this.#window + this.#beside)) : null
  }

  /** The same policy, its limits meant in real tokens: stubs and edited messages stay those that were made before. */
  scaled(scale: TokenScale): PreparedPolicy {
    if (scale === UNSCALED) return this
    const policy = JSON.parse(this.json) as Policy
    const beside = scale.beside / (policy.window ?? DEFAULT_LIMITS.window)
    return new PreparedPolicy(JSON.stringify(scaledPolicy(policy, scale)), this.serial, beside)
  }

  /** The engine's form; a policy that it does not take is an error here. */
  compiled(): CompiledPolicy {
    const generation = currentGeneration()
    if (this.#compiled === undefined || this.#generation !== generation) {
      this.#compiled = this.#compile()
      this.#generation = generation
    }
    return this.#compiled
  }

  #compile(): CompiledPolicy {
    return enter(() => new CompiledPolicy(this.json, this.serial))
  }
}

/** A serial shares 32 bits with five others. */
const MAX_SERIAL = (1 << 27) - 1
let nextSerial = 0

const prepared = new Map<string, PreparedPolicy>()
const PREPARED_LIMIT = 64

/** The compiled policy: hosts pass the same settings at every step, often as a new object, so it is found by its JSON. */
export function prepare(policy: Policy): PreparedPolicy {
  const json = toJson(policy)
  const known = prepared.get(json)
  if (known !== undefined) return known
  const fresh = new PreparedPolicy(json)
  if (prepared.size >= PREPARED_LIMIT) prepared.clear()
  prepared.set(json, fresh)
  return fresh
}

/** JSON has no NaN: `null`, which it would become, turns a pass off. As a text the engine refuses it where it stands. */
const finite = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value

function toJson(policy: Policy): string {
  if (typeof policy !== 'object' || policy === null)
    refuse('policy', 'an object of settings, as a preset gives', policy, 'invalid_policy')
  try {
    return JSON.stringify(policy, finite)
  } catch (cause) {
    const message = `the policy must be plain JSON: ${String(cause)}`
    throw new TrimtabError('invalid_policy', message, { argument: 'policy', cause })
  }
}
