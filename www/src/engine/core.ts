import core from 'trimtab/core.wasm?url'
import { init } from 'trimtab/slim'
import { compiled } from './load.js'

/** The compiled engine; the page's workers use it too. */
export const coreModule: Promise<WebAssembly.Module> = compiled(core)

/** Resolves when histories can be read. A module that reads one while it loads must await it. */
export const coreStarted: Promise<void> = coreModule.then(init)
