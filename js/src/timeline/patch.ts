/** A hunk of a patch: lines that must be present, and their replacement. */
export interface Hunk {
  /** Line above the hunk (`@@ def f():`); `null` if there is none. */
  below: string | null
  old: string[]
  new: string[]
}

const FILE = /^\*\*\* (Update|Add|Delete) File: (.*)$/

/**
 * Parses what a patch in the Codex agent's form does to one file: the text of a new file, or hunks. Returns `undefined`
 * if it deletes or moves the file, or cannot be parsed.
 */
export function parsePatch(patch: string, isFile: (path: string) => boolean): string | Hunk[] | undefined {
  const lines = patch.split('\n')
  const heads = lines.flatMap((line, at) => {
    const match = FILE.exec(line)
    return match === null ? [] : [{ at, kind: match[1], path: (match[2] as string).trim() }]
  })
  const own = heads.filter(({ path }) => isFile(path))
  const [head] = own
  if (head === undefined || own.length > 1 || head.kind === 'Delete') return undefined
  const end = lines.findIndex(
    (line, at) => at > head.at && (FILE.test(line) || line.startsWith('*** End Patch')),
  )
  const body = lines.slice(head.at + 1, end === -1 ? lines.length : end)
  if (head.kind === 'Update') return hunksOf(body)
  if (!body.every((line) => line.startsWith('+'))) return undefined
  return body.map((line) => `${line.slice(1)}\n`).join('')
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
