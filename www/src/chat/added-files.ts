import type { Workspace } from 'trimtab/workspace'
import { plural } from '../numbers.js'
import { reasonOf } from './agent/reason.js'
import { composed } from './composed.js'
import { workbench } from './files.js'
import { notice } from './opening.js'
import { isScripted } from './state.js'

/**
 * Largest file that can be added, in bytes. The model would see a few lines of a larger one, and the browser would
 * store all of it.
 */
const LARGEST = 20_000_000

/**
 * Adds files of the user to those of the open chat, under names that are free, and appends the names to the message.
 */
export async function addFiles(files: readonly File[]): Promise<void> {
  notice.value = null
  const large = files.filter(({ size }) => size > LARGEST)
  const added: string[] = []
  try {
    const { workspace } = (await workbench()).place
    for (const file of files.filter(({ size }) => size <= LARGEST)) {
      const path = await freePath(workspace, file.name)
      await workspace.writeFile(path, new Uint8Array(await file.arrayBuffer()), { expectedDigest: null })
      added.push(path)
    }
  } catch (error) {
    notice.value = `The files cannot be added: ${reasonOf(error)}`
  }
  if (large.length > 0)
    notice.value = `${plural(large.length, 'file')} of more than 20 MB ${large.length === 1 ? 'was' : 'were'} not added.`
  if (added.length === 0) return
  composed.value = messageWith(composed.peek(), added)
  document.getElementById('composer')?.focus()
}

/** Returns a free path: `notes.md`, or `notes-2.md` if it exists. */
async function freePath(workspace: Workspace, name: string): Promise<string> {
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let at = 1; ; at++) {
    const path = at === 1 ? name : `${stem}-${at}${end}`
    if ((await workspace.stat(path)) === undefined) return path
  }
}

function messageWith(text: string, paths: readonly string[]): string {
  // The scripted model understands only commands.
  const names = paths.join(' ')
  if (text.trim() !== '') return `${text.trimEnd()} ${names}`
  return !isScripted.peek() ? names : paths.length === 1 ? `read ${names}` : 'list files'
}
