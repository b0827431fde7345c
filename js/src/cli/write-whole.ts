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
    throw error instanceof Failure ? error : new Failure(`--${option} ${file}: ${fileReason(error)}`)
  }
}
