// Tables of the cost of policies over sessions.

/** Geometric mean. */
export const mean = (list) => Math.exp(list.reduce((sum, one) => sum + Math.log(one), 0) / list.length)

/** Formats as `.474`, `1.055`. */
export const short = (value) => value.toFixed(3).replace(/^0/, '')

/** Geometric mean, minimum and maximum. */
export const spread = (list) =>
  `${short(mean(list))} (${short(Math.min(...list))} to ${short(Math.max(...list))})`

/** Share of the evidence that was in view, over all sessions. */
export function shareOf(list) {
  const of = list.reduce((sum, one) => sum + one.of, 0)
  return of === 0 ? null : list.reduce((sum, one) => sum + one.kept, 0) / of
}

export const percent = (share) => (share === null ? '-' : `${(100 * share).toFixed(1)} %`)

const row = (cells) => `| ${cells.join(' | ')} |`
export const table = (titles, rows) =>
  [row(titles), row(titles.map(() => '---')), ...rows.map(row)].join('\n')
