import search from 'trimtab/search.wasm?url'
import { initSearch } from 'trimtab/slim'
import { startFiles } from './files.js'
import { compiled } from './load.js'

const startSearch = async (): Promise<void> => initSearch(await compiled(search))

/** Starts what the agent's tools run on: reading, editing and searching. Nobody needs it before the first command. */
export async function startToolEngines(): Promise<void> {
  await Promise.all([startFiles(), startSearch()])
}
