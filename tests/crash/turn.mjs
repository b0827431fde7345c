/** A turn of about 150 KB whose content depends only on its number. */
export function turn(number) {
  return [
    { role: 'user', content: `turn ${number}` },
    { role: 'assistant', content: `turn ${number} ${`${number},`.repeat(20_000)}` },
  ]
}

/**
 * State that is saved as a whole with each turn; it is so large that superseded versions are dropped now and
 * then.
 */
export const stateOf = (number) => ({ turn: number, rows: `${number} `.repeat(40_000) })
