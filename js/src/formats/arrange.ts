import { pushTo } from '../base/lists.js'

/**
 * A conversation in the recorded order, before its tool results are moved to where providers expect them.
 * `A`, `R` and `U` are the wire forms of an assistant message, a tool result, and any message of the user or
 * system.
 */
export type Piece<A, R, U> =
  | { kind: 'assistant'; value: A; callIds: readonly string[]; at: number }
  | { kind: 'result'; value: R; callId: string; at: number }
  | { kind: 'other'; value: U; at: number }

export type Arranged<A, R, U> =
  | { kind: 'assistant'; value: A; results: R[]; at: number }
  /** A result whose call is not in the conversation; it keeps its position. */
  | { kind: 'orphan'; value: R }
  | { kind: 'other'; value: U }

/**
 * Moves every tool result to the assistant message with its call. An id can be reused once it was answered: a
 * result belongs to the newest unanswered call with its id. A second result of an answered call is reported
 * and dropped, because providers accept only one.
 */
export function arrange<A, R, U>(
  pieces: readonly Piece<A, R, U>[],
  onSecondResult: (at: number) => void,
): Arranged<A, R, U>[] {
  const arranged: Arranged<A, R, U>[] = []
  const open = new Map<string, R[][]>()
  const answered = new Set<string>()
  for (const piece of pieces) {
    if (piece.kind === 'other') {
      arranged.push({ kind: 'other', value: piece.value })
    } else if (piece.kind === 'assistant') {
      const results: R[] = []
      arranged.push({ kind: 'assistant', value: piece.value, results, at: piece.at })
      for (const id of piece.callIds) pushTo(open, id, results)
    } else {
      const results = open.get(piece.callId)?.pop()
      if (results !== undefined) {
        results.push(piece.value)
        answered.add(piece.callId)
      } else if (answered.has(piece.callId)) {
        onSecondResult(piece.at)
      } else {
        arranged.push({ kind: 'orphan', value: piece.value })
      }
    }
  }
  return arranged
}
