import { atOnce } from '../base/at-once.js'
import { check, dataOf, isAmount, kind, readable, refuseWith, shown } from '../base/check.js'
import type { TokensByKind } from '../generated/types.js'
import type { History } from '../history/history.js'
import { usage } from '../history/lookups.js'
import { type TokenScale, UNSCALED } from '../policy/token-scale.js'
import { type Calibration, calibratedTokens, checkCalibration, UNCALIBRATED } from '../tokens/calibrate.js'
import type { MessageCounter } from '../tokens/message-counter.js'
import { isUnreported, type ReportedUsage, readUsage } from '../tokens/reported-usage.js'
import { Requests } from '../tokens/requests.js'
import { RunningTotal } from '../tokens/running-total.js'
import {
  bySource,
  NO_TOKENS,
  SOURCES,
  sumOfSources,
  TOKEN_KINDS,
  type TokensBySource,
} from '../tokens/sources.js'
import type { SeenCacheLife } from './cache-life.js'
import type { Projection } from './types.js'

/** What a `Context` learned about a model's tokens, for use in the next conversation. Plain JSON. */
export interface ContextCalibration extends Calibration {
  /** Tokens of a request outside its messages: tools, system prompt. */
  beside: number
  /** Observed life of the prompt cache; absent until a report has shown it. */
  cacheLife?: SeenCacheLife
}

/** A request: the view and its history. */
interface Sent {
  view: readonly object[]
  /** The messages read so far, in an array that only grows; the history is the first `length` of them. */
  seen: readonly object[]
  length: number
  /** Estimated tokens that the view leaves out. */
  saved: number
}

/**
 * What a `Context` knows about tokens beyond the engine's estimates: the counts of the host's counter, and
 * corrections learned from the provider's reports.
 */
export class ContextTokens {
  readonly #history: History
  readonly #counter: MessageCounter | undefined
  readonly #counts = new WeakMap<object, TokensByKind>()
  readonly #requests: Requests
  readonly #total = new RunningTotal()
  #isCalibrated: boolean
  #sent: Sent | undefined
  /** What the last view left out before this `Context` was saved. */
  #savedBefore = 0

  constructor(session: History, counter?: MessageCounter, calibration?: ContextCalibration) {
    if (counter !== undefined && typeof counter !== 'function') notACounter(counter)
    this.#history = session
    this.#counter = counter
    this.#isCalibrated = calibration !== undefined
    const { beside = 0, cacheLife: _, ...known } = calibration ?? UNCALIBRATED_CONTEXT
    check('calibration.beside', beside, kind<number>('a number of tokens', Number.isFinite))
    this.#requests = new Requests(checkCalibration(known), beside)
  }

  /** `undefined` before the first report. */
  get calibration(): ContextCalibration | undefined {
    const { calibration, beside } = this.#requests
    return this.#isCalibrated ? { ...calibration, beside: Math.round(beside) } : undefined
  }

  /** Whether the engine's estimates are all that is known. */
  get isEstimate(): boolean {
    return this.#counter === undefined && !this.#isCalibrated
  }

  /** Tokens of a history by kind: counted or estimated, then corrected. */
  usage(messages: readonly object[]): TokensByKind {
    const counted = this.#ofHistory(messages)
    const { ratios } = this.#requests.calibration
    const bySources = { answers: ratios[0], results: ratios[1], prompts: ratios[2] }
    const usage = { ...counted, total: 0 }
    for (const kind of TOKEN_KINDS) {
      usage[kind] = Math.round(counted[kind] * bySources[SOURCES[kind]])
      usage.total += usage[kind]
    }
    return usage
  }

