import { loadSession, type SessionStore } from 'trimtab/sessions'

export const user = (content: string) => ({ role: 'user', content })
export const assistant = (content: string) => ({ role: 'assistant', content })

/** Returns the history in a store. */
export async function loadedFrom(store: SessionStore, id = 's'): Promise<readonly object[]> {
  return (await loadSession(store, id))?.session.history ?? []
}
