import type { BlockFacts } from 'trimtab'
import type { History } from '../agent/history.js'
import { type DiffLine, editDiff } from './edit-diff.js'

const known = new WeakMap<BlockFacts, readonly DiffLine[] | null>()

/** Returns the lines that an edit call changes, compared once; `null` if its arguments do not say. */
export function diffOf(call: BlockFacts, history: Pick<History, 'argumentsOf'>): readonly DiffLine[] | null {
  const before = known.get(call)
  if (before !== undefined) return before
  const args = history.argumentsOf(call)
  const diff = typeof args === 'string' ? null : editDiff(args)
  known.set(call, diff)
  return diff
}
