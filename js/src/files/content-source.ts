import { atOnce } from '../base/at-once.js'
import { AMOUNT, called, check, refuseWith, shown } from '../base/check.js'
import { wellFormed } from '../base/text.js'
import type { TextCounter } from '../base/text-counter.js'

/**
 * Reads a file piece by piece, for files that should not be held in memory: writes its bytes from `position`
 * on to `target` and returns their number, 0 at the end of the file and behind it. Positions are asked for in
 * any order. Synchronous; in Node: `(target, position) => readSync(fd, target, 0, target.length, position)`.
 */
export type ReadBytes = (target: Uint8Array, position: number) => number

/** The content of a file to read. Bytes are never converted to a string as a whole. */
export type ReadContent = string | Uint8Array | ReadBytes

const COUNTED = called(AMOUNT, 'a function that returns numbers of tokens')

/** UTF-16 units. Longer texts are counted by samples. */
const COUNTED_UNITS = 200_000
const SAMPLE_UNITS = 20_000

const encoder = new TextEncoder()
/**
 * Half of a surrogate pair, as the engine has it in UTF-16 files (`LONE` in `src/bytes/decode.rs`): a byte that is in no
 * UTF-8, so that it is shown as U+FFFD and reported.
 */
const LONE = 0xff

/**
 * Passes the contents of files to the engine, chunk by chunk (`src/wasm/files.rs`). An exception is stored in
 * `failure`.
 */
export class FileSources {
  failure: { thrown: unknown } | undefined
  readonly #contents: readonly (ReadContent | undefined)[]
  readonly #count: TextCounter | undefined

  constructor(contents: readonly (ReadContent | undefined)[], counter?: TextCounter) {
    this.#contents = contents
    this.#count = counter && countedBy(counter)
  }

  fill(file: number, chunk: number, target: Uint8Array): number {
    const content = this.#contents[file]
    try {
      if (typeof content === 'string') return fillFromText(content, chunk, target)
      if (typeof content === 'function') return fillFromReader(content, chunk, target)
      return content === undefined ? 0 : fillFromBytes(content, chunk, target)
    } catch (thrown) {
      this.failure ??= { thrown }
      return 0
    }
  }

  isText(file: number): boolean {
    return typeof this.#contents[file] === 'string'
  }

  countTokens(text: string): number {
    if (this.#count === undefined) return -1
    try {
      return this.#count(text)
    } catch (thrown) {
      this.failure ??= { thrown }
      return -1
    }
  }
}

function fillFromBytes(content: Uint8Array, chunk: number, target: Uint8Array): number {
  const start = chunk * target.length
  const piece = content.subarray(start, start + target.length)
  target.set(piece)
  return piece.length
}

function fillFromText(content: string, chunk: number, target: Uint8Array): number {
  // A UTF-16 unit takes at most three bytes of UTF-8; a surrogate pair that is kept whole adds one unit.
  const units = Math.floor(target.length / 3) - 1
  const piece = content.slice(boundary(content, chunk * units), boundary(content, (chunk + 1) * units))
  if (wellFormed(piece) === piece) return encoder.encodeInto(piece, target).written
  let written = 0
  for (const [at, part] of piece.split(HALF).entries()) {
    if (at > 0) target[written++] = LONE
    written += encoder.encodeInto(part, target.subarray(written)).written
  }
  return written
}

const HALF = /\p{Surrogate}/u

/** Moves a position out of a surrogate pair. */
function boundary(text: string, position: number): number {
  const before = text.charCodeAt(position - 1)
  const after = text.charCodeAt(position)
  const splits = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
  return splits ? position + 1 : position
}

/** A reader may return fewer bytes than requested; only 0 means the end. */
function fillFromReader(read: ReadBytes, chunk: number, target: Uint8Array): number {
  const start = chunk * target.length
  let filled = 0
  while (filled < target.length) {
    const room = target.subarray(filled)
    const written = atOnce('content', read(room, start + filled))
    if (!Number.isInteger(written) || written < 0 || written > room.length) {
      const found = `content(target, position) must return how many bytes it wrote to target, found ${shown(written)}`
      return refuseWith('content', found)
    }
    if (written === 0) break
    filled += written
  }
  return filled
}

/** The host's counter, checked, and for long texts by samples. */
export const countedBy =
  (counter: TextCounter): TextCounter =>
  (text) =>
    check(
      'counter',
      countBySamples(text, (part) => atOnce('counter', counter(part))),
      COUNTED,
    )

/** Counting is slow: a long text is extrapolated from samples of its beginning, middle and end. */
function countBySamples(text: string, count: TextCounter): number {
  if (text.length <= COUNTED_UNITS) return count(text)
  const middle = Math.floor((text.length - SAMPLE_UNITS) / 2)
  const starts = [0, middle, text.length - SAMPLE_UNITS]
  const samples = starts.map((start) =>
    text.slice(boundary(text, start), boundary(text, start + SAMPLE_UNITS)),
  )
  const units = samples.reduce((sum, sample) => sum + sample.length, 0)
  const tokens = samples.reduce((sum, sample) => sum + count(sample), 0)
  return Math.ceil((tokens * text.length) / units)
}
