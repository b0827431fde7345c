import { type AnsiSpan, ansiLines, spansFrom } from './ansi.js'

interface Hit {
  readonly line: string
  readonly spans: readonly AnsiSpan[]
}

/** The hits of a search in one file; lines that are not hits have an empty path. */
export interface FileHits {
  readonly path: string
  readonly hits: readonly Hit[]
}

const HIT = /^(.+?):(\d+):\s?(.*)$/s

/** Returns the hits in a search result by file, in order. Colours of the search are kept, as classes. */
export function searchHits(result: string): FileHits[] {
  const files: { path: string; hits: Hit[] }[] = []
  for (const spans of ansiLines(result)) {
    const entry = spans.map(({ text }) => text).join('')
    const [, path = '', line = '', text = entry] = HIT.exec(entry) ?? []
    const hit = { line, spans: spansFrom(spans, entry.length - text.length) }
    const last = files.at(-1)
    if (last?.path === path) last.hits.push(hit)
    else files.push({ path, hits: [hit] })
  }
  return files
}
