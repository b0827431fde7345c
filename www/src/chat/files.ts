import { signal } from '@preact/signals'
import type { Conversation } from './agent/conversation.js'
import type { Files } from './agent/places.js'
import type { Workbench } from './agent/tools.js'

/** The open conversation with its files. */
interface Opened {
  readonly conversation: Conversation
  /** Id of the chat that owns the files in the browser's file system. */
  readonly chat: string
  /** Files saved with the conversation when it was opened. */
  readonly saved: Files
  /** Tools over its files, created at first use. */
  workbench: Promise<Workbench> | null
}

let opened: Opened | null = null
/** Folders opened by the user, by conversation, until the page is closed. */
const folders = new WeakMap<Conversation, FileSystemDirectoryHandle>()

/** The folder that the open conversation works in; `null` for files in the browser. */
export const folder = signal<FileSystemDirectoryHandle | null>(null)

/** Whether this browser lets a page work in a folder of the user. */
export const canOpenFolders = 'showDirectoryPicker' in globalThis

/** Switches to the files of another conversation. */
export function takeFiles(conversation: Conversation, saved: Files, chat = conversation.id): void {
  folder.value = folders.get(conversation) ?? null
  opened = { conversation, chat, saved, workbench: null }
}

/** Sets the folder that a conversation works in. */
export function workIn(conversation: Conversation, chosen: FileSystemDirectoryHandle | null): void {
  if (chosen !== null) folders.set(conversation, chosen)
}

/** Asks the user for a folder; `null` if they cancel. */
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

/** Returns the tools and files of the open conversation. */
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

/** Returns the files that the open conversation changed, for a conversation that continues it. */
export const changedFiles = async (): Promise<Files> => (await workbench()).place.changedFiles()

/**
 * Returns the files to save with the conversation; none if they are stored in a folder or the browser's file system.
 */
export async function filesToSave(): Promise<Files> {
  const now = opened
  if (now?.workbench == null) return now?.saved ?? {}
  const { place } = await now.workbench
  return place.keepsFiles ? {} : place.changedFiles()
}

/** Deletes the files of a deleted conversation from the browser's file system. */
export async function forgetFiles(id: string): Promise<void> {
  const { removeBrowserPlace } = await import('./agent/places.js')
  // There may be no files, or no such file system.
  await removeBrowserPlace(id).catch(() => undefined)
}
