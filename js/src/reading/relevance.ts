import type { OutlineSection } from '../outline/types.js'
import type { ConversationMessage } from './conversation.js'
import type { LineRange } from './line-ranges.js'
import { wordsOf } from './words.js'

/** In lines: longer sections are scored, and unfolded, in pieces of at most this length. */
const LONGEST_PIECE = 40
/** Weight of a message relative to the one after it. */
const FADING = 0.8
/** Weight of a word in a section's name relative to one in its lines. */
const IN_NAME = 3

/** Minimum score, as a share of the best: pieces below it are not relevant. */
const LEAST = 0.1

/** A piece of a file that is shown or folded as a whole. */
interface Piece extends LineRange {
  /** Path of the section that the piece is in: the enclosing names and its own. */
  name: string
}

/**
 * Returns the pieces of a file related to a conversation, most relevant first. A word counts more if few pieces have it
 * (as in BM25), if its message is recent, and if it is in a section's name.
 */
export function relevantPieces(
  lines: readonly string[],
  sections: readonly OutlineSection[],
  conversation: readonly ConversationMessage[],
): LineRange[] {
  const weights = weigh(conversation)
  if (weights.size === 0) return []
  const counted = piecesOf(sections, lines.length).map((piece) => {
    const text = lines.slice(piece.start - 1, piece.end).join('\n')
    return { piece, inText: countWords(text, weights), inName: countWords(piece.name, weights) }
  })
  const rarity = rarityOf(counted)
  const meanLength = lines.length / counted.length
  const scored = counted.map((one) => ({
    piece: one.piece,
    score: scoreOf(one, weights, rarity, meanLength),
  }))
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0)
  return scored
    .filter(({ score }) => score > best * LEAST)
    .sort((a, b) => b.score - a.score || a.piece.start - b.piece.start)
    .map(({ piece: { start, end, name } }) => ({ start, end, ...(name !== '' && { reason: name }) }))
}

/** Number of occurrences in a piece, by word of the conversation. */
interface Counted {
  piece: Piece
  inText: ReadonlyMap<string, number>
  inName: ReadonlyMap<string, number>
}

type Weights = ReadonlyMap<string, number>

/** Score by BM25: each further occurrence of a word counts less, and so do occurrences in long pieces. */
function scoreOf(
  { piece, inText, inName }: Counted,
  weights: Weights,
  rarity: Weights,
  meanLength: number,
): number {
  const length = 0.25 + 0.75 * ((piece.end - piece.start + 1) / meanLength)
  let score = 0
  for (const [word, weight] of weights) {
    const count = inText.get(word) ?? 0
    const named = inName.has(word) ? IN_NAME : 0
    score += weight * (rarity.get(word) ?? 0) * (count / (count + 1.2 * length) + named)
  }
  return score
}

function weigh(conversation: readonly ConversationMessage[]): Map<string, number> {
  const weights = new Map<string, number>()
  conversation.forEach(({ text }, i) => {
    const weight = FADING ** (conversation.length - 1 - i)
    for (const word of wordsOf(text)) weights.set(word, Math.max(weight, weights.get(word) ?? 0))
  })
  return weights
}

function countWords(text: string, wanted: Weights): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of wordsOf(text)) if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Inverse document frequency of each word: fewer pieces, higher value. */
function rarityOf(counted: readonly Counted[]): Map<string, number> {
  const having = new Map<string, number>()
  for (const { inText, inName } of counted) {
    for (const word of new Set([...inText.keys(), ...inName.keys()])) {
      having.set(word, (having.get(word) ?? 0) + 1)
    }
  }
  const rarity = (count: number) => Math.log(1 + (counted.length - count + 0.5) / (count + 0.5))
  return new Map([...having].map(([word, count]) => [word, rarity(count)]))
}

/** Splits a file into pieces: from the start of each section to the start of the next, none longer than the limit. */
function piecesOf(sections: readonly OutlineSection[], total: number): Piece[] {
  const starts = new Map([[1, '']])
  const open: OutlineSection[] = []
  const close = (line: number) => {
    while ((open.at(-1)?.endLine ?? line) < line) {
      const { endLine } = open.pop() as OutlineSection
      if (endLine < total && !starts.has(endLine + 1)) starts.set(endLine + 1, pathOf(open))
    }
  }
  for (const section of sections) {
    close(section.startLine)
    open.push(section)
    starts.set(section.startLine, pathOf(open))
  }
  close(total + 1)
  const ordered = [...starts].sort(([a], [b]) => a - b)
  return ordered.flatMap(([start, name], i) => inParts(start, (ordered[i + 1]?.[0] ?? total + 1) - 1, name))
}

const pathOf = (open: readonly OutlineSection[]) => open.map(({ name }) => name).join('.')

function inParts(start: number, end: number, name: string): Piece[] {
  const parts = Math.ceil((end - start + 1) / LONGEST_PIECE)
  const size = Math.ceil((end - start + 1) / parts)
  return Array.from({ length: parts }, (_, i) => {
    const first = start + i * size
    return { start: first, end: Math.min(first + size - 1, end), name }
  }).filter((piece) => piece.start <= piece.end)
}
