import { isList, readable, refuseWith } from '../base/check.js'
import { regretOf } from './bound.js'
import { relativeTo } from './cost.js'
import { combinedEvidence, combinedKept } from './kept.js'
import type { Bound, Bounds, SimulatedPolicy, Simulation } from './types.js'

/**
 * Combines the simulations of several sessions: sums of tokens sent, cost and evidence kept. Each session starts with a
 * cold cache. All were simulated with the same policies, prices and options.
 *
 * @throws {TrimtabError} `invalid_option` for no simulation, or for policies that are not the same.
 */
export function combineSimulations(simulations: readonly Simulation[]): Simulation {
  return readable('simulations', () => {
    const isSimulation = (one: unknown): boolean =>
      typeof one === 'object' && one !== null && 'policies' in one && isList(one.policies)
    // `every` passes over holes.
    if (!isList(simulations) || !Array.from(simulations).every(isSimulation)) different('these are none')
    const [first, ...others] = simulations
    if (first === undefined) different('one or more are needed')
    return others.length === 0 ? first : withContextTokens(others.reduce(combined, first), simulations)
  })
}

/** Concatenates the tokens of all requests, once for all sessions instead of once per session. */
function withContextTokens(sum: Simulation, simulations: readonly Simulation[]): Simulation {
  const tokensOf = (index: number) =>
    simulations.flatMap(({ policies }) => policies[index]?.contextTokens ?? [])
  const policies = sum.policies.map((policy, index) => ({ ...policy, contextTokens: tokensOf(index) }))
  return { ...sum, policies }
}

function combined(one: Simulation, other: Simulation): Simulation {
  const names = ({ policies }: Simulation): string => JSON.stringify(policies.map(({ name }) => name))
  if (names(one) !== names(other)) different('their policies differ')
  const baseCost = one.baseCost + other.baseCost
  const bounds = combinedBounds(one.bounds, other.bounds, baseCost)
  return {
    ...one,
    messages: one.messages + other.messages,
    requests: one.requests + other.requests,
    hasTimes: one.hasTimes || other.hasTimes,
    answerTokens: one.answerTokens + other.answerTokens,
    baseCost,
    bounds,
    policies: one.policies.map((policy, index) =>
      combinedPolicy(policy, other.policies[index] as SimulatedPolicy, baseCost, bounds),
    ),
  }
}

function combinedBounds(one: Bounds | null, other: Bounds | null, baseCost: number): Bounds | null {
  if (one === null || other === null) return null
  const sum = (a: Bound, b: Bound): Bound => ({
    cost: a.cost + b.cost,
    relativeCost: relativeTo(baseCost, a.cost + b.cost),
    isReached: a.isReached && b.isReached,
  })
  return { edits: sum(one.edits, other.edits), all: sum(one.all, other.all) }
}

function combinedPolicy(
  one: SimulatedPolicy,
  other: SimulatedPolicy,
  baseCost: number,
  bounds: Bounds | null,
): SimulatedPolicy {
  const cost = one.cost + other.cost
  const refetchedCost = one.refetched.cost + other.refetched.cost
  const isWatched = one.overWindow !== null && other.overWindow !== null
  return {
    name: one.name,
    tokensSent: one.tokensSent + other.tokensSent,
    peakTokens: Math.max(one.peakTokens, other.peakTokens),
    rewrites: one.rewrites + other.rewrites,
    coldStarts: one.coldStarts + other.coldStarts,
    cost,
    relativeCost: relativeTo(baseCost, cost),
    overWindow: isWatched ? (one.overWindow ?? 0) + (other.overWindow ?? 0) : null,
    evidence: combinedEvidence(one.evidence, other.evidence),
    reasoning: combinedKept(one.reasoning, other.reasoning),
    refetched: {
      texts: one.refetched.texts + other.refetched.texts,
      cost: refetchedCost,
      relativeCost: relativeTo(baseCost, refetchedCost),
    },
    regret: regretOf(cost, bounds),
    contextTokens: one.contextTokens,
  }
}

function different(reason: string): never {
  const message = `simulations must be results of simulate with the same policies: ${reason}`
  refuseWith('simulations', message)
}
