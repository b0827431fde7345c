/** Small seeded generator (xorshift), so that the sample is the same on every machine. */
export function seededRandom(seed) {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 0x1_0000_0000
  }
}

/** Returns an id such as `3f2a...` with the given number of hexadecimal digits. */
export function hexId(random, digits) {
  return Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('')
}

export function uuid(random) {
  return [8, 4, 4, 4, 12].map((digits) => hexId(random, digits)).join('-')
}
