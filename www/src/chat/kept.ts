import { indexedDbStore } from 'trimtab/sessions'

/** Storage of conversations in this browser. */
export const store = indexedDbStore()
