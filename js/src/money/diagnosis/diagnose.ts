import { called, check, checkOptional, kind, LIST, OBJECT, readable, TEXT } from '../../base/check.js'
import { asString, isRecord } from '../../base/json.js'
import { byLife, type Lives, readCacheWrites, SHORT_SECONDS } from '../../tokens/cache-writes.js'
import { readUsage } from '../../tokens/reported-usage.js'
import { type Billed, extraPerToken, type Rates, Shares, summed } from './accounts.js'
import { leastCached, STEP_TOKENS } from './cache-minimum.js'
import { changesBetween, type SeenChange } from './changes.js'
import { type Expiry, expiryOf, type Left } from './lives.js'
import { diagnosisOptions, ratesFor } from './options.js'
import { type Continuation, continuationOf, sum } from './predecessor.js'
import { type Mark, type Prompt, PromptReader } from './prompt.js'
import { toldBy } from './told.js'
import type { DiagnoseOptions, Diagnosis, Miss, SentRequest } from './types.js'

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
  /** The written tokens by life, as reported; `null` if not reported. */
  lives: Lives | null
  time: number | null
  session: string | null
}

class Log {
  readonly #requests: readonly SentRequest[]
  readonly #prompts: readonly Prompt[]
  readonly #known: readonly Known[]
  readonly #rates: Rates
  readonly #ttl: number | undefined
  /** What each request left in the cache. */
  readonly #left: Left[] = []
  /** Whether only content up to a `cache_control` mark is cached. */
  readonly #isMarked: boolean

  constructor(requests: readonly SentRequest[], prompts: readonly Prompt[], options: DiagnoseOptions) {
    this.#requests = requests
    this.#prompts = prompts
    this.#known = requests.map((request, at) => knownOf(request, prompts[at] as Prompt))
    const [first] = prompts
    const written = {
      hour: this.#known.some((one) => isWritten(one, 'hour')),
      shorter: this.#known.some((one) => isWritten(one, 'shorter')),
    }
    this.#rates = ratesFor(options, prompts.at(-1)?.model ?? null, first?.format ?? 'anthropic', written)
    this.#ttl = options.ttl
    this.#isMarked = first?.format === 'anthropic' || prompts.some(({ marks }) => marks.length > 0)
  }

  diagnosis(): Diagnosis {
    const misses: Miss[] = []
    const billed = this.#known.map((known, at): Billed => {
      const before = continuationOf(this.#prompts, at)
      const read = known.cached ?? (before === undefined ? 0 : this.#expected(known, before))
      const left = this.#leftBy(known, read, before)
      this.#left.push(left)
      const hour = known.lives?.hour ?? Math.max(0, left.hour - read)
      const bill = { input: known.input, read, written: known.written, hour }
      const miss = before === undefined ? undefined : this.#miss(at, before, bill)
      if (miss !== undefined) misses.push(miss)
      return bill
    })
    const isReported = this.#known.length > 0 && this.#known.every(({ cached }) => cached !== null)
    return summed({ from: 'requests', isReported, ...this.#rates }, billed, misses)
  }

  /** The tokens that a request should have read, if no usage is reported. */
  #expected(now: Known, before: Continuation): number {
    const old = this.#before(before)
    const writable = this.#writable(old)
    if (old.prompt.model !== now.prompt.model || writable < leastCached(old.prompt.model)) return 0
    const alive = this.#expiry(before, now)?.alive ?? writable
    return Math.min(this.#tokens(old, before.common), writable, alive)
  }

  #miss(at: number, before: Continuation, billed: Billed): Miss | undefined {
    const old = this.#before(before)
    const readable = Math.min(Math.round(this.#tokens(old, before.shared)), billed.input)
    const missed = readable - Math.round(billed.read)
    if (missed <= (this.#isMarked ? 0 : STEP_TOKENS)) return undefined
    const shares = new Shares(missed, extraPerToken(billed, this.#rates))
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
    const expiry = this.#expiry(before, now)
    if (expiry !== undefined) {
      const { alive, ...pause } = expiry
      const unread = changes.length === 0 ? shares.left : Math.max(0, common - read)
      shares.add({ cause: 'expired', ...pause }, unread - Math.max(0, alive - read))
    }
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
    if (!this.#isMarked) return request.input
    if (request.cached !== null && request.written !== null) return request.cached + request.written
    return this.#upTo(request, request.prompt.marks.at(-1))
  }

  #upTo(request: Known, mark: Mark | undefined): number {
    return this.#tokens(request, sum(request.prompt.parts.slice(0, mark?.upTo ?? 0)))
  }

  #leftBy(request: Known, read: number, before: Continuation | undefined): Left {
    const tokens = this.#writable(request)
    if (this.#ttl !== undefined) return { tokens, hour: 0, seconds: this.#ttl }
    const seconds = isWritten(request, 'shorter') ? SHORT_SECONDS : this.#rates.prices.cacheSeconds
    return { tokens, hour: this.#hourUpTo(request, read, before), seconds }
  }

  /** Tokens of a request's start that live an hour: the reported ones, or those up to the last mark of an hour. */
  #hourUpTo(request: Known, read: number, before: Continuation | undefined): number {
    const { lives, prompt } = request
    if (lives !== null && lives.hour > 0) return read + lives.hour
    // What a request reads lives on as it was written.
    const carried = before === undefined ? 0 : Math.min(read, this.#leftAt(before).hour)
    const mark = prompt.marks.findLast(({ isHour }) => isHour)
    if (mark === undefined || (lives !== null && carried > 0)) return carried
    const marked = mark === prompt.marks.at(-1) ? this.#writable(request) : this.#upTo(request, mark)
    return lives === null ? marked : Math.min(read, marked)
  }

  #leftAt({ after }: Continuation): Left {
    return this.#left[after] as Left
  }

  #expiry(before: Continuation, now: Known): Expiry | undefined {
    return expiryOf(this.#leftAt(before), this.#before(before).time, now.time)
  }
}

/** Whether a request wrote for a life: as reported, or else as its marks ask. */
function isWritten({ lives, prompt }: Known, life: keyof Lives): boolean {
  if (lives !== null && lives.hour + lives.shorter > 0) return lives[life] > 0
  return prompt.marks.some(({ isHour }) => isHour === (life === 'hour'))
}

/** Whether the provider's cause is among those found. */
function isSeen(cause: string, changes: readonly SeenChange[], old: Known, now: Known): boolean {
  if (cause === 'model-changed') return old.prompt.model !== now.prompt.model
  return changes.some((change) => change.cause === cause)
}

function knownOf({ body, session, time, usage }: SentRequest, prompt: Prompt): Known {
  const reported = readUsage(usage)
  const writes = reported === undefined ? null : readCacheWrites(usage)
  return {
    prompt,
    input: reported?.input ?? prompt.tokens,
    cached: reported?.cached ?? null,
    written: writes?.tokens ?? null,
    lives: writes === null ? null : byLife(writes),
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
