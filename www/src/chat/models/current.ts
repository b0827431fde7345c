import { signal } from '@preact/signals'
import type { Format } from 'trimtab'
import { startValidity } from '../../engine/validity.js'
import { readStored, writeStored } from '../../storage.js'
import type { Model } from '../agent/model.js'
import { delay } from '../agent/pace.js'
import { scriptedModel } from '../agent/scripted-model.js'
import { type Connection, connectionOf, type Entered, PROVIDERS } from './connection.js'
import { closeEndpoint, endpointFetch } from './endpoint.js'
import { type PageModel, pageModel } from './page-model.js'

const KEPT = 'trimtab.connection'

/** Whether the connection is stored beyond this tab. */
export const isKept = signal(false)
/** The connection to the model; `null` for the scripted model, which needs no network. */
export const connection = signal<Connection | null>(readKept())

export function setConnection(next: Connection | null, keep: boolean): void {
  closeEndpoint()
  pageModel.value = null
  isKept.value = next !== null && keep
  connection.value = next
  if (!writeStored(KEPT, isKept.peek() ? JSON.stringify(next) : null)) isKept.value = false
}

/** Selects a model that runs in the page. */
export function setPageModel(next: PageModel): void {
  setConnection(null, false)
  pageModel.value = next
}

function readKept(): Connection | null {
  try {
    const saved: unknown = JSON.parse(readStored(KEPT) ?? 'null')
    const { provider, address, model, key, window } = (saved ?? {}) as Partial<Connection>
    if (provider === undefined || !(provider in PROVIDERS)) return null
    const entered: Entered = {
      provider,
      address: String(address),
      model: String(model),
      key: String(key),
      window: String(window),
    }
    const read = connectionOf(entered, location.protocol === 'https:')
    if (typeof read === 'string') return null
    isKept.value = true
    return read
  } catch {
    return null
  }
}

/** Returns the format of the model for the next request. The script and models in the page speak Chat Completions. */
export function currentFormat(): Format {
  const asked = connection.peek()
  return asked === null ? 'openai-chat' : PROVIDERS[asked.provider].format
}

/** Returns the model for the next request. Protocols are loaded at first use. */
export async function currentModel(): Promise<Model> {
  const [asked, inPage] = [connection.peek(), pageModel.peek()]
  if (inPage !== null) return (await import('./llama.js')).llamaModel(inPage)
  if (asked === null) return scriptedModel(delay)
  const [{ networkModel }] = await Promise.all([import('./network-model.js'), startValidity()])
  return networkModel(asked, await endpointFetch(new URL(asked.address).origin))
}
