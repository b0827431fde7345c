import { existsSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Folders with source code that is not part of this project. */
const FOLDERS = [
  'node_modules',
  join(homedir(), '.cargo/registry/src'),
  // Fetched by `npm run corpus`.
  'target/corpus',
  '/usr/include',
  '/usr/lib/python3',
  '/usr/lib/python3.11',
  '/usr/share',
]

/** At most 20 files between 6 and 120 kB, spread over the files found. */
export function realFiles(ends: readonly string[]): string[] {
  const found: string[] = []
  for (const folder of FOLDERS.filter(existsSync)) collect(folder, ends, found, 0)
  found.sort()
  const step = Math.max(1, Math.floor(found.length / 20))
  return found.filter((_, index) => index % step === 0).slice(0, 20)
}

function collect(folder: string, ends: readonly string[], found: string[], depth: number): void {
  if (depth > 8 || found.length > 400) return
  let entries: string[] = []
  try {
    entries = readdirSync(folder)
  } catch {
    return
  }
  for (const name of entries) {
    const path = join(folder, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isDirectory() === true && name !== 'trimtab') collect(path, ends, found, depth + 1)
    const isMeant = stat?.isFile() === true && ends.some((end) => name.endsWith(end)) && !/\.min\./.test(name)
    if (isMeant && stat.size > 6_000 && stat.size < 120_000) found.push(path)
  }
}
