import type { Kept, SimulatedPolicy, Simulation } from '../money/index.js'
import { type Column, paint, paragraph, type Screen, table } from './render.js'
import { count, groups, oneLine } from './text.js'

const right: Column = { align: 'right' }

/** `trimtab simulate` for people. */
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

function policyTable({ policies }: Simulation, screen: Screen): string[] {
  const isWatched = policies.some(({ overWindow }) => overWindow !== null)
  const columns: Column[] = [
    { title: 'policy', flexible: true },
    { title: 'cost', ...right },
    { title: 'sent', ...right },
    { title: 'peak', ...right },
    { title: 'rewrites', ...right },
    { title: 'edits', ...right },
    { title: 'files', ...right },
    { title: 'fails', ...right },
    ...(isWatched ? [{ title: 'over', ...right }] : []),
  ]
  return table(
    columns,
    policies.map((policy) => row(policy, isWatched)),
    screen,
  )
}

function row(policy: SimulatedPolicy, isWatched: boolean): string[] {
  const { edits, files, failures } = policy.evidence
  return [
    policy.name,
    policy.relativeCost.toFixed(2),
    short(policy.tokensSent),
    short(policy.peakTokens),
    groups(policy.rewrites),
    kept(edits),
    kept(files),
    kept(failures),
    ...(isWatched ? [groups(policy.overWindow ?? 0)] : []),
  ]
}

/** `3/4`; nothing of nothing is no figure. */
export function kept({ kept: shown, of }: Kept): string {
  return of === 0 ? '-' : `${shown}/${of}`
}

/** 1.2M, 45k: what matters of a large number. */
export function short(tokens: number): string {
  if (tokens >= 999_500) return `${(tokens / 1e6).toFixed(1)}M`
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(Math.round(tokens))
}

function notes({ prices, cacheSeconds, hasTimes, policies }: Simulation): string[] {
  const life =
    cacheSeconds === null
      ? 'it is taken to live on'
      : hasTimes
        ? `it lives ${groups(cacheSeconds)} s, and was cold ${count(Math.max(...policies.map((each) => each.coldStarts)), 'time')}`
        : 'pauses are not known'
  return [
    `cost: of what is sent, 1 = everything; a token from the cache costs ${prices.cacheRead}, one written to it ${prices.cacheWrite}; ${life}.`,
    'edits, files, fails (failures): where a later step relied on an earlier text, how often it was in view.',
    'sent, peak: estimated tokens.',
  ]
}
