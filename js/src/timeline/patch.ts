/** A place of a patch: lines that must be there, and what they become. */
export interface Hunk {
  /** A line above the place (`@@ def f():`); `null` where there is none. */
  below: string | null
  old: string[]
  new: string[]
}

const FILE = /^\*\*\* (Update|Add|Delete) File: (.*)$/

/**
 * What a patch in the form of the Codex agent does to one file: the text of a new file, or hunks. `undefined` where it
 * deletes or moves the file, or says something else.
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
  // Lines put in without any around them have no place that could be told.
  return hunks.length > 0 && hunks.every(({ old }) => old.length > 0) ? hunks : undefined
}

/** The text after a patch: each hunk at the first place behind the one before it, as the agent does it. */
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
