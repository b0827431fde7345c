// Skips work whose inputs and outputs are unchanged. Compares contents, not dates: a checkout or a restored cache
// changes every date.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { at, root } from './project.mjs'

const never = new Set(['node_modules', '.git', '.DS_Store'])

function* filesUnder(path, skip) {
  if (skip.has(path) || !existsSync(path)) return
  if (statSync(path).isFile()) {
    yield path
    return
  }
  for (const name of readdirSync(path).sort()) {
    if (!never.has(name)) yield* filesUnder(join(path, name), skip)
  }
}

/** Every file under a folder, which is given relative to the project's root, as absolute paths. */
export const filesIn = (folder) => [...filesUnder(at(folder), new Set())]

/** Digest of the names and contents of files and folders, which are given relative to the project's root. */
export function digest(paths, { skip = [], extra = '' } = {}) {
  const hash = createHash('sha256').update(extra)
  const skipped = new Set(skip.map((path) => at(path)))
  for (const path of paths) {
    for (const file of filesUnder(at(path), skipped)) {
      hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

/**
 * Runs `work` unless inputs and outputs are as they were after its last success. Outputs count too: a built file that
 * was deleted or edited by hand is built again.
 */
export async function unlessUnchanged({ name, inputs, outputs, skip, extra }, work) {
  const file = at('target', 'stamps', name)
  const before = digest(inputs, { skip, extra })
  const current = () => `${before} ${digest(outputs)}`
  if (existsSync(file) && readFileSync(file, 'utf8') === current()) return false
  await work()
  mkdirSync(at('target', 'stamps'), { recursive: true })
  writeFileSync(file, current())
  return true
}
