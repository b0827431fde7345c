import { createWorkspace, type Workspace } from 'trimtab/workspace'
import { sampleFiles } from './sample-files.js'

/** Texts of files, by path. */
export type Files = Readonly<Record<string, string>>

/** Where an agent's files are. */
export interface Place {
  readonly workspace: Workspace
  /** What the workspace is, in a sentence for the model. */
  readonly about: string
  /** Whether files stay there over a reload by themselves. */
  readonly keepsFiles: boolean
  /** The files that are not as the sample has them; of a folder of the user's none. */
  changedFiles(): Promise<Files>
}

const SAMPLE = 'The workspace is a small project that lives in the user’s browser.'

/** The sample's files in memory, and what was changed in them before. */
export function memoryPlace(changed: Files = {}): Place {
  const workspace = createWorkspace({ memory: { ...sampleFiles(), ...changed } })
  return { workspace, about: SAMPLE, keepsFiles: false, changedFiles: () => changedIn(workspace) }
}

/** Folders of the browser's own file system, one for each conversation, below this one. */
const ROOM = 'trimtab-workspaces'
/** Beside a conversation's files, once all of them are there. */
const READY = 'ready'

/**
 * The same files in the browser's own file system, where they stay.
 *
 * @param id Of the conversation.
 * @throws Where the browser has no such file system, or does not let this page write to it.
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

/** Forgets the files of a conversation. */
export async function removeBrowserPlace(id: string): Promise<void> {
  const room = await (await navigator.storage.getDirectory()).getDirectoryHandle(ROOM)
  await room.removeEntry(id, { recursive: true })
}

/** A folder that the user opened. */
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
  for await (const [path, text] of textsIn(workspace, '.')) {
    if (sample[path] !== text) files[path] = text
  }
  return files
}

async function* textsIn(workspace: Workspace, folder: string): AsyncGenerator<[path: string, text: string]> {
  for (const { path, kind } of await workspace.list(folder)) {
    if (kind === 'folder') yield* textsIn(workspace, path)
    else {
      const { bytes } = await workspace.readFile(path, { track: false })
      yield [path, new TextDecoder().decode(bytes)]
    }
  }
}
