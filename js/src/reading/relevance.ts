import type { OutlineSection } from '../outline/types.js'
import type { ConversationMessage } from './conversation.js'
import { signatureLine } from './folds.js'
import type { LineRange } from './line-ranges.js'
import { wholeNames, wordsOf } from './words.js'

/** In lines: longer sections are scored, and unfolded, in pieces of at most this length. */
const LONGEST_PIECE = 40
/** Weight of a message relative to the one after it. */
const FADING = 0.8
/** Weight of a word in a section's name relative to one in its lines. */
const IN_NAME = 3

/** Minimum score, as a share of the best: pieces below it are not relevant. */
const LEAST = 0.1

/** Maximum number of definitions shown because they are named: a file may have a method `run` in each class. */
const MOST_NAMED = 20

/** A piece of a file that is shown or folded as a whole. */
interface Piece extends LineRange {
  /** Path of the section that the piece is in: the enclosing names and its own. */
  name: string
}

/** What of a file is related to a conversation. */
export interface Relevant {
  /** Signatures of definitions that the conversation names, a line each, those named last first. */
  named: LineRange[]
  /** Pieces of the file, most relevant first. */
  pieces: LineRange[]
  /** Returns the line of a piece that is most relevant. */
  bestLine(piece: LineRange): LineRange
}

/**
 * Returns what of a file is related to a conversation; `undefined` if nothing is. A word counts more if few pieces have
 * it (as in BM25), if its message is recent, and if it is in a section's name.
 */
export function relevantTo(
  conversation: readonly ConversationMessage[],
  lines: readonly string[],
  sections: readonly OutlineSection[],
): Relevant | undefined {
  const weights = weigh(conversation)
  if (weights.size === 0) return undefined
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
  if (best === 0) return undefined
  scored.sort((a, b) => b.score - a.score || a.piece.start - b.piece.start)
  const pieces = scored
    .filter(({ score }) => score > best * LEAST)
    .map(({ piece: { start, end, name } }) => ({ start, end, ...(name !== '' && { reason: name }) }))
  return {
    named: namedIn(sections, weights, scored, lines),
    pieces,
    bestLine: (piece) => bestLine(piece, lines, weights, rarity),
  }
}

/** Returns the signatures of sections of which the conversation has the whole name. `scored`: best first. */
function namedIn(
  sections: readonly OutlineSection[],
  weights: Weights,
  scored: readonly { piece: Piece }[],
  lines: readonly string[],
): LineRange[] {
  const pieces = new Map(scored.map(({ piece }, rank) => [piece.start, { name: piece.name, rank }]))
  return sections
    .map((section) => ({ section, weight: weightOfName(section.name, weights) }))
    .filter(({ weight }) => weight > 0)
    .map((one) => ({ ...one, rank: 0, name: one.section.name, ...pieces.get(one.section.startLine) }))
    .sort((a, b) => b.weight - a.weight || a.rank - b.rank)
    .slice(0, MOST_NAMED)
    .map(({ section, name }) => {
      const line = signatureLine(section, lines)
      return { start: line, end: line, reason: name }
    })
}

/** Weight of a section's name in the conversation; 0 if it does not have all of it. */
function weightOfName(name: string, weights: Weights): number {
  const words = wholeNames(name)
  return words.length === 0 ? 0 : Math.min(...words.map((word) => weights.get(word) ?? 0))
}

function bestLine(
  { start, end, ...rest }: LineRange,
  lines: readonly string[],
  weights: Weights,
  rarity: Weights,
): LineRange {
  let best = { line: start, score: 0 }
  for (let line = start; line <= end; line++) {
    let score = 0
    for (const word of countWords(lines[line - 1] ?? '', weights).keys())
      score += (weights.get(word) ?? 0) * (rarity.get(word) ?? 0)
    if (score > best.score) best = { line, score }
  }
  return { ...rest, start: best.line, end: best.line }
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
