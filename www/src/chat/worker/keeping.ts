import type { SavedConversation } from '../agent/conversation.js'
import type { Files } from '../agent/places.js'
import { loadConversation, saveConversation } from '../agent/saving.js'
import { store } from '../kept.js'

export const save = (conversation: SavedConversation, files: Files) =>
  saveConversation(store, conversation, files)

export const load = (id: string) => loadConversation(store, id)
