import type { BlockFacts, BlockKind, Format } from 'trimtab'
import { piecesOf } from './pieces.js'

/**
 * Returns the readable text of each block of a message. `facts` are the blocks of this message, in order.
 * Blocks and pieces are matched per kind, so that a field unknown to this page cannot shift the others.
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
    // The engine can omit a block with an empty text.
    const wanted = facts.filter((fact) => fact.kind === kind).length
    queues.set(kind, texts.length > wanted ? texts.filter((text) => text !== '') : texts)
  }
  return facts.map(({ kind }) => queues.get(kind)?.shift() ?? '')
}
