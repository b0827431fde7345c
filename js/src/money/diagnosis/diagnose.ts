import { called, check, checkOptional, kind, LIST, OBJECT, readable, TEXT } from '../../base/check.js'
import { asString, isRecord } from '../../base/json.js'
import type { Prices } from '../../prices/prices.js'
import { readCacheWrites } from '../../tokens/cache-writes.js'
import { readUsage } from '../../tokens/reported-usage.js'
import { type Billed, extraPerToken, Shares, summed } from './accounts.js'
import { leastCached, STEP_TOKENS } from './cache-minimum.js'
import { changesBetween, type SeenChange } from './changes.js'
import { diagnosisOptions, pricesFor } from './options.js'
import { type Continuation, continuationOf, sum } from './predecessor.js'
import { type Prompt, PromptReader } from './prompt.js'
import { toldBy } from './told.js'
import type { DiagnoseOptions, Diagnosis, Miss, MissCause, SentRequest } from './types.js'

/**
 * Explains the cost of a log of requests: for each request how much of it could have been read from the
 * provider's cache and was not, and why. The bodies are compared, so changes are known exactly: which tool,
 * which message, and who makes such changes. Each request is compared with the earlier one that has most of
 * its messages, so a log may contain several conversations.
 *
 * If an answer has `usage`, the tokens read are those reported. Otherwise they are computed from the bodies
 * and times.
 *
 * @param requests In the order in which they were sent.
 * @throws {TrimtabError} `invalid_option`; for invalid messages as `project`.
 */
export function diagnose(requests: readonly SentRequest[], options: DiagnoseOptions = {}): Diagnosis {
  return readable('requests', () => {
    checkRequests(requests)
    options = diagnosisOptions(options, 'diagnose')
    const reader = new PromptReader(requests.map(({ body }) => body))
    try {
      const prompts = requests.map(({ body }) => reader.read(body))
      return new Log(requests, prompts, options).diagnosis()
    } finally {
      reader.free()
    }
  })
}

const TIME = kind<number>('milliseconds since 1970, or null', Number.isFinite)

function checkRequests(requests: readonly SentRequest[]): void {
  check('requests', requests, called(LIST, 'an array of requests: { body, usage, time }'))
  requests.forEach((request, at) => {
    const { body, missReason, session, time, usage } = check(
      `requests[${at}]`,
      request,
      OBJECT,
    ) as SentRequest
    check(`requests[${at}].body`, body, called(OBJECT, 'the body of a request'))
    checkOptional(`requests[${at}].usage`, usage ?? undefined, OBJECT)
    checkOptional(`requests[${at}].time`, time ?? undefined, TIME)
    checkOptional(`requests[${at}].session`, session ?? undefined, TEXT)
    checkOptional(`requests[${at}].missReason`, missReason ?? undefined, TEXT)
  })
}

/** What is known of a request before it is compared. */
interface Known {
  prompt: Prompt
  /** Input tokens: reported, or estimated. */
  input: number
  /** Reported tokens read from the cache. */
  cached: number | null
  written: number | null
  time: number | null
  session: string | null
}

class Log {
  readonly #requests: readonly SentRequest[]
  readonly #prompts: readonly Prompt[]
  readonly #known: readonly Known[]
  readonly #prices: Prices
  readonly #seconds: number | null
  /** Whether only content up to a `cache_control` mark is cached. */
  readonly #isMarked: boolean

  constructor(requests: readonly SentRequest[], prompts: readonly Prompt[], options: DiagnoseOptions) {
    this.#requests = requests
    this.#prompts = prompts
    this.#known = requests.map((request, at) => knownOf(request, prompts[at] as Prompt))
    const [first] = prompts
    const writes = requests.map(({ usage }) => readCacheWrites(usage)?.seconds ?? null)
    const asked = [...writes, ...prompts.map(({ markSeconds }) => markSeconds)].filter((one) => one !== null)
    const seconds = asked.length === 0 ? null : Math.max(...asked)
    this.#prices = pricesFor(options, prompts.at(-1)?.model ?? null, first?.format ?? 'anthropic', seconds)
    this.#seconds = options.ttl ?? seconds ?? this.#prices.cacheSeconds
    this.#isMarked = first?.format === 'anthropic' || prompts.some(({ marked }) => marked !== null)
  }

