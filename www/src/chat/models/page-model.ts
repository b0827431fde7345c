import { signal } from '@preact/signals'
import { closeEndpoint, endpointFetch } from './endpoint.js'

/** A model that runs in the page: its file is on the user's disk, or was fetched for them. */
export interface PageModel {
  readonly name: string
  readonly file: Blob
  /** Tokens of its window. */
  readonly window: number
}

/** What answers in the page; `null` where nothing does. It is gone with the tab. */
export const pageModel = signal<PageModel | null>(null)

/** Tokens of the window where the user does not say: more takes more memory. */
export const PAGE_WINDOW = 4096

/** The model that was chosen, or what is wrong with it, in words. */
export async function pageModelOf(file: Blob, name: string, window: string): Promise<PageModel | string> {
  // Every such file begins so.
  const start = await file.slice(0, 4).text()
  if (start !== 'GGUF') return `${name} is no model of llama.cpp: a file that ends in .gguf is needed.`
  const tokens = Number(window.replace(/[\s,_']/g, '') || PAGE_WINDOW)
  if (!Number.isInteger(tokens) || tokens < 1000) return 'The window is a number of tokens, at least 1,000.'
  return { name: name.replace(/\.gguf$/i, ''), file, window: tokens }
}

/** A model's file from an address that the user gave, and from nowhere else. `onPart` is told the part that came. */
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
