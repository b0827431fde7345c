import { effect, signal } from '@preact/signals'
import type { Format } from 'trimtab'
import { readStored, writeStored } from '../storage.js'
import { readAddress, writeAddress } from './address.js'
import type { Conversation } from './agent/conversation.js'
import { reasonOf } from './agent/reason.js'
import type { Member } from './agent/variants.js'
import { Desk } from './desk.js'
import { chooseFolder, filesToSave, forgetFiles } from './files.js'
import { notice } from './opening.js'
import { type Place, place } from './place.js'
import {
  activity,
  answerAgain,
  branch,
  deskOf,
  FIRST_POLICY,
  fork,
  newChat,
  openConversation,
  policyId,
  replay,
  setPolicy,
  shown,
  title,
} from './state.js'
import { viewed } from './viewed.js'

/** A conversation in the list. */
export interface SessionEntry extends Member {
  readonly title: string
  /** Time of the last change, in milliseconds since 1970. */
  readonly updated: number
  /** Ids of its earlier segments. */
  readonly earlier?: readonly string[]
}

const INDEX = 'trimtab.chats'
/** The conversations stored in this browser, newest first. */
export const sessions = signal<readonly SessionEntry[]>(readIndex())

/** Delay between the last change and the save, in milliseconds. */
const QUIET = 300
let timer: ReturnType<typeof setTimeout> | undefined
/** The pending save. */
let due: (() => void) | null = null

/** Saves the conversation whenever it has changed and is idle, and opens the one named in the address. */
export function keepSessions(): void {
  effect(() => {
    const { conversation, messages } = shown.value
    const isOpen = replay.value === null && viewed.value === null
    const isAtRest = activity.value === null && isOpen && messages.length > 0
    // The title is read so that a new one also triggers a save. A new answer cancels the pending save.
    clearTimeout(timer)
    due = null
    if (!isAtRest || title.value === '') return
    due = () => void saveChat(conversation)
    timer = setTimeout(saveNow, QUIET)
  })
  const { chat, policy } = readAddress()
  if (policy !== null) setPolicy(policy)
  effect(() => writeAddress({ policy: policyId.value === FIRST_POLICY ? null : policyId.value }))
  if (sessions.peek().some((entry) => entry.id === chat)) void openKept(chat)
}

/** Runs the pending save. Called before the open conversation changes, which would cancel that save. */
export function saveNow(): void {
  clearTimeout(timer)
  const save = due
  due = null
  save?.()
}

export async function saveChat(conversation: Conversation): Promise<void> {
  try {
    // Requested before the first `await`: another conversation may be open when they arrive.
    const files = filesToSave()
    const saved = conversation.toJSON()
    await deskOf(conversation).save(saved, await files)
    const { id, title: name, updated, origin } = saved
    const earlier = conversation.earlier.map((segment) => segment.id)
    const entry = { id, title: name, updated, earlier, ...(origin === undefined ? {} : { origin }) }
    writeIndex([entry, ...sessions.peek().filter((one) => one.id !== id)])
    if (shown.peek().conversation === conversation) writeAddress({ chat: id })
  } catch (error) {
    notice.value = `This chat could not be saved: ${reasonOf(error)}`
  }
}

/** Opens a stored chat, at its end or at a place. */
export async function openSession(id: string, at: Omit<Place, 'chat'> | null = null): Promise<void> {
  writeAddress({ at: '' })
  await openKept(id)
  place.value = at === null ? null : { ...at, chat: id }
}

/** Opens a stored chat, at the position in the address. */
async function openKept(id: string): Promise<void> {
  try {
    saveNow()
    const desk = new Desk()
    const loaded = await desk.load(id)
    if (loaded === null) {
      desk.close()
      writeIndex(sessions.peek().filter((entry) => entry.id !== id))
      return
    }
    writeAddress({ chat: id })
    openConversation(loaded.conversation, loaded.files)
  } catch (error) {
    notice.value = `The chat cannot be opened: ${reasonOf(error)}`
  }
}

/** {@link branch} that first saves the open conversation. */
export async function branchChat(message: number, text: string): Promise<void> {
  saveNow()
  await branch(message, text)
}

/** {@link answerAgain} that first saves the open conversation. */
export async function answerChatAgain(message: number): Promise<void> {
  saveNow()
  await answerAgain(message)
}

/** {@link fork} that first saves the open conversation. */
export async function forkChat(request: number): Promise<void> {
  saveNow()
  await fork(request)
}

export function startNewChat(chosen: FileSystemDirectoryHandle | null = null): void {
  saveNow()
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
    clearTimeout(timer)
    due = null
    const { store } = await import('./kept.js')
    for (const one of [id, ...segmentsOf(id)]) await store.remove(one)
    await forgetFiles(id)
    writeIndex(sessions.peek().filter((entry) => entry.id !== id))
    if (shown.peek().conversation.id === id) startNewChat()
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
export const exportName = (name: string) => `${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)}.json`

/** Downloads all messages as a file in a format that `trimtab inspect` and this page can read. */
export async function exportSession(format: Format): Promise<void> {
  const { conversation } = shown.peek()
  const messages = await messagesOf(conversation)
  const { exported } = await import('./agent/exported.js')
  const { text, lost } = exported(messages, conversation.format, format)
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = exportName(conversation.title)
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
  if (lost.length > 0) notice.value = `That format cannot hold everything: ${lost.join('; ')}.`
}

const messagesOf = async (conversation: Conversation) =>
  conversation.earlier.length === 0
    ? conversation.messages
    : (await import('./all-messages.js')).allMessages(conversation)

function readIndex(): SessionEntry[] {
  try {
    const saved: unknown = JSON.parse(readStored(INDEX) ?? '[]')
    return Array.isArray(saved) ? saved.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is SessionEntry {
  const { id, title: name, updated } = (value ?? {}) as Partial<SessionEntry>
  return typeof id === 'string' && typeof name === 'string' && typeof updated === 'number'
}

function writeIndex(entries: readonly SessionEntry[]): void {
  sessions.value = [...entries].sort((a, b) => b.updated - a.updated)
  writeStored(INDEX, JSON.stringify(sessions.peek()))
}
