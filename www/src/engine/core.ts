import core from 'trimtab/core.wasm?url'
import { init } from 'trimtab/slim'
import { compiled } from './load.js'

/** The engine: workers of the page take it, too. */
export const coreModule: Promise<WebAssembly.Module> = compiled(core)

/** Fulfilled when histories can be read: a module that does so as it is loaded awaits it. */
export const coreStarted: Promise<void> = coreModule.then(init)
