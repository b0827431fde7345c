import { groups } from '../base/text.js'
import {
  type Bounds,
  cheapestPolicy,
  type Kept,
  type SimulatedPolicy,
  type Simulation,
} from '../money/index.js'
import { type Column, paint, paragraph, right, type Screen, table } from './render.js'
import { count, oneLine } from './text.js'

/** Formats the output of `trimtab simulate` as text. */
export function simulateText(files: readonly string[], simulation: Simulation, screen: Screen): string {
  const lines = [
    paint(oneLine(files.length === 1 ? String(files[0]) : count(files.length, 'session')), 'bold', screen),
    `  ${count(simulation.messages, 'message')}, ${count(simulation.requests, 'request')}`,
    '',
    ...policyTable(simulation, screen),
    '',
    ...notes(simulation).flatMap((note) => paragraph(note, screen)),
  ]
  return `${lines.join('\n')}\n`
}

function policyTable(simulation: Simulation, screen: Screen): string[] {
  const { policies } = simulation
  const isWatched = policies.some(({ overWindow }) => overWindow !== null)
  const hasReasoning = losesReasoning(simulation)
  const columns: Column<SimulatedPolicy>[] = [
    { title: 'policy', flexible: true, cell: ({ name }) => ({ text: name, keep: 'ends' }) },
    right('cost', ({ relativeCost }) => relativeCost.toFixed(2)),
    right('again', ({ refetched }) => refetched.relativeCost.toFixed(2)),
    ...(simulation.bounds === null ? [] : [right('regret', regretIn)]),
    right('peak', ({ peakTokens }) => short(peakTokens)),
    right('rewrites', ({ rewrites }) => groups(rewrites)),
    ...keptColumns,
    ...(hasReasoning ? [right('think', ({ reasoning }: SimulatedPolicy) => share(reasoning))] : []),
    ...(isWatched ? [right('over', ({ overWindow }: SimulatedPolicy) => groups(overWindow ?? 0))] : []),
  ]
  return table(columns, policies, screen)
}

const regretIn = ({ regret }: SimulatedPolicy): string => (regret ?? 0).toFixed(2)

/** How much of each kind of evidence a policy keeps. */
export const keptColumns: readonly Column<Pick<SimulatedPolicy, 'evidence'>>[] = [
  right('edits', ({ evidence }) => kept(evidence.edits)),
  right('files', ({ evidence }) => kept(evidence.files)),
  right('fails', ({ evidence }) => kept(evidence.failures)),
]

/** Formats as `3/4`; `-` for 0 of 0. */
function kept({ kept: shown, of }: Kept): string {
  return of === 0 ? '-' : `${shown}/${of}`
}

function losesReasoning({ policies }: Simulation): boolean {
  return policies.some(({ reasoning }) => reasoning.kept < reasoning.of)
}

/** Share of the tokens that is sent, such as `75%`. */
function share({ kept: sent, of }: Kept): string {
  return of === 0 ? '-' : `${Math.round((100 * sent) / of)}%`
}

/** Shortens a large number: `1.2M`, `45k`. */
export function short(tokens: number): string {
  if (tokens >= 999_500) return `${(tokens / 1e6).toFixed(1)}M`
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(Math.round(tokens))
}

function notes(simulation: Simulation): string[] {
  const { prices, bounds, cacheSeconds, hasTimes, policies } = simulation
  const life =
    cacheSeconds === null
      ? 'it is taken to live on'
      : hasTimes
        ? `it lives ${groups(cacheSeconds)} s, and was cold ${count(Math.max(...policies.map((each) => each.coldStarts)), 'time')}`
        : 'pauses are not known'
  return [
    ...winner(simulation),
    `cost: of what is sent, 1 = everything; a token from the cache costs ${prices.cacheRead}, one written to it ${prices.cacheWrite}; ${life}.`,
    ...(policies.some(({ name }) => name === 'cache-aware') ? [MADE_FOR_PRICES] : []),
    'again: the cost when each text that a step needed and did not have is fetched again by one more request.',
    ...(bounds === null ? [] : [boundNote(bounds)]),
    'edits, files, fails (failures): where a later step relied on an earlier text, how often it was in view.',
    ...(losesReasoning(simulation)
      ? ['think: how much reasoning was sent, of what sending everything would have.']
      : []),
    'peak: estimated tokens of the largest request.',
  ]
}

const MADE_FOR_PRICES = 'cache-aware: made for these prices, as cacheAware({ prices }) makes it.'

/** Sentence that names the cheapest policy. */
function winner(simulation: Simulation): string[] {
  if (simulation.policies.length === 1) return []
  const best = cheapestPolicy(simulation)
  return [
    `Cheapest, with what was missed fetched again: ${oneLine(best.name)}, ${best.refetched.relativeCost.toFixed(2)}.`,
  ]
}

function boundNote({ edits, all }: Bounds): string {
  const about = all.isReached && edits.isReached ? '' : 'at least '
  return `regret: cost as a multiple of the cheapest plan that keeps all evidence, known from the end of the session: ${about}${all.relativeCost.toFixed(2)}. One that keeps the texts of edits alone costs ${about}${edits.relativeCost.toFixed(2)}.`
}
