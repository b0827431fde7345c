import files from 'trimtab/files.wasm?url'
import { initFiles } from 'trimtab/slim'
import { compiled } from './load.js'

/** Starts the engine that measures, reads and edits texts. */
export const startFiles = async (): Promise<void> => initFiles(await compiled(files))
