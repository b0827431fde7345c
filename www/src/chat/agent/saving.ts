import { loadSession, type SessionStore, saveSession } from 'trimtab/sessions'
import type { Files } from './places.js'
import type { SavedConversation } from './saved-conversation.js'

/** Fields that the page stores in addition to a session's history, format and state. */
type Kept = Omit<SavedConversation, 'messages' | 'format' | 'state'>

/**
 * Saves a conversation and the files that it changed; returns whether anything had changed. The content of ephemeral
 * results is not saved.
 */
export async function saveConversation(
  store: SessionStore,
  conversation: SavedConversation,
  files: Files,
): Promise<boolean> {
  const { messages, format, state, ...chat } = conversation
  const { written } = await saveSession(store, conversation.id, {
    history: messages,
    format,
    state,
    chat,
    files,
  })
  return written !== 'nothing'
}

/** Loads a saved conversation; `undefined` if there is none. */
export async function loadConversation(
  store: SessionStore,
  id: string,
): Promise<{ conversation: SavedConversation; files: Files } | undefined> {
  const loaded = await loadSession(store, id)
  if (loaded === undefined) return undefined
  const { history, format, state, chat, files } = loaded.session
  const saved = { ...(chat as Kept), messages: history, format, ...(state === undefined ? {} : { state }) }
  return { conversation: saved as SavedConversation, files: (files ?? {}) as Files }
}
