/** The hits of a search in one file; lines that are not hits have an empty path. */
export interface FileHits {
  readonly path: string
  readonly hits: readonly { readonly line: string; readonly text: string }[]
}

const HIT = /^(.+?):(\d+):\s?(.*)$/s

/** Returns the hits in a search result by file, in order. */
export function searchHits(result: string): FileHits[] {
  const files: { path: string; hits: { line: string; text: string }[] }[] = []
  for (const entry of result.split('\n')) {
    const [, path = '', line = '', text = entry] = HIT.exec(entry) ?? []
    const last = files.at(-1)
    if (last?.path === path) last.hits.push({ line, text })
    else files.push({ path, hits: [{ line, text }] })
  }
  return files
}
