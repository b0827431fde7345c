// Prints the figures as a table, and whether they meet the project's targets.

const digits = (value) => value.toPrecision(value >= 100 ? 4 : 3)
const ms = (value) => (Number.isNaN(value) ? '' : digits(value))
const ratio = (a, b) => (Number.isNaN(a / b) ? '' : `${digits(a / b)}x`)

/** Aligns cells in columns, the first of a row to the left. */
export function columns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const line = (row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')
  return rows.map(line).join('\n')
}

/**
 * Median milliseconds by rival and size, relative to the loop of its kind, to `pruneMessages`, and to the smaller size.
 *
 * @param {{ title: string, small: Times, large: Times, rivals: { name: string, loop: string }[], prune: string }} table
 */
export function table({ title, small, large, rivals, prune }) {
  const head = [title, '1,000: ms', '/ loop', '/ prune', '10,000: ms', '/ loop', '/ prune', '10,000 / 1,000']
  const cells = (times, name, loop) => {
    const own = times.median(name)
    return [ms(own), ratio(own, times.median(loop)), ratio(own, times.median(prune))]
  }
  const rows = rivals.map(({ name, loop }) => [
    name,
    ...cells(small, name, loop),
    ...cells(large, name, loop),
    ratio(large.median(name), small.median(name)),
  ])
  return columns([head, ...rows])
}

/**
 * A target of the project: at most `limit`. Judged by the median, or by `fastest` if that is given; the fastest tenth
 * of the measurements is printed as well.
 *
 * @param {{ what: string, value: (part: number) => number, fastest?: () => number, limit: number, unit: 'x' | ' ms' }}
 * figure
 */
export function verdict({ what, value, fastest, limit, unit }) {
  const text = (number) => `${digits(number)}${unit}`
  const judged = fastest?.() ?? value(0.5)
  const beside = `${fastest === undefined ? '' : `median ${text(value(0.5))}, `}fastest tenth ${text(value(0.1))}`
  return `${judged <= limit ? 'met    ' : 'NOT MET'}  ${what}: ${text(judged)}, at most ${limit}${unit} (${beside})`
}
