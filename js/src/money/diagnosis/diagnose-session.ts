import { called, check, checkOptional, LIST, OBJECT, readable } from '../../base/check.js'
import type { Prices } from '../../prices/prices.js'
import type { AnsweredRequest } from '../../tokens/cache-writes.js'
import { estimatesOf } from '../../tokens/estimate.js'
import type { ReportedUsage } from '../../tokens/reported-usage.js'
import { isOtherContext } from '../../tokens/requests.js'
import { sumOfSources } from '../../tokens/sources.js'
import { type Billed, extraPerToken, Shares, summed } from './accounts.js'
import { leastCached, STEP_TOKENS } from './cache-minimum.js'
import { diagnosisOptions, pricesFor } from './options.js'
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
    const seconds = Math.max(0, ...requests.map(({ writes }) => writes?.seconds ?? 0)) || null
    const prices = pricesFor(options, requests.at(-1)?.model ?? null, session.format, seconds)
    const beside = first === undefined ? 0 : besideMessages(session, first)
    const isWriting = requests.some(({ writes }) => (writes?.tokens ?? 0) > 0)
    const terms: Terms = { prices, ttl: options.ttl, beside, isWriting }
    const misses = requests.flatMap((now, at) => missOf(requests[at - 1], now, at, terms) ?? [])
    return summed({ from: 'usage', isReported: requests.length > 0, prices }, requests.map(billedOf), misses)
  })
}

interface Reported extends AnsweredRequest {
  at: number
  usage: ReportedUsage
  time: number | null
}

interface Terms {
  prices: Prices
  ttl: number | undefined
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
  return { input: usage.input, read: usage.cached, written: writes?.tokens ?? null }
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
  const shares = new Shares(missed, extraPerToken(billed, terms.prices))
  const provider = share(shares, old, now, terms)
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

function share(shares: Shares, old: Reported, now: Reported, terms: Terms): string | null {
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
  for (const cause of known(old, now, terms)) shares.add(cause)
  if (shares.left > 0) shares.add(concluded(now, terms))
  return told?.type ?? null
}

type Found = Omit<MissCause, 'tokens' | 'cost'>

/**
 * Causes recorded in the file. The first explains all unread tokens; each of the others would have done so
 * too.
 */
function known(old: Reported, now: Reported, terms: Terms): Found[] {
  const told = toldBy(now.missReason)?.cause
  const isOther = old.model !== null && now.model !== null && old.model !== now.model
  const isResumed = old.session !== null && now.session !== null && old.session !== now.session
  const found: (Found | false | undefined)[] = [
    told !== undefined && { cause: told, ...(told === 'message-changed' ? { message: null } : {}) },
    isOther &&
      told !== 'model-changed' && { cause: 'model-changed', names: [`${old.model}`, `${now.model}`] },
    isOtherContext(old.usage, now.usage) &&
      told !== 'message-changed' && { cause: 'message-changed', message: null, by: 'host', how: 'compacted' },
    expiryOf(old, now, terms),
    isResumed && { cause: 'resumed' },
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

function expiryOf(old: Reported, now: Reported, { prices, ttl }: Terms): Found | undefined {
  const cacheSeconds = ttl ?? old.writes?.seconds ?? prices.cacheSeconds
  if (old.time === null || now.time === null || cacheSeconds === null) return undefined
  const pauseSeconds = Math.round((now.time - old.time) / 1000)
  return pauseSeconds > cacheSeconds ? { cause: 'expired', pauseSeconds, cacheSeconds } : undefined
}
