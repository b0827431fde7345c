import { TrimtabError } from '../base/error.js'
import { InTurn } from '../workspace/in-turn.js'
import type { ReadFile, Workspace } from '../workspace/workspace.js'

/** Maximum attempts at a change if another writer changes the file between read and write. */
const ATTEMPTS = 4

const turns = new InTurn<Workspace>()

/**
 * Reads, changes and writes a file; again if another writer changed it meanwhile. The calls of one step run side by
 * side: their changes of a workspace take turns.
 */
export const inTurns = <T>(workspace: Workspace, change: () => Promise<T>): Promise<T> =>
  turns.run(workspace, () => attempts(change))

async function attempts<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error
    }
  }
}

/** Reads a file without a record of the read; `undefined` if there is none. */
export async function readIfThere(workspace: Workspace, path: string): Promise<ReadFile | undefined> {
  try {
    return await workspace.readFile(path, { track: false })
  } catch (error) {
    if (error instanceof TrimtabError && error.code === 'not_found') return undefined
    throw error
  }
}

const isConflict = (error: unknown) => error instanceof TrimtabError && error.code === 'conflict'
