// What the agent works with, loaded at the first command: a look at the page needs none of it.
import { startToolEngines } from '../engine/tools.js'
import { browserPlace, type Files, folderPlace, memoryPlace, type Place } from './agent/places.js'

export { runTurn } from './agent/run-turn.js'
export { workbenchFor } from './agent/tools.js'

await startToolEngines()

/** Where a conversation's files are: the folder that the user opened, the browser's file system, or else memory. */
export async function openPlace(
  id: string,
  saved: Files,
  folder: FileSystemDirectoryHandle | null,
): Promise<Place> {
  if (folder !== null) return folderPlace(folder)
  try {
    return await browserPlace(id, saved)
  } catch {
    // Some browsers have none, and private windows may not write to it.
    return memoryPlace(saved)
  }
}
