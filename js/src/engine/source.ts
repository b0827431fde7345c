import { refuseWith } from '../base/check.js'
import { TrimtabError } from '../base/error.js'

/** What a wasm file can be started from. (`Module` alone is an empty type, which a path's string would fit.) */
export type WasmSource = BufferSource | (WebAssembly.Module & object) | Response | URL

/** Bytes or a compiled module of a source. The only network call: of the URL that is given. */
export async function resolveSource(source: unknown): Promise<BufferSource | WebAssembly.Module> {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source as BufferSource
  if (source instanceof URL) return load(await fetchChecked(source))
  if (typeof Response !== 'undefined' && source instanceof Response) return load(source)
  // An edge runtime's compiled module need not be an instance of this realm's WebAssembly.Module.
  if (typeof source === 'object' && source !== null) return source as WebAssembly.Module
  const message = `the source must be bytes, a WebAssembly.Module, a Response or a URL, found ${typeof source}`
  return refuseWith('source', message, 'initialisation_failed')
}

async function fetchChecked(url: URL): Promise<Response> {
  try {
    return await fetch(url)
  } catch (cause) {
    throw new TrimtabError('initialisation_failed', `${url.href} cannot be fetched: ${String(cause)}`, {
      cause,
    })
  }
}

async function load(response: Response): Promise<ArrayBuffer> {
  if (!response.ok) {
    const message = `${response.url || 'the response'} answered ${response.status}: the bytes of a wasm file are needed`
    return refuseWith('source', message, 'initialisation_failed')
  }
  return response.arrayBuffer()
}
