import search from 'trimtab/search.wasm?url'
import { initSearch } from 'trimtab/slim'
import { startFiles } from './files.js'
import { compiled } from './load.js'

const startSearch = async (): Promise<void> => initSearch(await compiled(search))

/**
 * Starts the engines of the agent's tools: reading, editing and searching. Not needed before the first
 * command.
 */
export async function startToolEngines(): Promise<void> {
  await Promise.all([startFiles(), startSearch()])
}
