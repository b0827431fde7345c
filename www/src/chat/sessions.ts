import { effect } from '@preact/signals'
import type { WritableKind } from 'trimtab/transcripts'
import { isAddress, readAddress, writeAddress } from './address.js'
import type { Conversation } from './agent/conversation.js'
import { reasonOf } from './agent/reason.js'
import { composed } from './composed.js'
import { Desk } from './desk.js'
import { chooseFolder, forgetFiles } from './files.js'
import {
  addPartialAnswer,
  claimTurn,
  forgetPartialAnswer,
  keepPartialAnswers,
  releaseTurn,
  storePartialAnswer,
} from './interrupted.js'
import { goApart, isBehind, noteDeleted, noteLoaded, saveChanges, saveNow } from './keeping.js'
import { notice, opening } from './opening.js'
import { type Place, place } from './place.js'
import { dropEntry, entryOf, sessions } from './session-index.js'
import {
  activity,
  answerAgain,
  branch,
  FIRST_POLICY,
  fork,
  newChat,
  openConversation,
  policyId,
  retry,
  send,
  setPolicy,
  shown,
} from './state.js'

/** Keeps the chats of this browser, and opens the one named in the address. */
export function keepSessions(): void {
  saveChanges((id) => void openKept(id))
  keepPartialAnswers()
  const { chat, policy } = readAddress()
  if (policy !== null) setPolicy(policy)
  effect(() => writeAddress({ policy: policyId.value === FIRST_POLICY ? null : policyId.value }))
  // Also if it is not listed: the list may not have been stored.
  if (chat !== '') void openKept(chat)
  addEventListener('hashchange', ({ oldURL }) => void goToAddress(oldURL))
}

/** Opens what the address names after the user has changed it, or gone back. */
async function goToAddress(before: string): Promise<void> {
  // A link to an element of the page.
  if (!isAddress()) return history.replaceState(null, '', before)
  const { chat, policy } = readAddress()
  const { conversation } = shown.peek()
  if (chat === '' && entryOf(conversation.id) !== undefined) startNewChat()
  else if (chat !== '' && chat !== conversation.id) await openKept(chat)
  if (policy !== null && readAddress().chat === chat) setPolicy(policy)
}

/** Opens a stored chat, at its end or at a place. */
export async function openSession(id: string, at: Omit<Place, 'chat'> | null = null): Promise<void> {
  writeAddress({ at: '' })
  await openKept(id)
  place.value = at === null ? null : { ...at, chat: id }
}

/** Saves the open conversation, which another one is about to replace. */
function leave(): void {
  storePartialAnswer()
  saveNow()
}

/** Number of chats that were requested: only the last one is opened. */
let requested = 0

/** Opens a stored chat, at the position in the address, unless the user does something else before it is loaded. */
async function openKept(id: string): Promise<void> {
  leave()
  requested += 1
  const request = requested
  const { conversation, messages } = shown.peek()
  const isWorking = activity.peek() !== null
  const isStale = () => {
    const now = shown.peek()
    // An agent that already works may go on; one that works now was asked by the user.
    const wasAsked = !isWorking && activity.peek() !== null
    const isStarted = messages.length === 0 && now.messages.length > 0
    return request !== requested || now.conversation !== conversation || wasAsked || isStarted
  }
  const desk = new Desk()
  const shownProgress = showProgress(id, () => {
    requested += 1
  })
  try {
    // Read first: if another tab saves meanwhile, what was loaded counts as old.
    const saves = entryOf(id)?.saves
    const loaded = await desk.load(id)
    if (loaded === null) dropEntry(id)
    if (loaded === null || isStale()) return desk.close()
    noteLoaded(loaded.conversation, saves)
    writeAddress({ chat: id })
    openConversation(loaded.conversation, loaded.files)
    void addPartialAnswer(loaded.conversation)
  } catch (error) {
    desk.close()
    if (!isStale()) notice.value = `The chat cannot be opened: ${reasonOf(error)}`
  } finally {
    shownProgress.end()
  }
}

/** Time after which a chat that is still loading is named, in milliseconds. */
const SLOW = 400

