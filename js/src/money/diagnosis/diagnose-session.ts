import { called, check, checkOptional, LIST, OBJECT, readable } from '../../base/check.js'
import { type AnsweredRequest, byLife, SHORT_SECONDS } from '../../tokens/cache-writes.js'
import { estimatesOf } from '../../tokens/estimate.js'
import type { ReportedUsage } from '../../tokens/reported-usage.js'
import { isOtherContext } from '../../tokens/requests.js'
import { sumOfSources } from '../../tokens/sources.js'
import { type Billed, extraPerToken, type Rates, Shares, summed } from './accounts.js'
import { leastCached, STEP_TOKENS } from './cache-minimum.js'
import { type Expiry, expiryOf, type Left } from './lives.js'
import { diagnosisOptions, ratesFor, type WrittenLives } from './options.js'
import { toldBy } from './told.js'
import type { DiagnoseOptions, Diagnosis, Miss, MissCause, SessionToDiagnose } from './types.js'

/**
 * Explains the cost of a session as far as its file allows: from the reported tokens, the times and the
 * models. A file contains neither the tools nor what its client added to messages, so a change is inferred
 * from the number of tokens read: if only tools and system prompt were read, the client changed the messages.
 *
 * @param session A transcript returned by `readTranscript`; with `history: 'full'`, from its start.
 * @throws {TrimtabError} `invalid_option`.
 */
export function diagnoseSession(session: SessionToDiagnose, options: DiagnoseOptions = {}): Diagnosis {
  return readable('session', () => {
    check('session', session, called(OBJECT, 'what readTranscript returned'))
    checkOptional('session.usage', session.usage, called(LIST, 'an array of usage, one for each message'))
    options = diagnosisOptions(options, 'diagnoseSession')
    const requests = requestsOf(session)
    const [first] = requests
    const written = livesOf(requests)
    const rates = ratesFor(options, requests.at(-1)?.model ?? null, session.format, written)
    const beside = first === undefined ? 0 : besideMessages(session, first)
    const isWriting = requests.some(({ writes }) => (writes?.tokens ?? 0) > 0)
    const left = leftBy(requests, written, options.ttl, rates.prices.cacheSeconds)
    const terms: Terms = { rates, left, beside, isWriting }
    const misses = requests.flatMap((now, at) => missOf(requests[at - 1], now, at, terms) ?? [])
    const found = { from: 'usage' as const, isReported: requests.length > 0, ...rates }
    return summed(found, requests.map(billedOf), misses)
  })
}

interface Reported extends AnsweredRequest {
  at: number
  usage: ReportedUsage
  time: number | null
}

interface Terms {
  rates: Rates
  /** What each request left in the cache. */
  left: readonly Left[]
  /** Estimated tokens before the messages: tools and system prompt. */
  beside: number
  /** Whether the provider reports cache writes, which means that it caches only on request. */
  isWriting: boolean
}

const NOTHING_SAID: AnsweredRequest = { model: null, session: null, writes: null, missReason: null }

function requestsOf({ requests, times, usage = [] }: SessionToDiagnose): Reported[] {
  return usage.flatMap((one, at): Reported[] => {
    if (one === null) return []
    return [{ ...(requests?.[at] ?? NOTHING_SAID), at, usage: one, time: times?.[at] ?? null }]
  })
}

function billedOf({ usage, writes }: Reported): Billed {
  const lives = writes && byLife(writes)
  return { input: usage.input, read: usage.cached, written: writes?.tokens ?? null, hour: lives?.hour ?? 0 }
}

function livesOf(requests: readonly Reported[]): WrittenLives {
  const written = requests.flatMap(({ writes }) => (writes && byLife(writes)) ?? [])
  return { hour: written.some(({ hour }) => hour > 0), shorter: written.some(({ shorter }) => shorter > 0) }
}

/** What each request left in the cache: what it read, then what it wrote, of that first what lives an hour. */
function leftBy(
  requests: readonly Reported[],
  { hour, shorter }: WrittenLives,
  ttl: number | undefined,
  usual: number | null,
): Left[] {
  // What was in the cache before the session was written as the session writes, as far as that is one way.
  let before = hour && !shorter ? Number.POSITIVE_INFINITY : 0
  return requests.map(({ usage, writes }): Left => {
    const tokens = usage.cached + (writes?.tokens ?? 0)
    const written = (writes && byLife(writes)) ?? { hour: 0, shorter: 0 }
    before = written.hour > 0 ? usage.cached + written.hour : Math.min(before, usage.cached)
    if (ttl !== undefined) return { tokens, hour: 0, seconds: ttl }
    return { tokens, hour: before, seconds: written.shorter > 0 ? SHORT_SECONDS : usual }
  })
}

