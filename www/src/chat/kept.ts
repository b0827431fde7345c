import { indexedDbStore } from 'trimtab/sessions'

/** Where this browser keeps conversations. */
export const store = indexedDbStore()
