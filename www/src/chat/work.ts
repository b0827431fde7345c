// The agent's tools, loaded at the first command: viewing the page needs none of them.
import { startToolEngines } from '../engine/tools.js'
import { browserPlace, type Files, folderPlace, memoryPlace, type Place } from './agent/places.js'
import { notice } from './opening.js'

export { runTurn } from './agent/run-turn.js'
export { workbenchFor } from './agent/tools.js'

await startToolEngines()

/**
 * Opens the location of a conversation's files: the folder that the user opened, the browser's file system, or else
 * memory.
 */
export async function openPlace(
  id: string,
  saved: Files,
  folder: FileSystemDirectoryHandle | null,
): Promise<Place> {
  if (folder !== null) return folderPlace(folder)
  try {
    return await inTime(browserPlace(id, saved))
  } catch {
    // Some browsers lack this file system, and private windows may not be able to write to it.
    return memoryPlace(saved)
  }
}

/** Time that the browser's file system has to answer, in milliseconds. */
const PATIENCE = 5000

async function inTime(opening: Promise<Place>): Promise<Place> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      notice.value =
        'The browser’s file system does not answer. Until the page is reloaded, this chat works with the sample’s files in memory.'
      reject(new Error('late'))
    }, PATIENCE)
  })
  try {
    return await Promise.race([opening, late])
  } finally {
    clearTimeout(timer)
  }
}
