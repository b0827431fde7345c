import { pushTo } from '../base/lists.js'

/**
 * Which of the texts hold each of the wanted ones, as ascending positions. All are looked for in one pass over the
 * texts: the start of each wanted text is known by a rolling hash (Rabin and Karp), and compared where the hash agrees.
 */
export function holdersOf(texts: readonly string[], wanted: Iterable<string>): Map<string, number[]> {
  const found = new Map<string, number[]>()
  const byStart = new Map<number, string[]>()
  for (const text of new Set(wanted)) {
    found.set(text, [])
    const start = STARTS.find((length) => length <= text.length) ?? 0
    pushTo(byStart, start, text)
  }
  for (const [start, group] of byStart) {
    const search = start === 0 ? shortSearch(group) : hashSearch(group, start)
    texts.forEach((text, at) => {
      for (const one of search(text)) {
        const holders = found.get(one) as number[]
        if (holders.at(-1) !== at) holders.push(at)
      }
    })
  }
  return found
}

/** How much of a wanted text is hashed, in UTF-16 units: the more, the fewer places are compared in vain. */
const STARTS = [32, 8]

type Search = (text: string) => Iterable<string>

function shortSearch(wanted: readonly string[]): Search {
  return (text) => wanted.filter((one) => text.includes(one))
}

const BASE = 0x01000193
/** Most hashes are of no wanted text: a bit for their lower half says so without a look at the map. */
const FILTER = 0x10000

function hashSearch(wanted: readonly string[], length: number): Search {
  const byHash = new Map<number, string[]>()
  const filter = new Uint8Array(FILTER)
  for (const one of wanted) {
    const hash = hashOf(one, length)
    filter[hash & (FILTER - 1)] = 1
    pushTo(byHash, hash, one)
  }
  let outgoing = 1
  for (let i = 0; i < length; i++) outgoing = Math.imul(outgoing, BASE)
  return function* (text) {
    if (text.length < length) return
    let hash = hashOf(text, length)
    for (let end = length; ; end++) {
      if (filter[hash & (FILTER - 1)] === 1) {
        for (const one of byHash.get(hash) ?? []) if (text.startsWith(one, end - length)) yield one
      }
      if (end >= text.length) return
      const removed = Math.imul(text.charCodeAt(end - length), outgoing)
      hash = (Math.imul(hash, BASE) + text.charCodeAt(end) - removed) | 0
    }
  }
}

function hashOf(text: string, length: number): number {
  let hash = 0
  for (let i = 0; i < length; i++) hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0
  return hash
}
