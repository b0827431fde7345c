// Cache of build outputs, keyed by all their inputs: checking out a branch again, or deleting a folder of built files,
// costs a copy. TRIMTAB_CACHE names another folder than target/cache.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { at } from './project.mjs'

/** Number of versions kept per name. */
const KEPT = 4

const folderOf = (name) => join(process.env.TRIMTAB_CACHE || at('target', 'cache'), name)

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

const isSame = (a, b) => existsSync(b) && readFileSync(a).equals(readFileSync(b))

/**
 * Restores the outputs, given as paths relative to the project's root, as they were built with this key.
 *
 * @returns {'unchanged' | 'restored' | undefined} `undefined` if the cache does not have them
 */
export function restore({ name, key, outputs }) {
  const entry = join(folderOf(name), key)
  if (!outputs.every((file) => existsSync(join(entry, file)))) return undefined
  const changed = outputs.filter((file) => !isSame(join(entry, file), at(file)))
  for (const file of changed) copy(join(entry, file), at(file))
  return changed.length === 0 ? 'unchanged' : 'restored'
}

/** Stores the current outputs. Renames at the end, so that an interruption leaves no partial entry. */
export function keep({ name, key, outputs }) {
  const folder = folderOf(name)
  const next = join(folder, `next-${process.pid}`)
  for (const file of outputs) copy(at(file), join(next, file))
  rmSync(join(folder, key), { recursive: true, force: true })
  renameSync(next, join(folder, key))
  const age = (entry) => -statSync(join(folder, entry)).mtimeMs
  const entries = readdirSync(folder).sort((a, b) => age(a) - age(b))
  for (const entry of entries.slice(KEPT)) rmSync(join(folder, entry), { recursive: true, force: true })
}
