// What the agent works with, loaded at the first command: a look at the page needs none of it.
import { startToolEngines } from '../engine/tools.js'

export { runTurn } from './agent/run-turn.js'
export { workbenchFor } from './agent/tools.js'

await startToolEngines()
