/** Returns a new id. `crypto.randomUUID` is missing where the page is served without encryption. */
export function newId(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID()
  return (crypto as Crypto).getRandomValues(new Uint32Array(4)).join('-')
}
