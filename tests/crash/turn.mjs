/** A turn that is known by its number alone, of some 150 KB. */
export function turn(number) {
  return [
    { role: 'user', content: `turn ${number}` },
    { role: 'assistant', content: `turn ${number} ${`${number},`.repeat(20_000)}` },
  ]
}

/** What is saved beside the turns, as a whole each time: so large that what it replaces is left out now and then. */
export const stateOf = (number) => ({ turn: number, rows: `${number} `.repeat(40_000) })
