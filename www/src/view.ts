import type { EditReport, Policy, Report } from 'trimtab'
import { CATEGORIES } from './kinds.js'
import type { Replay } from './replay.js'
import type { Session } from './session.js'

/** The projection of one request, with its edits by block. */
export interface View {
  readonly session: Session
  readonly request: number
  readonly policy: Policy
  /** The messages that the model would get. */
  readonly messages: readonly object[]
  readonly report: Report
  /** Number of the session's blocks in the request. */
  readonly blocks: number
  /** Edits per block, by the block's index in the session. */
  readonly edits: ReadonlyMap<number, readonly EditReport[]>
  /** Estimated tokens per block in the view. */
  readonly tokensAfter: Float64Array
}

/** Creates the view of a request that the replay has reached. */
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

/** Returns the index, in the session's list, of a block given by message and position. */
function blockIndex(session: Session, message: number, block: number): number | null {
  const end = session.firstBlock[message + 1] ?? 0
  for (let i = session.firstBlock[message] ?? 0; i < end; i++) {
    if (session.blocks[i]?.block === block) {
      return i
    }
  }
  return null
}

/** Returns whether the view edits any block of a message. */
export function isEdited(view: View, message: number): boolean {
  const end = view.session.firstBlock[message + 1] ?? 0
  for (let i = view.session.firstBlock[message] ?? 0; i < end; i++) {
    if (view.edits.has(i)) {
      return true
    }
  }
  return false
}

/** Returns the estimated tokens per category, before and after, indexed like `CATEGORIES`. */
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
