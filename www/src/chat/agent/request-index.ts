import type { EditReport } from 'trimtab'
import { sameBeginning } from '../same-beginning.js'
import { editsAfter, type SentRequest } from './requests.js'
import { type Trim, TrimReader } from './trims.js'

/** So many requests are gone through to know the edits of one of them. */
const STRIDE = 64

/** What holds after each request of a conversation, summed up once as its requests come. */
export class RequestIndex {
  #requests: readonly SentRequest[] = []
  #trims = new TrimReader()
  /** The edits after every `STRIDE` requests. */
  readonly #edits: ReadonlyMap<string, EditReport>[] = []

  /** Takes the requests that there are now. */
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

  /** The edits that the last of the first so many requests had, by block. */
  editsAfter(count: number): ReadonlyMap<string, EditReport> {
    const known = Math.min(this.#edits.length, Math.floor(count / STRIDE))
    return editsAfter(this.#requests.slice(known * STRIDE, count), this.#edits[known - 1])
  }

  /** The trims of the first so many requests. */
  trims(count: number): readonly Trim[] {
    const { trims } = this.#trims
    const next = trims.findIndex(({ request }) => request >= count)
    return next === -1 ? trims : trims.slice(0, next)
  }
}
