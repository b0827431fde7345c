import { signal } from '@preact/signals'
import { closeEndpoint, endpointFetch } from './endpoint.js'

/** A model that runs in the page, from a file on the user's disk or a downloaded one. */
export interface PageModel {
  readonly name: string
  readonly file: Blob
  /** Its context window in tokens. */
  readonly window: number
}

/** The selected model in the page; `null` if there is none. Lasts as long as the tab. */
export const pageModel = signal<PageModel | null>(null)

/** Default context window in tokens; a larger one takes more memory. */
export const PAGE_WINDOW = 4096

/** Validates a model file: returns the model, or the error as text. */
export async function pageModelOf(file: Blob, name: string, window: string): Promise<PageModel | string> {
  // Every GGUF file begins with these bytes.
  const start = await file.slice(0, 4).text()
  if (start !== 'GGUF') return `${name} is no model of llama.cpp: a file that ends in .gguf is needed.`
  const tokens = Number(window.replace(/[\s,_']/g, '') || PAGE_WINDOW)
  if (!Number.isInteger(tokens) || tokens < 1000) return 'The window is a number of tokens, at least 1,000.'
  return { name: name.replace(/\.gguf$/i, ''), file, window: tokens }
}

/**
 * Downloads a model file from an address that the user entered, and from no other origin. `onPart` is called with the
 * share received.
 */
export async function fetchedFile(url: URL, onPart: (part: number) => void): Promise<Blob> {
  const fetch = await endpointFetch(url.origin)
  try {
    const response = await fetch(url.href, {
      redirect: 'error',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
    if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`)
    const size = Number(response.headers.get('content-length') ?? 0)
    const parts: BlobPart[] = []
    let length = 0
    const reader = response.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return new Blob(parts)
      parts.push(value)
      length += value.length
      if (size > 0) onPart(length / size)
    }
  } finally {
    closeEndpoint()
  }
}
