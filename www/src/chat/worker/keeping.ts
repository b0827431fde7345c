import type { Files } from '../agent/places.js'
import type { SavedConversation } from '../agent/saved-conversation.js'
import { loadConversation, saveConversation } from '../agent/saving.js'
import { store } from '../kept.js'

/** Returns whether anything had changed since it was saved or loaded. */
export const save = (conversation: SavedConversation, files: Files): Promise<boolean> =>
  saveConversation(store, conversation, files)

export const load = (id: string) => loadConversation(store, id)
