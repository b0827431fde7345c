import { callback } from '../base/at-once.js'
import {
  called,
  check,
  checkOptions,
  DATA,
  isList,
  numberFrom,
  OBJECT,
  readable,
  refuse,
  SIGNAL,
} from '../base/check.js'
import { given } from '../base/json.js'
import type { Policy } from '../generated/types.js'
import { PRICES, type Prices } from '../prices/prices.js'
import { tuneCandidates } from './candidates.js'
import { combineSimulations } from './combine.js'
import { evidenceShare } from './kept.js'
import { simulate } from './simulate.js'
import type { SimulatedPolicy, SimulateOptions, Simulation } from './types.js'

/** A session to tune on. */
export interface SessionToTune extends Pick<SimulateOptions, 'format' | 'system' | 'times'> {
  messages: readonly object[]
}

/** Options of {@link tune}. */
export interface TuneOptions extends Pick<SimulateOptions, 'prices' | 'ttl'> {
  /**
   * The context window in tokens. A policy that exceeds it in any request is not recommended. Default
   * 200,000.
   */
  window?: number | undefined
  /** Minimum share of the evidence to keep in view, 0 to 1. Default 0.95. */
  keep?: number | undefined
  /** Policies to choose from, by name. Default: `tuneCandidates({ window, prices })`, with the life `ttl`. */
  candidates?: Readonly<Record<string, Policy>> | undefined
  /**
   * Called regularly with the completed fraction of the work, 0 to 1, and the position of the session being
   * replayed.
   */
  onProgress?: ((done: number, session: number) => void) | undefined
  /** Checked before each request; see {@link SimulateOptions.signal}. */
  signal?: AbortSignal | undefined
}

/** A policy's result over all sessions. */
export interface TunedPolicy
  extends Pick<SimulatedPolicy, 'name' | 'relativeCost' | 'rewrites' | 'peakTokens' | 'evidence'> {
  policy: Policy
  /** The fraction of all evidence that was in view; 1 if there was none. */
  evidenceShare: number
  /** Requests larger than the window. */
  overWindow: number
  /** Whether no other candidate is both as cheap and keeps as much. */
  isOnFrontier: boolean
}

/** The result of the cross-validation: each session in turn is left out, and the policy for it is chosen from the others. */
export interface LeftOut {
  /** Number of sessions for which the others chose the recommended policy. */
  same: number
  /** The cost of the sessions under the policies chosen for them, relative to sending everything. */
  relativeCost: number
  evidenceShare: number
}

/** The result of {@link tune}. */
export interface Tuning {
  sessions: number
  requests: number
  /** Number of places where a later step relied on an earlier text. */
  evidence: number
  window: number
  keep: number
  recommended: TunedPolicy
  /** `null` with a single session. */
  leftOut: LeftOut | null
  /** Reasons why the recommendation may not hold, as text for people. */
  warnings: string[]
  /** All candidates, cheapest first. */
  candidates: TunedPolicy[]
}

const SESSION = called(OBJECT, 'a session: { messages }')
const OPTIONS = {
  window: null,
  keep: called(numberFrom(0, 1), 'a share from 0 to 1'),
  prices: null,
  ttl: null,
  candidates: DATA,
  onProgress: callback('onProgress'),
  signal: SIGNAL,
}

/** A policy is cheaper in all of five sessions by chance once in 32 times; in all of four, once in 16. */
const ENOUGH_SESSIONS = 5
/**
 * With this many places, an observed share of 95 % is within 3 points of the true one, 19 times out of 20.
 */
const ENOUGH_EVIDENCE = 200
/** Relative costs that differ by less count as equal; then the policy that keeps more is chosen. */
const EQUAL_COST = 0.01

/**
 * Finds the policy that would have cost least over your sessions, among those that keep enough evidence. It replays
 * every session under a table of candidates, and cross-validates the choice by leaving out each session in turn.
 *
 * @throws {TrimtabError} `invalid_option`; as {@link simulate}.
 */
export function tune(sessions: readonly SessionToTune[], options: TuneOptions = {}): Tuning {
  options = checkOptions(options, OPTIONS, 'tune')
  const { window = 200_000, keep = 0.95, prices, ttl, onProgress, signal } = options
  const recorded = checkedSessions(sessions)
  const policies = options.candidates ?? tuneCandidates({ window, prices: livingFor(prices, ttl) })
  const settings = given({ window, prices, ttl, signal })
  const simulations = recorded.map(({ messages, format, system, times }, index) => {
    // Before the replay, so that an error can be attributed to its session.
    onProgress?.(index / sessions.length, index)
    const inAll = (done: number) => onProgress?.((index + done) / sessions.length, index)
    const own = given({ format, system, times })
    // Candidates are only compared with each other, so no bounds are needed.
    return simulate(messages, policies, { ...own, ...settings, bounds: false, onProgress: inAll })
  })
  const whole = combineSimulations(simulations)
  const recommended = choose(whole, keep)
  const frontier = frontierOf(whole.policies)
  const described = (one: SimulatedPolicy): TunedPolicy => ({
    name: one.name,
    policy: policies[one.name] as Policy,
    relativeCost: one.relativeCost,
    evidenceShare: evidenceShare(one.evidence),
    rewrites: one.rewrites,
    peakTokens: one.peakTokens,
    overWindow: one.overWindow ?? 0,
    evidence: one.evidence,
    isOnFrontier: frontier.has(one.name),
  })
  const { edits, files, failures } = recommended.evidence
  const evidence = edits.of + files.of + failures.of
  return {
    sessions: sessions.length,
    requests: whole.requests,
    evidence,
    window,
    keep,
    recommended: described(recommended),
    leftOut: simulations.length < 2 ? null : leaveOut(simulations, keep, recommended.name),
    warnings: warningsOf(sessions.length, evidence, recommended, keep),
    candidates: whole.policies.map(described).sort((a, b) => a.relativeCost - b.relativeCost),
  }
}

