import { coreStarted } from '../engine/core.js'
import { reasonOf } from './agent/reason.js'

/**
 * Resolves when the engine has started. If it cannot, says so in the page, which would stay empty: the modules that
 * wait for the engine never run then.
 */
export const started: Promise<void> = coreStarted.catch((error: unknown) => {
  const said = document.createElement('p')
  said.setAttribute('role', 'alert')
  said.textContent = `The page cannot start: ${reasonOf(error)}. Stored chats are kept; reload the page to try again.`
  document.getElementById('app')?.append(said)
  throw error
})
