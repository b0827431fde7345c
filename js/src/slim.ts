import { core } from './engine.js'
import { TrimtabError } from './error.js'
import { files } from './files.js'
import { rules } from './validity.js'

export * from './api.js'
export { appendToFile, editFile, prependToFile, updateSection } from './editing.js'
export { formatRead, formatReads, readTokenLimit } from './reading.js'
export { repair, validate } from './validity.js'

/** What the engine can be started from. (`Module` alone is an empty type, which a path's string would fit.) */
export type EngineSource = BufferSource | (WebAssembly.Module & object) | Response | URL

/**
 * Starts the engine from `trimtab/core.wasm`, which the host loads its own way: as bytes, as a compiled module, as a
 * response, or from a URL (fetched; the only network call of this package, and only for the URL given here).
 * Until it has resolved, every function that needs it throws `not_initialised`. A second call changes nothing.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function init(source: EngineSource): Promise<void> {
  if (!core.isStarted) core.start(await resolve(source))
}

/**
 * The same for what edits and reads files, from `trimtab/files.wasm`.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function initFiles(source: EngineSource): Promise<void> {
  if (!files.isStarted) files.start(await resolve(source))
}

/**
 * The same for {@link validate} and {@link repair}, from `trimtab/validity.wasm`.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function initValidity(source: EngineSource): Promise<void> {
  if (!rules.isStarted) rules.start(await resolve(source))
}

async function resolve(source: unknown): Promise<BufferSource | WebAssembly.Module> {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source as BufferSource
  if (source instanceof URL) return load(await fetchChecked(source))
  if (typeof Response !== 'undefined' && source instanceof Response) return load(source)
  // An edge runtime's compiled module need not be an instance of this realm's WebAssembly.Module.
  if (typeof source === 'object' && source !== null) return source as WebAssembly.Module
  const message = `init needs bytes, a WebAssembly.Module, a Response or a URL, found ${typeof source}`
  throw new TrimtabError('initialisation_failed', message, { argument: 'source' })
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
    const message = `${response.url || 'the response'} answered ${response.status}: the engine's bytes are needed`
    throw new TrimtabError('initialisation_failed', message, { argument: 'source' })
  }
  return response.arrayBuffer()
}
