import { signal } from '@preact/signals'
import type { Conversation } from './agent/conversation.js'
import type { Files } from './agent/places.js'
import type { Workbench } from './agent/tools.js'

/** The conversation that is open, and what is known of its files. */
interface Opened {
  readonly conversation: Conversation
  /** Whose files they are, where they stay in the browser. */
  readonly chat: string
  /** Files that were saved with the conversation, as it was opened. */
  readonly saved: Files
  /** Its tools on its files, made when they are first needed. */
  workbench: Promise<Workbench> | null
}

let opened: Opened | null = null
/** Folders that the user opened, by conversation: for as long as the page is open. */
const folders = new WeakMap<Conversation, FileSystemDirectoryHandle>()

/** The folder that the open conversation works in; `null` for files in the browser. */
export const folder = signal<FileSystemDirectoryHandle | null>(null)

/** Whether this browser lets a page work in a folder of the user's. */
export const canOpenFolders = 'showDirectoryPicker' in globalThis

/** Takes the files of another conversation. */
export function takeFiles(conversation: Conversation, saved: Files, chat = conversation.id): void {
  folder.value = folders.get(conversation) ?? null
  opened = { conversation, chat, saved, workbench: null }
}

/** Lets a conversation work in a folder. */
export function workIn(conversation: Conversation, chosen: FileSystemDirectoryHandle | null): void {
  if (chosen !== null) folders.set(conversation, chosen)
}

/** Asks the user for a folder; `null` where they want none. */
export async function chooseFolder(): Promise<FileSystemDirectoryHandle | null> {
  const { showDirectoryPicker } = globalThis as unknown as {
    showDirectoryPicker(options: { mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>
  }
  try {
    return await showDirectoryPicker({ mode: 'readwrite' })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    throw error
  }
}

/** What the open conversation works with. */
export function workbench(): Promise<Workbench> {
  const now = opened
  if (now === null) throw new Error('no conversation is open')
  now.workbench ??= makeWorkbench(now).catch((error: unknown) => {
    now.workbench = null
    throw error
  })
  return now.workbench
}

async function makeWorkbench({ conversation, chat, saved }: Opened): Promise<Workbench> {
  const { openPlace, workbenchFor } = await import('./work.js')
  const chosen = folders.get(conversation) ?? null
  return workbenchFor(conversation, await openPlace(chat, saved, chosen))
}

/** The files that the open conversation has changed, for another that goes on from it. */
export const changedFiles = async (): Promise<Files> => (await workbench()).place.changedFiles()

/** The files to be saved with the conversation: those that do not stay where they are. */
export async function filesToSave(): Promise<Files> {
  const now = opened
  if (now?.workbench == null) return now?.saved ?? {}
  const { place } = await now.workbench
  return place.keepsFiles ? {} : place.changedFiles()
}

/** Forgets the files of a conversation that is deleted. */
export async function forgetFiles(id: string): Promise<void> {
  const { removeBrowserPlace } = await import('./agent/places.js')
  // There may be none, or no place for them.
  await removeBrowserPlace(id).catch(() => undefined)
}
