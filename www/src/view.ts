import type { EditReport, Policy, Report } from 'trimtab'
import { CATEGORIES } from './kinds.js'
import type { Replay } from './replay.js'
import type { Session } from './session.js'

/** What the policy makes of one request: the projection, and its edits by block. */
export interface View {
  readonly session: Session
  readonly request: number
  readonly policy: Policy
  /** The messages of the view, as the model would get them. */
  readonly messages: readonly object[]
  readonly report: Report
  /** How many blocks of the session the request carries. */
  readonly blocks: number
  /** The edits of a block, by its index in the session's blocks. */
  readonly edits: ReadonlyMap<number, readonly EditReport[]>
  /** Estimated tokens per block in the view. */
  readonly tokensAfter: Float64Array
}

/** The view of a request that the replay has reached. */
export function createView(replay: Replay, request: number): View {
  const { session, policy } = replay
  const count = session.requests[request]?.messages ?? session.messages.length
  const { messages, report } = replay.at(request)
  const blocks = session.firstBlock[count] ?? session.blocks.length
  const edits = editsByBlock(session, report.edits)
  const tokensAfter = Float64Array.from({ length: blocks }, (_, i) => session.blocks[i]?.tokens ?? 0)
  for (const [block, list] of edits) {
    tokensAfter[block] = list.at(-1)?.tokensAfter ?? 0
  }
  return { session, request, policy, messages, report, blocks, edits, tokensAfter }
}

function editsByBlock(session: Session, edits: readonly EditReport[]): Map<number, EditReport[]> {
  const byBlock = new Map<number, EditReport[]>()
  for (const edit of edits) {
    const index = blockIndex(session, edit.message, edit.block)
    if (index !== null) {
      byBlock.set(index, [...(byBlock.get(index) ?? []), edit])
    }
  }
  return byBlock
}

/** Where the block (message, block) stands in the session's list of blocks. */
function blockIndex(session: Session, message: number, block: number): number | null {
  const end = session.firstBlock[message + 1] ?? 0
  for (let i = session.firstBlock[message] ?? 0; i < end; i++) {
    if (session.blocks[i]?.block === block) {
      return i
    }
  }
  return null
}

/** Whether any block of a message is edited in the view. */
export function isEdited(view: View, message: number): boolean {
  const end = view.session.firstBlock[message + 1] ?? 0
  for (let i = view.session.firstBlock[message] ?? 0; i < end; i++) {
    if (view.edits.has(i)) {
      return true
    }
  }
  return false
}

/** Estimated tokens by category, before and after; indexed like `CATEGORIES`. */
export function tokensByCategory(view: View): { before: number[]; after: number[] } {
  const before = CATEGORIES.map(() => 0)
  const after = CATEGORIES.map(() => 0)
  for (let i = 0; i < view.blocks; i++) {
    const category = view.session.categories[i] ?? 0
    before[category] = (before[category] ?? 0) + (view.session.blocks[i]?.tokens ?? 0)
    after[category] = (after[category] ?? 0) + (view.tokensAfter[i] ?? 0)
  }
  return { before, after }
}
