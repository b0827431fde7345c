/** Levenshtein distance: insertions, deletions and substitutions between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const above = row as readonly number[]
    row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (above[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(change, (above[j] as number) + 1, (row[j - 1] as number) + 1))
    }
  }
  return row[b.length] as number
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
