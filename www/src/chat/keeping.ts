import { effect } from '@preact/signals'
import { writeAddress } from './address.js'
import type { Conversation } from './agent/conversation.js'
import { reasonOf } from './agent/reason.js'
import { WorkFailed } from './desk.js'
import { filesToSave } from './files.js'
import { noteSavedMessages } from './interrupted.js'
import { newId } from './new-id.js'
import { notice } from './opening.js'
import { entryOf, keepEntry, onOtherTab, savesOf } from './session-index.js'
import { activity, deskOf, goOnIn, replay, shown, title } from './state.js'
import { viewed } from './viewed.js'

/** Delay between the last change and the save, in milliseconds. The end of the agent's work is saved at once. */
const QUIET = 300
let timer: ReturnType<typeof setTimeout> | undefined
/** The pending save. */
let due: (() => void) | null = null
/** Number of saves under way. */
let underway = 0
/** Whether the last save failed, so that this tab alone has what changed since. */
let isUnsaved = false
/** Whether the agent has ended its work since the last save began. */
let isWorkDone = false

/** What this tab last saved or loaded of a conversation. */
interface Copy {
  /** `saves` of its entry. */
  readonly saves: number
  /** Number of messages. */
  readonly messages: number
}

const copies = new WeakMap<Conversation, Copy>()

/** Records a conversation that was just loaded, with the `saves` that its entry had before. */
export function noteLoaded(conversation: Conversation, saves = 0): void {
  copies.set(conversation, { saves, messages: conversation.messages.length })
}

/**
 * Saves the conversation whenever it has changed: each message, each request, and each answer once it is complete.
 *
 * @param open Opens a stored conversation: called when another tab has saved the open one.
 */
export function saveChanges(open: (id: string) => void): void {
  load = open
  onOtherTab(loadIfOutdated)
  let wasWorking = false
  effect(() => {
    const { conversation, messages } = shown.value
    const isOpen = replay.value === null && viewed.value === null
    const isWorking = activity.value !== null
    isWorkDone ||= wasWorking && !isWorking
    wasWorking = isWorking
    forgetDue()
    // The title is read so that a new one also triggers a save.
    if (!isOpen || messages.length === 0 || title.value === '') return
    due = () => void saveChat(conversation)
    timer = setTimeout(saveNow, isWorkDone ? 0 : QUIET)
    markUnsaved()
  })
  addEventListener('pagehide', saveNow)
  document.addEventListener('visibilitychange', saveNow)
  addEventListener('beforeunload', (event) => {
    if (isUnsaved) event.preventDefault()
  })
}

/** Ids of chats that the user deleted in this tab: a save that was under way must not bring them back. */
const deleted = new Set<string>()

export function noteDeleted(id: string): void {
  deleted.add(id)
  if (shown.peek().conversation.id === id) forgetDue()
}

/** Cancels the pending save. */
function forgetDue(): void {
  clearTimeout(timer)
  due = null
  markUnsaved()
}

/** Sets the document's `data-unsaved` while there are changes that the storage does not have. */
function markUnsaved(): void {
  const hasUnsaved = due !== null || underway > 0 || isUnsaved
  document.documentElement.toggleAttribute('data-unsaved', hasUnsaved)
}

/** Runs the pending save. Called before the open conversation changes, which would cancel that save. */
export function saveNow(): void {
  const save = due
  isWorkDone = false
  forgetDue()
  save?.()
}

let load: (id: string) => void = () => {}

/** Loads the open conversation again if another tab has saved it and this tab has nothing of its own to save. */
function loadIfOutdated(): void {
  if (isOutdated()) load(shown.peek().conversation.id)
}

function isOutdated(): boolean {
  const { conversation } = shown.peek()
  const entry = entryOf(conversation.id)
  const copy = copies.get(conversation)
  if (entry === undefined || copy === undefined || (entry.saves ?? 0) === copy.saves) return false
  const isOpen = replay.peek() === null && viewed.peek() === null
  return isOpen && activity.peek() === null && due === null && underway === 0 && !isUnsaved
}

export async function saveChat(conversation: Conversation): Promise<void> {
  const isOpen = () => shown.peek().conversation === conversation
  // Requested before the first `await`: another conversation may be open when they arrive.
  const files = filesToSave()
  const release = deskOf(conversation).hold()
  underway += 1
  markUnsaved()
  try {
    await save(conversation, await files)
    noteSaved()
    if (isOpen()) writeAddress({ chat: conversation.id })
  } catch (error) {
    if (deleted.has(conversation.id)) return
    if (!(error instanceof WorkFailed) || error.code !== 'conflict') noteUnsaved(error)
    // While the agent works, the save at its end is the one that decides.
    else if (!isOpen() || activity.peek() === null) await saveApart(conversation, await files)
  } finally {
    release()
    underway -= 1
    markUnsaved()
    loadIfOutdated()
  }
}

async function save(conversation: Conversation, files: Awaited<ReturnType<typeof filesToSave>>) {
  const saved = conversation.toJSON()
  const isWritten = await deskOf(conversation).save(saved, files)
  noteSavedMessages(conversation, saved.messages.length)
  const { id, title: name, updated, origin, messages } = saved
  const entry = entryOf(id)
  // The entry may be of a newer save, in another tab.
  if (!isWritten && entry !== undefined) return
  const saves = (copies.get(conversation)?.saves ?? entry?.saves ?? 0) + 1
  copies.set(conversation, { saves, messages: messages.length })
  const earlier = conversation.earlier.map((segment) => segment.id)
  keepEntry({ id, title: name, updated, saves, earlier, ...(origin === undefined ? {} : { origin }) })
}

/** Whether another tab has saved a conversation since this tab did. */
export function isBehind(conversation: Conversation): boolean {
  const copy = copies.get(conversation)
  return copy !== undefined && savesOf(conversation.id) > copy.saves
}

/** Opens a branch of the open conversation, in which another tab answers, or which it has changed. */
export async function goApart(): Promise<void> {
  await goOnIn(apart(shown.peek().conversation))
  notice.value = 'Another tab has this chat. What you do here is kept as a chat of its own.'
}

/** Copies a conversation that another tab has changed as a branch of it, from where the two differ. */
function apart(conversation: Conversation): Conversation {
  const shared = copies.get(conversation)?.messages ?? 0
  const chat = { id: newId(), title: conversation.title, made: Date.now() }
  return conversation.copy(chat, Math.min(shared, conversation.messages.length))
}

/** Saves a conversation that another tab has changed as a chat of its own. */
async function saveApart(
  conversation: Conversation,
  files: Awaited<ReturnType<typeof filesToSave>>,
): Promise<void> {
  const own = apart(conversation)
  try {
    await save(own, files)
    if (shown.peek().conversation === conversation) {
      await goOnIn(own)
      writeAddress({ chat: own.id })
    }
    notice.value = 'This chat was changed in another tab. What you did here is kept as a chat of its own.'
  } catch (error) {
    noteUnsaved(error)
  }
}

const UNSAVED = 'This chat could not be saved'

function noteUnsaved(error: unknown): void {
  isUnsaved = true
  notice.value = `${UNSAVED}: ${reasonOf(error)}`
}

function noteSaved(): void {
  if (isUnsaved && notice.peek()?.startsWith(UNSAVED)) notice.value = null
  isUnsaved = false
}