  diagnosis(): Diagnosis {
    const misses: Miss[] = []
    const billed = this.#known.map((known, at): Billed => {
      const before = continuationOf(this.#prompts, at)
      const read = known.cached ?? (before === undefined ? 0 : this.#expected(known, before))
      const bill = { input: known.input, read, written: known.written }
      const miss = before === undefined ? undefined : this.#miss(at, before, bill)
      if (miss !== undefined) misses.push(miss)
      return bill
    })
    const isReported = this.#known.length > 0 && this.#known.every(({ cached }) => cached !== null)
    return summed({ from: 'requests', isReported, prices: this.#prices }, billed, misses)
  }

  /** The tokens that a request should have read, if no usage is reported. */
  #expected(now: Known, before: Continuation): number {
    const old = this.#before(before)
    const isGone = old.prompt.model !== now.prompt.model || this.#expiry(old, now) !== undefined
    const writable = this.#writable(old)
    if (isGone || writable < leastCached(old.prompt.model)) return 0
    return Math.min(this.#tokens(old, before.common), writable)
  }

  #miss(at: number, before: Continuation, billed: Billed): Miss | undefined {
    const old = this.#before(before)
    const readable = Math.min(Math.round(this.#tokens(old, before.shared)), billed.input)
    const missed = readable - Math.round(billed.read)
    if (missed <= (this.#isMarked ? 0 : STEP_TOKENS)) return undefined
    const shares = new Shares(missed, extraPerToken(billed, this.#prices))
    const provider = this.#share(shares, at, old, before, billed)
    return {
      request: at,
      answer: null,
      after: before.after,
      input: Math.round(billed.input),
      readable,
      read: Math.round(billed.read),
      tokens: missed,
      cost: shares.causes.reduce((sum, { cost }) => sum + cost, 0),
      causes: shares.sorted(),
      provider,
    }
  }

  /**
   * Assigns the missed tokens to the causes found. A cause may leave none for later ones, so the order
   * matters.
   */
  #share(shares: Shares, at: number, old: Known, before: Continuation, { read }: Billed): string | null {
    const now = this.#known[at] as Known
    const common = this.#tokens(old, before.common)
    const least = leastCached(old.prompt.model)
    const writable = this.#writable(old)
    const changes: SeenChange[] = changesBetween(old.prompt, now.prompt)
    const told = toldBy(this.#requests[at]?.missReason)
    if (told !== undefined && !isSeen(told.cause, changes, old, now)) changes.unshift({ cause: told.cause })

    if (old.input < least) shares.add({ cause: 'too-short', leastTokens: least })
    else if (writable < common) shares.add({ cause: 'not-marked' }, common - Math.max(writable, read))
    const models = [old.prompt.model, now.prompt.model]
    if (models[0] !== models[1])
      shares.add({ cause: 'model-changed', names: models.map((one) => one ?? '?') })
    const expiry = this.#expiry(old, now)
    const unchanged = Math.max(0, common - read)
    if (expiry !== undefined) shares.add(expiry, changes.length === 0 ? shares.left : unchanged)
    const isResumed = old.session !== null && now.session !== null && old.session !== now.session
    if (isResumed) shares.add({ cause: 'resumed' }, changes.length === 0 ? shares.left : 0)
    for (const change of changes) shares.add(change)
    if (shares.left > 0) shares.add({ cause: 'unknown' })
    return told?.type ?? null
  }

  #before({ after }: Continuation): Known {
    return this.#known[after] as Known
  }

  /** Converts the estimated tokens of a request's parts to the scale of its reported tokens. */
  #tokens({ input, prompt }: Known, estimated: number): number {
    return prompt.tokens === 0 ? 0 : (input * estimated) / prompt.tokens
  }

  /** Tokens that a request wrote to the cache or found there. */
  #writable(request: Known): number {
    const { parts, marked } = request.prompt
    if (!this.#isMarked) return request.input
    if (request.cached !== null && request.written !== null) return request.cached + request.written
    return this.#tokens(request, sum(parts.slice(0, marked ?? 0)))
  }

  #expiry(old: Known, now: Known): Omit<MissCause, 'tokens' | 'cost'> | undefined {
    if (old.time === null || now.time === null || this.#seconds === null) return undefined
    const pauseSeconds = Math.round((now.time - old.time) / 1000)
    const cacheSeconds = this.#seconds
    return pauseSeconds > cacheSeconds ? { cause: 'expired', pauseSeconds, cacheSeconds } : undefined
  }
}

/** Whether the provider's cause is among those found. */
function isSeen(cause: string, changes: readonly SeenChange[], old: Known, now: Known): boolean {
  if (cause === 'model-changed') return old.prompt.model !== now.prompt.model
  return changes.some((change) => change.cause === cause)
}

function knownOf({ body, session, time, usage }: SentRequest, prompt: Prompt): Known {
  const reported = readUsage(usage)
  return {
    prompt,
    input: reported?.input ?? prompt.tokens,
    cached: reported?.cached ?? null,
    written: reported === undefined ? null : (readCacheWrites(usage)?.tokens ?? null),
    time: time ?? null,
    session: session ?? sessionOf(body),
  }
}

/** The field with which clients distinguish sessions. */
function sessionOf(body: object): string | null {
  const { metadata, prompt_cache_key } = body as Record<string, unknown>
  const user = isRecord(metadata) ? (asString(metadata.session_id) ?? asString(metadata.user_id)) : undefined
  return asString(prompt_cache_key) ?? user ?? null
}
