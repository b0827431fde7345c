import { groups } from '../base/text.js'
import type { TunedPolicy, Tuning } from '../money/index.js'
import { type Column, paint, paragraph, right, type Screen, table } from './render.js'
import { keptColumns, short } from './simulate-text.js'
import { count, oneLine } from './text.js'

/** Formats the output of `trimtab tune` as text. */
export function tuneText(files: readonly string[], tuning: Tuning, screen: Screen): string {
  const { recommended, candidates, warnings } = tuning
  const title = files.length === 1 ? String(files[0]) : count(files.length, 'session')
  const lines = [
    paint(oneLine(title), 'bold', screen),
    `  ${count(tuning.requests, 'request')}, ${count(tuning.evidence, 'place')} of evidence, ${count(candidates.length, 'candidate')}`,
    '',
    ...frontierTable(tuning, screen),
    '',
    ...conclusion(tuning).flatMap((note) => paragraph(note, screen)),
    ...warnings.flatMap((warning) => paragraph(`Warning: ${warning}.`, screen)),
    '',
    paint(`Policy: ${recommended.name}`, 'bold', screen),
    ...JSON.stringify(recommended.policy, null, 2)
      .split('\n')
      .map((line) => `  ${line}`),
  ]
  return `${lines.join('\n')}\n`
}

function frontierTable({ candidates, recommended }: Tuning, screen: Screen): string[] {
  const columns: Column<TunedPolicy>[] = [
    { cell: ({ name }) => (name === recommended.name ? '>' : '') },
    { title: 'policy', flexible: true, cell: ({ name }) => name },
    right('cost', ({ relativeCost }) => relativeCost.toFixed(2)),
    right('kept', ({ evidenceShare }) => percentOf(evidenceShare)),
    ...keptColumns,
    right('peak', ({ peakTokens }) => short(peakTokens)),
    right('rewrites', ({ rewrites }) => groups(rewrites)),
  ]
  const shown = candidates.filter(({ isOnFrontier, name }) => isOnFrontier || name === recommended.name)
  return table(columns, shown, screen)
}

function percentOf(share: number): string {
  return `${(100 * share).toFixed(0)} %`
}

function conclusion({ keep, leftOut, sessions, window }: Tuning): string[] {
  const notes = [
    `Of all candidates these are the ones that no other beats in cost (1 = send everything) and evidence kept; ">" is the cheapest that keeps ${percentOf(keep)} and stays within ${groups(window)} tokens. Costs within a hundredth count as equal. Percentages in names are of the window.`,
  ]
  if (leftOut !== null)
    notes.push(
      `Each session left out in turn, the others choose the same policy for ${leftOut.same} of ${sessions}; with what they choose, the sessions cost ${leftOut.relativeCost.toFixed(2)} and keep ${percentOf(leftOut.evidenceShare)}.`,
    )
  return notes
}
