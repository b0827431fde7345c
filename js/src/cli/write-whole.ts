import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure, fileReason } from './failure.js'

/** Writes the file that an option names: under another name first, so that nobody ever finds half a file. */
export function writeWhole(option: string, file: string, text: string): void {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`)
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
      throw new Failure(`--${option} ${file}: this is a directory`)
    }
    writeFileSync(draft, text, { flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    if (error instanceof Failure) throw error
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new Failure(`--${option} ${file}: ${isMissing ? 'there is no such folder' : fileReason(error)}`)
  }
}
