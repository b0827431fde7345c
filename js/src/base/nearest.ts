/**
 * Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours between two
 * words.
 */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const above = rows[i - 1] as number[]
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (above[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(change, (above[j] as number) + 1, (row[j - 1] as number) + 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) least = Math.min(least, ((rows[i - 2] as number[])[j - 2] as number) + 1)
      row.push(least)
    }
    rows.push(row)
  }
  return (rows[a.length] as number[])[b.length] as number
}

/** Returns the known name that was probably meant, if at most half of the letters differ. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.floor(name.length / 2)
  // A name this long is not a misspelt one.
  if (name.length > 64) return undefined
  for (const candidate of known) {
    const count = distance(name.toLowerCase(), candidate.toLowerCase())
    if (count < least || (count === least && best === undefined)) {
      best = candidate
      least = count
    }
  }
  return best
}
