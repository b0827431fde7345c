import { diffLines } from 'diff'

export interface DiffLine {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
}

/** Maximum combined length of two texts to compare: longer ones would take too long. */
const LARGEST = 200_000
/** Maximum number of lines in which they differ: the time grows with its square. */
const MOST_CHANGES = 1200

const OLD = ['old_string', 'old_str', 'oldText', 'old_text', 'oldString']
const NEW = ['new_string', 'new_str', 'newText', 'new_text', 'newString']
const WHOLE = ['content', 'file_text', 'contents']

/** Returns the lines that an edit call changes; `null` if its arguments do not say. */
export function editDiff(args: Readonly<Record<string, unknown>>): DiffLine[] | null {
  const edits = Array.isArray(args.edits) ? args.edits.filter(isFields) : [args]
  const diffs = edits.map(oneDiff)
  return diffs.some((diff) => diff === null) || diffs.length === 0
    ? null
    : diffs.flatMap((diff) => diff ?? [])
}

function oneDiff(args: Readonly<Record<string, unknown>>): DiffLine[] | null {
  const before = textOf(args, OLD)
  const after = textOf(args, NEW)
  if (before === undefined && after === undefined) {
    const whole = textOf(args, WHOLE)
    return whole === undefined ? null : linesOf(whole, '+')
  }
  const [old = '', text = ''] = [before, after]
  const parts =
    old.length + text.length > LARGEST ? undefined : diffLines(old, text, { maxEditLength: MOST_CHANGES })
  return parts === undefined
    ? [...linesOf(old, '-'), ...linesOf(text, '+')]
    : parts.flatMap(({ value, added, removed }) => linesOf(value, added ? '+' : removed ? '-' : ' '))
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function textOf(args: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  const value = names.map((name) => args[name]).find((one) => typeof one === 'string')
  return typeof value === 'string' ? value : undefined
}

function linesOf(text: string, sign: DiffLine['sign']): DiffLine[] {
  if (text === '') return []
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ sign, text: line }))
}