/** The prices with the life of the cache that is replayed. */
function livingFor(prices: Prices | undefined, ttl: number | undefined): Prices | undefined {
  return ttl === undefined ? prices : { ...(prices ?? PRICES.anthropic), cacheSeconds: ttl }
}

/**
 * Chooses the cheapest policy that keeps enough evidence and never exceeds the window; of those whose cost
 * differs by at most a hundredth, the one that keeps most. If none keeps enough, the one that keeps most,
 * within the window if possible.
 */
function choose({ policies }: Simulation, keep: number): SimulatedPolicy {
  const share = ({ evidence }: SimulatedPolicy) => evidenceShare(evidence)
  const fits = policies.filter(({ overWindow }) => overWindow === 0)
  const within = fits.length > 0 ? fits : policies
  const enough = within.filter((one) => share(one) >= keep)
  if (enough.length === 0) return best(within, (one, other) => share(one) > share(other))
  const cheapest = Math.min(...enough.map(({ relativeCost }) => relativeCost))
  const equal = enough.filter(({ relativeCost }) => relativeCost <= cheapest + EQUAL_COST)
  return best(equal, (one, other) => share(one) > share(other))
}

/** Returns the first element that no other beats. */
function best<T>(list: readonly T[], beats: (one: T, other: T) => boolean): T {
  return list.reduce((found, one) => (beats(one, found) ? one : found))
}

/**
 * Names of the policies for which no other is at least as good in both cost and evidence; of equal ones the
 * first.
 */
function frontierOf(policies: readonly SimulatedPolicy[]): Set<string> {
  const isBeaten = (one: SimulatedPolicy, at: number): boolean =>
    policies.some((other, index) => {
      const cost = other.relativeCost - one.relativeCost
      const share = evidenceShare(other.evidence) - evidenceShare(one.evidence)
      return cost <= 0 && share >= 0 && (cost < 0 || share > 0 || index < at)
    })
  return new Set(policies.filter((one, at) => !isBeaten(one, at)).map(({ name }) => name))
}

function leaveOut(simulations: readonly Simulation[], keep: number, recommended: string): LeftOut {
  const chosen = simulations.map((left) => {
    const { name } = choose(combineSimulations(simulations.filter((one) => one !== left)), keep)
    const policy = left.policies.find((one) => one.name === name) as SimulatedPolicy
    // All under one name, so that the simulations of different policies can be combined.
    return { name, left: { ...left, policies: [{ ...policy, name: 'chosen' }] } }
  })
  const sum = combineSimulations(chosen.map(({ left }) => left)).policies[0] as SimulatedPolicy
  return {
    same: chosen.filter(({ name }) => name === recommended).length,
    relativeCost: sum.relativeCost,
    evidenceShare: evidenceShare(sum.evidence),
  }
}

function warningsOf(
  sessions: number,
  evidence: number,
  { overWindow, evidence: kept }: SimulatedPolicy,
  keep: number,
): string[] {
  const list: string[] = []
  if (sessions < ENOUGH_SESSIONS)
    list.push(
      `${sessions} of at least ${ENOUGH_SESSIONS} sessions: a policy that is no better is by chance cheaper in all of ${ENOUGH_SESSIONS} once in ${2 ** ENOUGH_SESSIONS}, but in ${sessions} once in ${2 ** sessions}`,
    )
  if (evidence < ENOUGH_EVIDENCE)
    list.push(
      `${evidence} places of evidence: with fewer than ${ENOUGH_EVIDENCE} the share that is kept is not known within 3 points`,
    )
  if ((overWindow ?? 0) > 0) list.push('no candidate stays within the window')
  else if (evidenceShare(kept) < keep)
    list.push(`no candidate within the window keeps ${Math.round(100 * keep)} %: this one keeps most`)
  return list
}

function checkedSessions(sessions: readonly SessionToTune[]): SessionToTune[] {
  return readable('sessions', () => {
    if (!isList(sessions) || sessions.length === 0)
      refuse('sessions', 'a list of one or more sessions: [{ messages }]', sessions)
    return sessions.map((session: SessionToTune, at) => {
      check(`sessions[${at}]`, session, SESSION)
      return { ...session }
    })
  })
}
