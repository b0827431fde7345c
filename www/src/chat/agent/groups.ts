import type { GroupRow, Row, ToolRow } from './thread.js'

/** Minimum number of consecutive calls to group. */
const FEWEST = 3

/**
 * Groups rows of consecutive calls into one row. File edits are not grouped, as users want to see them, nor are calls
 * without a result.
 *
 * @param isOpen Returns whether a group shows its calls, given its key and whether it is the last row.
 */
export function grouped(
  rows: readonly Row[],
  isOpen: (group: string, isLast: boolean) => boolean,
): readonly Row[] {
  const list: Row[] = []
  for (let from = 0; from < rows.length; ) {
    const run = runAt(rows, from)
    if (run.length < FEWEST) {
      list.push(...(run.length === 0 ? [rows[from] as Row] : run))
      from += Math.max(1, run.length)
      continue
    }
    from += run.length
    const key = groupKey(run[0] as ToolRow)
    const uses = run.map(({ use }) => use)
    const head: GroupRow = { kind: 'group', key, uses, isOpen: isOpen(key, from === rows.length) }
    list.push(head)
    if (head.isOpen) for (const row of run) list.push({ ...row, group: key })
  }
  return list
}

/** Returns the group that contains a row; `null` if the row is not grouped. */
export function groupOf(rows: readonly Row[], key: string): string | null {
  const row = grouped(rows, () => true).find((one) => one.key === key)
  return row?.kind === 'tool' ? (row.group ?? null) : null
}

const groupKey = ({ key }: ToolRow) => `group ${key}`

function runAt(rows: readonly Row[], from: number): readonly ToolRow[] {
  const run: ToolRow[] = []
  for (let row = rows[from]; isFolded(row); row = rows[from + run.length]) run.push(row)
  return run
}

function isFolded(row: Row | undefined): row is ToolRow {
  if (row?.kind !== 'tool' || row.use.result === null) return false
  const { origin } = row.use.call ?? row.use.result
  return origin !== 'edit' && origin !== 'write'
}
