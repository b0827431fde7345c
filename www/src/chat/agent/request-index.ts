import type { EditReport } from 'trimtab'
import { sameBeginning } from '../same-beginning.js'
import { editsAfter, type SentRequest } from './requests.js'
import { type Trim, TrimReader } from './trims.js'

/** Number of requests between stored edits: at most this many are read to get the edits of one request. */
const STRIDE = 64

/** Edits and trims after each request, updated as requests are added. */
export class RequestIndex {
  #requests: readonly SentRequest[] = []
  #trims = new TrimReader()
  /** The edits after each multiple of `STRIDE` requests. */
  readonly #edits: ReadonlyMap<string, EditReport>[] = []

  /** Updates the index to the current requests. */
  take(requests: readonly SentRequest[]): void {
    const before = this.#requests
    const goesOn = sameBeginning(before, requests) === before.length
    if (goesOn && requests.length === before.length) return
    if (!goesOn) {
      this.#edits.length = 0
      this.#trims = new TrimReader()
    }
    this.#requests = requests
    this.#trims.read(requests)
    while (this.#edits.length < Math.floor(requests.length / STRIDE))
      this.#edits.push(this.editsAfter((this.#edits.length + 1) * STRIDE))
  }

  /** Returns the edits after the first `count` requests, by block. */
  editsAfter(count: number): ReadonlyMap<string, EditReport> {
    const known = Math.min(this.#edits.length, Math.floor(count / STRIDE))
    return editsAfter(this.#requests.slice(known * STRIDE, count), this.#edits[known - 1])
  }

  /** Returns the trims of the first `count` requests. */
  trims(count: number): readonly Trim[] {
    const { trims } = this.#trims
    const next = trims.findIndex(({ request }) => request >= count)
    return next === -1 ? trims : trims.slice(0, next)
  }
}