  /** Ratio of the known tokens of a history to the engine's estimates. */
  scale(messages: readonly object[]): TokenScale {
    if (this.isEstimate) return UNSCALED
    const estimated = bySource(usage(this.#history, messages))
    const known = this.#counter === undefined ? estimated : bySource(this.#count(this.#counter, messages))
    // The view has fewer results than the history, so results left out by the last view are not part of the
    // mixture.
    const left = Math.min(1, this.saved / Math.max(1, estimated.results))
    const shown = (tokens: TokensBySource) => ({ ...tokens, results: tokens.results * (1 - left) })
    const calibrated = (tokens: TokensBySource) => calibratedTokens(this.#requests.calibration, tokens)
    const results = ({ results }: TokensBySource) => ({ answers: 0, prompts: 0, results })
    return {
      perToken: ratio(calibrated(shown(known)), sumOfSources(shown(estimated))),
      perResultToken: ratio(calibrated(results(known)), estimated.results),
      beside: Math.max(0, this.#requests.beside),
    }
  }

  /**
   * Estimated tokens that the last view left out of the messages that are still there. After a cut, as by a compaction,
   * it is not known of which: they are taken to be spread evenly.
   */
  get saved(): number {
    if (this.#sent === undefined) return this.#savedBefore
    const { seen: before, length, saved } = this.#sent
    const { seen } = this.#history
    if (before === seen) return saved
    let same = 0
    while (same < length && before[same] === seen[same]) same++
    return (saved * same) / length
  }

  /** Goes on with what the last view of a saved `Context` left out. */
  resume(saved: number): void {
    this.#savedBefore = saved
  }

  /** Expected tokens of a request with this view; `null` if only the engine's estimate is known. */
  expected(made: Projection<object>): number | null {
    if (this.isEstimate) return null
    return Math.round(this.#requests.tokens(this.#request(this.#sentAs(made))))
  }

  /** Records a view that is about to be sent, and what {@link expected} returned for it. */
  sent(made: Projection<object>, expected: number | null): void {
    const estimated = made.report.tokensAfter
    this.#sent = this.#sentAs(made)
    this.#total.sent({ expected: expected ?? estimated, estimated })
  }

  /** Learns from the usage reported for the last view. */
  calibrate(reported: unknown): ReportedUsage | undefined {
    if (isUnreported(reported)) return undefined
    const usage = readUsage(reported)
    if (usage === undefined) {
      const message = `usage must be what the provider reported for the request: {input, output}, or its own usage object; found ${shown(reported)}`
      refuseWith('usage', message)
    }
    if (this.#sent === undefined) {
      const message =
        'usage is that of the last projection, and there was none: call project() before calibrate()'
      refuseWith('usage', message)
    }
    const own = this.#total.ownOf(usage)
    this.#requests.report(this.#request(this.#sent), own)
    this.#isCalibrated = true
    return own
  }

  /** Drops the count of a message that was read again, because it may have changed in place. */
  forget(message: object): void {
    this.#counts.delete(message)
  }

  #sentAs({ messages, report }: Projection<object>): Sent {
    const { length, seen } = this.#history
    return { view: messages, seen, length, saved: report.tokensBefore - report.tokensAfter }
  }

  #request({ view, seen, length, saved }: Sent): { view: readonly object[]; estimated: TokensBySource } {
    if (this.#counter !== undefined) return { view, estimated: bySource(this.#count(this.#counter, view)) }
    const { answers, results, prompts } = bySource(usage(this.#history, seen.slice(0, length)))
    // Almost all of what a view leaves out is results.
    return { view, estimated: { answers, prompts, results: Math.max(0, results - saved) } }
  }

  /** Tokens of a history before any correction. */
  #ofHistory(messages: readonly object[]): TokensByKind {
    const estimated = usage(this.#history, messages)
    return this.#counter === undefined ? estimated : this.#count(this.#counter, messages)
  }

  #count(counter: MessageCounter, messages: readonly object[]): TokensByKind {
    const format = this.#history.detectedFormat()
    // The items of an answer are counted together, with the first of them.
    const isAlone = format !== 'openai-responses'
    const fresh = messages.filter((message) => !(isAlone && this.#counts.has(message)))
    const counted: unknown = atOnce('counter', counter(fresh, format))
    const counts = readable('counter', () => dataOf(counted))
    if (!isCounts(counts, fresh.length)) notACounter(counts)
    fresh.forEach((message, index) => {
      this.#counts.set(message, counts[index] as TokensByKind)
    })
    const sum: TokensByKind = { ...NO_TOKENS }
    for (const message of messages) {
      const tokens = this.#counts.get(message) as TokensByKind
      for (const kind of TOKEN_KINDS) sum[kind] += tokens[kind]
      sum.total += tokens.total
    }
    return sum
  }
}

function isCounts(counts: unknown, length: number): counts is TokensByKind[] {
  if (!Array.isArray(counts) || counts.length !== length) return false
  const kinds = [...TOKEN_KINDS, 'total'] as const
  return (counts as unknown[]).every(
    (count) =>
      typeof count === 'object' &&
      count !== null &&
      kinds.every((kind) => isAmount((count as Partial<TokensByKind>)[kind])),
  )
}

function notACounter(found: unknown): never {
  const message = `counter must be a function that gives the tokens of each message by kind, as messageCounter((text) => ...) of trimtab/tokens makes one; found ${shown(found)}`
  refuseWith('counter', message)
}

const UNCALIBRATED_CONTEXT: ContextCalibration = { ...UNCALIBRATED, beside: 0 }

function ratio(known: number, estimated: number): number {
  return known > 0 && estimated > 0 ? known / estimated : 1
}
