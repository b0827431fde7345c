/** Initial state and constants: the first bits of the fractions of square and cube roots of primes. */
const PRIMES = firstPrimes(64)
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)))

/**
 * SHA-256 (FIPS 180-4) of bytes, as 32 bytes: for pages that are served without encryption, where the browser has no
 * `crypto.subtle`.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  const blocks = padded(bytes)
  const state = Int32Array.from(START)
  const words = new Int32Array(64)
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = blocks.getInt32(at + 4 * i)
    expand(words)
    compress(state, words)
  }
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, at) => {
    digest.setInt32(4 * at, word)
  })
  return new Uint8Array(digest.buffer)
}

/** The bytes, a bit, zeros, and the number of bits: whole blocks of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  whole.set(bytes)
  whole[bytes.length] = 0x80
  const view = new DataView(whole.buffer)
  view.setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n)
  return view
}

const at = (list: ArrayLike<number>, index: number): number => list[index] ?? 0
const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** Derives words 16 to 63 from the first 16. */
function expand(words: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const [early, late] = [at(words, i - 15), at(words, i - 2)]
    const low = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)
    const high = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10)
    words[i] = at(words, i - 16) + low + at(words, i - 7) + high
  }
}

function compress(state: Int32Array, words: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const chosen = (e & f) ^ (~e & g)
    const first =
      h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + chosen + at(ROUNDS, i) + at(words, i)
    const most = (a & b) ^ (a & c) ^ (b & c)
    const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + most
    ;[a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g]
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = at(state, index) + word
}

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let next = 2; primes.length < count; next++)
    if (primes.every((prime) => next % prime !== 0)) primes.push(next)
  return primes
}

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0
}
