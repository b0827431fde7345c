/** A turn that is known by its number alone, of some 150 KB. */
export function turn(number) {
  return [
    { role: 'user', content: `turn ${number}` },
    { role: 'assistant', content: `turn ${number} ${`${number},`.repeat(20_000)}` },
  ]
}
