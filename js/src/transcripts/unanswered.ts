import type { Piece } from '../formats/arrange.js'

/**
 * Returns the calls that were never answered although the conversation went on. Providers reject them, so an agent sends
 * a result of its own for each. Calls of the last answer are open: they may still be answered.
 */
export function unansweredCalls(
  pieces: readonly Piece<unknown, unknown, unknown>[],
): { callId: string; at: number }[] {
  const open = new Map<string, number[]>()
  pieces.forEach((piece, index) => {
    if (piece.kind === 'result') open.get(piece.callId)?.pop()
    if (piece.kind !== 'assistant') return
    for (const id of piece.callIds) open.set(id, [...(open.get(id) ?? []), index])
  })
  const last = pieces.findLastIndex(({ kind }) => kind !== 'result')
  return [...open].flatMap(([callId, indexes]) =>
    indexes.filter((index) => index < last).map((index) => ({ callId, at: pieces[index]?.at ?? 0 })),
  )
}
