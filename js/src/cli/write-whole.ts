import { randomUUID } from 'node:crypto'
import { lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure, fileReason } from './failure.js'

/** Writes the file named by an option. Writes under a temporary name first, so that no reader sees half a file. */
export function writeWhole(option: string, file: string, text: string): void {
  try {
    replace(targetOf(`--${option} ${file}`, file), text)
  } catch (error) {
    if (error instanceof Failure) throw error
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new Failure(`--${option} ${file}: ${isMissing ? 'there is no such folder' : fileReason(error)}`)
  }
}

/** Resolves links. Rejects pipes and devices: the rename would replace them. */
function targetOf(name: string, file: string): string {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return file
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) throw new Failure(`${name}: this is a link that leads to nothing`)
  if (stat.isDirectory()) throw new Failure(`${name}: this is a directory`)
  if (!stat.isFile()) throw new Failure(`${name}: this is a pipe or a device, not a file`)
  return realpathSync(file)
}

function replace(file: string, text: string): void {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`)
  try {
    writeFileSync(draft, text, { flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
