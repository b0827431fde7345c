import { normalPath } from './normal-path.js'

/** A hunk of a patch: lines that must be present, and their replacement. */
export interface Hunk {
  /** Line above the hunk (`@@ def f():`); `null` if there is none. */
  below: string | null
  old: string[]
  new: string[]
}

/** What a patch does to a file: the kind of its heading, and the lines below it. */
interface Part {
  kind: string
  body: string[]
}

/** The parts of a patch, by path. */
export type Patch = ReadonlyMap<string, readonly Part[]>

const FILE = /^\*\*\* (Update|Add|Delete) File: (.*)$/

/** Splits a patch in the Codex agent's form by file. */
export function parsePatch(patch: string): Patch {
  const parts = new Map<string, Part[]>()
  let body: string[] | undefined
  for (const line of patch.split('\n')) {
    const head = FILE.exec(line)
    if (head !== null) {
      const [, kind, name] = head as unknown as [string, string, string]
      const path = normalPath(name.trim())
      body = []
      const own = parts.get(path) ?? []
      own.push({ kind, body })
      parts.set(path, own)
    } else if (line.startsWith('*** End Patch')) body = undefined
    else body?.push(line)
  }
  return parts
}

/**
 * Returns what a patch does to one file: the text of a new file, or hunks. `undefined` if it deletes or moves the file,
 * names it several times, or cannot be parsed.
 *
 * @param names All names of the file, as normal paths.
 */
export function changeIn(patch: Patch, names: Iterable<string>): string | Hunk[] | undefined {
  const own = [...names].flatMap((name) => patch.get(name) ?? [])
  const [part] = own
  if (part === undefined || own.length > 1 || part.kind === 'Delete') return undefined
  if (part.kind === 'Update') return hunksOf(part.body)
  if (!part.body.every((line) => line.startsWith('+'))) return undefined
  return part.body.map((line) => `${line.slice(1)}\n`).join('')
}

function hunksOf(lines: readonly string[]): Hunk[] | undefined {
  const hunks: Hunk[] = []
  for (const line of lines) {
    if (line.startsWith('@@')) {
      hunks.push({ below: line.slice(2).trim() || null, old: [], new: [] })
      continue
    }
    if (hunks.length === 0) hunks.push({ below: null, old: [], new: [] })
    const hunk = hunks.at(-1) as Hunk
    const [mark, text] = [line[0], line.slice(1)]
    if (mark !== ' ' && mark !== '-' && mark !== '+') return undefined
    if (mark !== '+') hunk.old.push(text)
    if (mark !== '-') hunk.new.push(text)
  }
  // The position of lines inserted without any context is unknown.
  return hunks.length > 0 && hunks.every(({ old }) => old.length > 0) ? hunks : undefined
}

/**
 * Applies hunks to a text, each at the first match after the previous hunk, as the Codex agent does. Returns
 * `undefined` if one does not match.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): string | undefined {
  const lines = text.split('\n')
  let from = 0
  for (const hunk of hunks) {
    if (hunk.below !== null) {
      const above = lines.findIndex((line, i) => i >= from && line.trim() === hunk.below)
      if (above === -1) return undefined
      from = above + 1
    }
    const at = lines.findIndex((_, i) => i >= from && hunk.old.every((line, j) => lines[i + j] === line))
    if (at === -1) return undefined
    lines.splice(at, hunk.old.length, ...hunk.new)
    from = at + hunk.new.length
  }
  return lines.join('\n')
}