/** Tokens of the first request outside its messages. */
function besideMessages({ format, messages }: SessionToDiagnose, { at, usage }: Reported): number {
  const said = estimatesOf(messages.slice(0, at), format)
  return Math.max(0, usage.input - said.reduce((sum, one) => sum + sumOfSources(one), 0))
}

function missOf(old: Reported | undefined, now: Reported, request: number, terms: Terms): Miss | undefined {
  if (old === undefined) return undefined
  const billed = billedOf(now)
  const readable = Math.min(old.usage.input, now.usage.input)
  const missed = readable - now.usage.cached
  if (missed <= (terms.isWriting ? 0 : STEP_TOKENS)) return undefined
  const shares = new Shares(missed, extraPerToken(billed, terms.rates))
  const expiry = expiryOf(terms.left[request - 1] as Left, old.time, now.time)
  const provider = share(shares, old, now, expiry, terms)
  return {
    request,
    answer: now.at,
    after: request - 1,
    input: now.usage.input,
    readable,
    read: now.usage.cached,
    tokens: missed,
    cost: shares.causes.reduce((sum, { cost }) => sum + cost, 0),
    causes: shares.sorted(),
    provider,
  }
}

function share(
  shares: Shares,
  old: Reported,
  now: Reported,
  expiry: Expiry | undefined,
  terms: Terms,
): string | null {
  const { cached } = now.usage
  const least = leastCached(old.model)
  const told = toldBy(now.missReason)
  if (old.writes !== null && terms.isWriting) {
    const kept = old.usage.cached + old.writes.tokens
    if (old.usage.input < least) shares.add({ cause: 'too-short', leastTokens: least })
    else if (kept < old.usage.input)
      shares.add({ cause: 'not-marked' }, old.usage.input - Math.max(kept, cached))
  }
  if (shares.left === 0) return told?.type ?? null
  for (const cause of known(old, now)) shares.add(cause)
  if (expiry !== undefined) {
    const { alive, ...pause } = expiry
    shares.add({ cause: 'expired', ...pause }, shares.left - Math.max(0, alive - cached))
  }
  const isResumed = old.session !== null && now.session !== null && old.session !== now.session
  if (isResumed) shares.add({ cause: 'resumed' })
  if (shares.left > 0) shares.add(concluded(now, terms))
  return told?.type ?? null
}

type Found = Omit<MissCause, 'tokens' | 'cost'>

/**
 * Causes recorded in the file. The first explains all unread tokens; each of the others would have done so
 * too.
 */
function known(old: Reported, now: Reported): Found[] {
  const told = toldBy(now.missReason)?.cause
  const isOther = old.model !== null && now.model !== null && old.model !== now.model
  const found: (Found | false | undefined)[] = [
    told !== undefined && { cause: told, ...(told === 'message-changed' ? { message: null } : {}) },
    isOther &&
      told !== 'model-changed' && { cause: 'model-changed', names: [`${old.model}`, `${now.model}`] },
    isOtherContext(old.usage, now.usage) &&
      told !== 'message-changed' && { cause: 'message-changed', message: null, by: 'host', how: 'compacted' },
  ]
  return found.filter((one) => one !== undefined && one !== false)
}

/**
 * Infers the remaining cause. If the client requests caching, the cache is read up to the first change. The
 * messages in the file did not change, so either the client changed them when sending, or the system prompt
 * changed. If nothing was read, the cause is unknown.
 */
function concluded({ usage }: Reported, { beside, isWriting }: Terms): Found {
  if (!isWriting || usage.cached === 0) return { cause: 'unknown' }
  if (usage.cached < MOST_OF * beside) return { cause: 'system-changed' }
  return { cause: 'message-changed', message: null, by: 'client', how: 'changed' }
}

/** Fraction of the estimated tools and system prompt. If at least this much was read, they did not change. */
const MOST_OF = 0.8
