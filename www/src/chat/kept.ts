import { indexedDbStore } from 'trimtab/sessions'

export { loadConversation, saveConversation } from './agent/saving.js'

/** Where this browser keeps conversations. */
export const store = indexedDbStore()
