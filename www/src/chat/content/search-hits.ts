/** What a search found in one file; lines that are no hits have an empty path. */
export interface FileHits {
  readonly path: string
  readonly hits: readonly { readonly line: string; readonly text: string }[]
}

const HIT = /^(.+?):(\d+):\s?(.*)$/s

/** The hits of a search's result, by file, in its order. */
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