/** Shows that a chat is loading, if it takes long. */
function showProgress(id: string, stop: () => void): { end(): void } {
  const cancel = () => {
    stop()
    end()
  }
  const now = { name: entryOf(id)?.title ?? 'the chat', done: null, cancel }
  const timer = setTimeout(() => {
    opening.value = now
  }, SLOW)
  const end = () => {
    clearTimeout(timer)
    if (opening.peek() === now) opening.value = null
  }
  return { end }
}

/** Whether a turn is about to start. */
let isStarting = false

/**
 * Makes sure that this tab alone answers in the open chat. If another tab does, or has changed it, opens a branch.
 * Returns `false` if the user has opened another chat meanwhile.
 */
async function claimOpen(): Promise<boolean> {
  if (isStarting) return false
  isStarting = true
  try {
    const { conversation } = shown.peek()
    const isFree = await claimTurn(conversation)
    const now = shown.peek().conversation
    if (now.id === conversation.id && isFree && !isBehind(now)) return true
    releaseTurn()
    if (now.id !== conversation.id) return false
    await goApart()
    return true
  } finally {
    isStarting = false
  }
}

/** {@link send} in a chat that no other tab answers in. */
export async function sendMessage(text: string): Promise<void> {
  if (await claimOpen()) return send(text)
  if (composed.peek() === '') composed.value = text
}

/** {@link retry} in a chat that no other tab answers in. */
export async function continueChat(): Promise<void> {
  if (await claimOpen()) await retry()
}

/** {@link branch} that first saves the open conversation. */
export async function branchChat(message: number, text: string): Promise<void> {
  leave()
  await branch(message, text)
}

/** {@link answerAgain} that first saves the open conversation. */
export async function answerChatAgain(message: number): Promise<void> {
  leave()
  await answerAgain(message)
}

/** {@link fork} that first saves the open conversation. */
export async function forkChat(request: number): Promise<void> {
  leave()
  await fork(request)
}

export function startNewChat(chosen: FileSystemDirectoryHandle | null = null): void {
  leave()
  newChat(chosen)
  writeAddress({ chat: '', at: '' })
}

/** Starts a chat that works in a folder of the user. */
export async function startInFolder(): Promise<void> {
  try {
    const chosen = await chooseFolder()
    if (chosen !== null) startNewChat(chosen)
  } catch (error) {
    notice.value = `The folder cannot be opened: ${reasonOf(error)}`
  }
}

export async function removeSession(id: string): Promise<void> {
  try {
    noteDeleted(id)
    if (shown.peek().conversation.id === id) startNewChat()
    const { store } = await import('./kept.js')
    for (const one of [id, ...segmentsOf(id)]) await store.remove(one)
    await forgetFiles(id)
    forgetPartialAnswer(id)
    dropEntry(id)
  } catch (error) {
    notice.value = `The chat cannot be deleted: ${reasonOf(error)}`
  }
}

/** Returns the earlier segments of a chat that no other chat uses. */
function segmentsOf(id: string): string[] {
  const [own, others] = [true, false].map((isOwn) =>
    sessions.peek().flatMap((entry) => ((entry.id === id) === isOwn ? (entry.earlier ?? []) : [])),
  )
  return own?.filter((one) => !others?.includes(one)) ?? []
}

/** Returns the file name of an exported chat. */
export const exportName = (name: string, extension = 'json') =>
  `${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)}.${extension}`

/** Downloads all messages as a file of a kind that `trimtab inspect` and this page can read. */
export async function exportSession(kind: WritableKind): Promise<void> {
  try {
    const { conversation } = shown.peek()
    const messages = await messagesOf(conversation)
    const { exported } = await import('./agent/exported.js')
    const { text, extension, lost } = exported(conversation, messages, kind)
    download(text, exportName(conversation.title, extension))
    notice.value = lost.length === 0 ? null : `That file cannot hold everything: ${lost.join('; ')}.`
  } catch (error) {
    notice.value = `The chat cannot be exported: ${reasonOf(error)}`
  }
}

function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

const messagesOf = async (conversation: Conversation) =>
  conversation.earlier.length === 0
    ? conversation.messages
    : (await import('./all-messages.js')).allMessages(conversation)
