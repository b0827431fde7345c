import { createWorkspace, type Workspace } from 'trimtab/workspace'
import { sampleFiles } from './sample-files.js'

/** File contents by path. */
export type Files = Readonly<Record<string, string>>

/** A location of an agent's files. */
export interface Place {
  readonly workspace: Workspace
  /** Description of the workspace for the model, in one sentence. */
  readonly about: string
  /** Whether files survive a reload without being saved. */
  readonly keepsFiles: boolean
  /** Returns the files that differ from the sample; none for a folder of the user. */
  changedFiles(): Promise<Files>
}

const SAMPLE = 'The workspace is a small project that lives in the user’s browser.'

/** Creates the sample's files in memory, with earlier changes applied. */
export function memoryPlace(changed: Files = {}): Place {
  const workspace = createWorkspace({ memory: { ...sampleFiles(), ...changed } })
  return { workspace, about: SAMPLE, keepsFiles: false, changedFiles: () => changedIn(workspace) }
}

/** Name of the folder in the browser's file system that contains one folder per conversation. */
const ROOM = 'trimtab-workspaces'
/** Marker file beside a conversation's files, created once all of them are written. */
const READY = 'ready'

/**
 * Creates the same files in the browser's file system, where they survive a reload.
 *
 * @param id The id of the conversation.
 * @throws If the browser has no such file system, or does not let this page write to it.
 */
export async function browserPlace(id: string, changed: Files = {}): Promise<Place> {
  const room = await (await navigator.storage.getDirectory()).getDirectoryHandle(ROOM, { create: true })
  const folder = await room.getDirectoryHandle(id, { create: true })
  const workspace = createWorkspace({ opfs: await folder.getDirectoryHandle('files', { create: true }) })
  const isReady = await folder.getFileHandle(READY).then(
    () => true,
    () => false,
  )
  if (!isReady) {
    for (const [path, text] of Object.entries({ ...sampleFiles(), ...changed }))
      await workspace.writeFile(path, text)
    await folder.getFileHandle(READY, { create: true })
  }
  return { workspace, about: SAMPLE, keepsFiles: true, changedFiles: () => changedIn(workspace) }
}

/** Deletes the files of a conversation. */
export async function removeBrowserPlace(id: string): Promise<void> {
  const room = await (await navigator.storage.getDirectory()).getDirectoryHandle(ROOM)
  await room.removeEntry(id, { recursive: true })
}

/** Uses a folder that the user opened. */
export function folderPlace(folder: FileSystemDirectoryHandle): Place {
  return {
    workspace: createWorkspace({ opfs: folder }),
    about: `The workspace is the folder ${JSON.stringify(folder.name)} of the user’s, opened in a web page.`,
    keepsFiles: true,
    changedFiles: async () => ({}),
  }
}

async function changedIn(workspace: Workspace): Promise<Files> {
  const sample = sampleFiles()
  const files: Record<string, string> = {}
  for await (const { path, kind } of workspace.walk()) {
    if (kind === 'folder') continue
    const { bytes } = await workspace.readFile(path, { track: false })
    const text = new TextDecoder().decode(bytes)
    if (sample[path] !== text) files[path] = text
  }
  return files
}
