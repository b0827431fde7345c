import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const fixtureFolder = fileURLToPath(new URL('../fixtures/transcripts', import.meta.url))
export const sampleFile = fileURLToPath(new URL('../../examples/session.jsonl', import.meta.url))

export interface SessionFile {
  name: string
  path: string
  text: string
}

export function fixtures(): SessionFile[] {
  const names = readdirSync(fixtureFolder, { withFileTypes: true })
  return names.filter((entry) => entry.isFile()).map((entry) => sessionFile(join(fixtureFolder, entry.name)))
}

/** Files of plain messages in every format, as programs save them. */
export function messageFiles(): SessionFile[] {
  const folder = fileURLToPath(new URL('../fixtures/messages', import.meta.url))
  return readdirSync(folder).map((name) => sessionFile(join(folder, name)))
}

export function fixture(name: string): SessionFile {
  return sessionFile(join(fixtureFolder, name))
}

/** Real sessions in a folder beside the repository; they belong to others and are not part of it. */
export function realSessions(): SessionFile[] {
  const folder = fileURLToPath(new URL('../../../shared/data', import.meta.url))
  if (!existsSync(folder)) {
    console.warn('skipped: no ../shared/data with real sessions beside this repository')
    return []
  }
  const names = readdirSync(folder).filter((name) => /\.(?:jsonl?|traj)$/.test(name))
  return names.map((name) => sessionFile(join(folder, name)))
}

function sessionFile(path: string): SessionFile {
  return { name: basename(path), path, text: readFileSync(path, 'utf8') }
}
