import type { Token } from './tokens.js'

/** Longer texts are not highlighted, in characters. */
const LONGEST = 100_000
/** Time limit of one text, in milliseconds: some languages take quadratic time on hostile text. */
const PATIENCE = 2000
/** Number of cached texts: rows are removed and created again as the thread is scrolled. */
const KEPT = 200

const NONE: readonly Token[] = []
const kept = new Map<string, readonly Token[]>()
let worker: Worker | null = null
let queue: Promise<unknown> = Promise.resolve()

const keyOf = (text: string, language: string) => `${language}\n${text}`

/** The tokens of a text, if cached. */
export const knownTokens = (text: string, language: string): readonly Token[] | undefined =>
  language === '' || text.length > LONGEST ? NONE : kept.get(keyOf(text, language))

/**
 * Computes the tokens of a text in a worker, one text after the other. No tokens if the language is unknown, or if the
 * text is too long or takes too long.
 *
 * @param isWanted Called before the text is read: returns false if it is no longer shown. The result is then `null`.
 */
export function tokensOf(
  text: string,
  language: string,
  isWanted: () => boolean,
): Promise<readonly Token[] | null> {
  const turn = queue.then(async () => {
    if (!isWanted()) return null
    const known = knownTokens(text, language)
    if (known !== undefined) return known
    const tokens = await read(text, language)
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= KEPT) kept.delete(oldest)
    kept.set(keyOf(text, language), tokens)
    return tokens
  })
  queue = turn
  return turn
}

/** Never rejects: without tokens the code is shown in one colour. */
function read(text: string, language: string): Promise<readonly Token[]> {
  const now = worker ?? new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  worker = now
  const { promise, resolve } = Promise.withResolvers<readonly Token[]>()
  const giveUp = () => {
    now.terminate()
    worker = null
    resolve(NONE)
  }
  const timer = setTimeout(giveUp, PATIENCE)
  now.onmessage = ({ data }: MessageEvent<readonly Token[]>) => {
    clearTimeout(timer)
    resolve(data)
  }
  now.onerror = () => {
    clearTimeout(timer)
    giveUp()
  }
  now.postMessage({ text, language })
  return promise
}

/** The language of a file: its extension, or its name if it has none, such as `Dockerfile`. */
export function languageOf(path: string | undefined): string {
  const name = path?.split(/[\\/]/).at(-1)?.toLowerCase() ?? ''
  return name.slice(name.lastIndexOf('.') + 1)
}
