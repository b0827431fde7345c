import type { BlockFacts, BlockKind, Format } from 'trimtab'
import { piecesOf } from './pieces.js'

/**
 * The readable text of a message's blocks, taken from the host's own message. One text per block of `facts`, which are the facts of this message in order. Blocks and pieces are matched kind by
 * kind, so that a field this page does not know cannot shift the others.
 */
export function blockTexts(
  message: object,
  facts: readonly Pick<BlockFacts, 'kind'>[],
  format: Format,
): string[] {
  const queues = new Map<BlockKind, string[]>()
  for (const piece of piecesOf(message, format)) {
    queues.set(piece.kind, [...(queues.get(piece.kind) ?? []), piece.text])
  }
  for (const [kind, texts] of queues) {
    // The engine may leave an empty text out.
    const wanted = facts.filter((fact) => fact.kind === kind).length
    queues.set(kind, texts.length > wanted ? texts.filter((text) => text !== '') : texts)
  }
  return facts.map(({ kind }) => queues.get(kind)?.shift() ?? '')
}
