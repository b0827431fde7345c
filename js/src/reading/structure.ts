import type { Outline, OutlineBudget, OutlineSection } from '../outline/index.js'
import type { OutlineLanguage } from '../outline/language.js'
import type { ConversationMessage } from './conversation.js'
import { estimateLines } from './estimate.js'
import { type LineRange, mergeRanges } from './line-ranges.js'
import { relevantPieces } from './relevance.js'
import { Room } from './room.js'
import { outlineOf } from './sections.js'

/** What of a file is shown without a model. */
export interface Structure {
  ranges: LineRange[]
  sections: OutlineSection[]
}

export interface StructureOptions {
  path: string
  text: string
  lines: readonly string[]
  /** What the conversation is about: its sections are unfolded. */
  conversation: readonly ConversationMessage[]
  language: OutlineLanguage | undefined
  maxTokens: number
}

/** How much of the lines the outline gets where the conversation's sections want the rest. */
const OUTLINED = 0.5

/**
 * How many lines a shortened view may have: document "Unified read_file" shows 60 lines of 150, 120 of 300, 100 of 700
 * and 150 of 1200.
 */
function targetLines(total: number): number {
  return Math.ceil(total <= 500 ? total * 0.4 : 30 + total / 10)
}

/** The outline of a file, with the sections unfolded that have to do with the conversation, in the lines of a target. */
export async function structureOf(options: StructureOptions): Promise<Structure> {
  const { lines, conversation, maxTokens } = options
  const target = targetLines(lines.length)
  const whole = (await outlined(target, options)) ?? { shown: [], sections: [] }
  const pieces = relevantPieces(lines, whole.sections, conversation)
  const room = new Room(lines, target, maxTokens)
  if (pieces.length > 0) {
    const half = await outlined(Math.floor(target * OUTLINED), options)
    for (const range of half?.shown ?? []) room.takeLines(range)
    for (const piece of pieces) room.takeWhole(piece)
  }
  for (const range of whole.shown) room.takeLines(range)
  // A text of a few lines may have no outline; a view of nothing would tell nothing.
  if (room.taken.length === 0) room.takeLines({ start: 1, end: target })
  return { ranges: mergeRanges(room.taken), sections: whole.sections }
}

/**
 * An outline that shows at most so many lines. Its budget counts the notices of its folds as well, which a view writes in
 * its own way: as many lines more are asked for, and taken where they fit.
 */
async function outlined(maxLines: number, options: StructureOptions): Promise<Outline | undefined> {
  const { lines, maxTokens } = options
  const within = (budget: OutlineBudget) => outlineOf(options, budget)
  const first = await within({ lines: maxLines })
  if (first === undefined) return undefined
  const notices = first.text.split('\n').length - 1 - first.shownLines
  const second = (await within({ lines: maxLines + notices })) ?? first
  const chosen = second.shownLines <= maxLines ? second : first
  const shown = chosen.shown.flatMap(({ start, end }) => lines.slice(start - 1, end))
  return estimateLines(shown) <= maxTokens ? chosen : within({ tokens: maxTokens })
}
