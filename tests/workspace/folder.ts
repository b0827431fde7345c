import { mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder in memory if that has room, because thousands of syncs would wait for the disk. */
function folderOfScratch(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 2 ** 30 ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}

const SCRATCH = folderOfScratch()

/** Makes an empty folder that is removed after the test. */
export function scratchFolder(): string {
  const folder = realpathSync(mkdtempSync(join(SCRATCH, 'trimtab-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
