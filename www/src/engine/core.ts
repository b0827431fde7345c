import core from 'trimtab/core.wasm?url'
import { init } from 'trimtab/slim'
import { compiled } from './load.js'

/** Fulfilled when histories can be read: a module that does so as it is loaded awaits it. */
export const coreStarted: Promise<void> = compiled(core).then(init)
