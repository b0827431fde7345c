import { pushTo } from '../base/lists.js'

/** Finds which texts contain each of the wanted texts; returns ascending positions. */
export function holdersOf(texts: readonly string[], wanted: Iterable<string>): Map<string, number[]> {
  const all = [...wanted]
  const found = new Map(all.map((text): [string, number[]] => [text, []]))
  const search = searchFor(all)
  texts.forEach((text, at) => {
    for (const one of search(text)) found.get(one)?.push(at)
  })
  return found
}

/**
 * Returns a function that finds which of the wanted texts a text contains. All are searched in one pass: the start of
 * each wanted text is found by a rolling hash (Rabin and Karp), and the text is compared where the hash matches.
 */
export function searchFor(wanted: Iterable<string>): (text: string) => Set<string> {
  const byStart = new Map<number, string[]>()
  for (const text of new Set(wanted)) {
    const start = STARTS.find((length) => length <= text.length) ?? 0
    pushTo(byStart, start, text)
  }
  const searches = [...byStart].map(([start, group]) =>
    start === 0 ? shortSearch(group) : hashSearch(group, start),
  )
  return (text) => new Set(searches.flatMap((search) => [...search(text)]))
}

/** Hashed length of the start of a wanted text, in UTF-16 units: a longer start gives fewer false matches. */
const STARTS = [32, 8]

type Search = (text: string) => Iterable<string>

function shortSearch(wanted: readonly string[]): Search {
  return (text) => wanted.filter((one) => text.includes(one))
}

const BASE = 0x01000193
/**
 * Size of a bit set over the lower half of the hashes. It excludes most positions without a lookup in the
 * map.
 */
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
