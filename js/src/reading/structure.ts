import type { Outline, OutlineBudget, OutlineSection } from '../outline/index.js'
import type { OutlineLanguage } from '../outline/language.js'
import type { ConversationMessage } from './conversation.js'
import { estimateLines } from './estimate.js'
import { type LineRange, mergeRanges } from './line-ranges.js'
import { relevantPieces } from './relevance.js'
import { Room } from './room.js'
import { outlineOf } from './sections.js'

/** Parts of a file shown without a model. */
export interface Structure {
  ranges: LineRange[]
  sections: OutlineSection[]
}

export interface StructureOptions {
  path: string
  text: string
  lines: readonly string[]
  /** Conversation whose related sections are unfolded. */
  conversation: readonly ConversationMessage[]
  language: OutlineLanguage | undefined
  maxTokens: number
}

/** Share of the lines for the outline if sections related to the conversation use the rest. */
const OUTLINED = 0.5

/**
 * Number of lines in a shortened view. Document "Unified read_file" shows 60 lines of 150, 120 of 300, 100 of 700 and
 * 150 of 1200.
 */
function targetLines(total: number): number {
  return Math.ceil(total <= 500 ? total * 0.4 : 30 + total / 10)
}

/** Outlines a file and unfolds the sections related to the conversation, within the target number of lines. */
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
  // A short text may have no outline, and an empty view would be useless.
  if (room.taken.length === 0) room.takeLines({ start: 1, end: target })
  return { ranges: mergeRanges(room.taken), sections: whole.sections }
}

/**
 * Makes an outline of at most `maxLines` shown lines. Its budget also counts the notices of folds, which a view writes
 * itself: the budget is raised by their number, and the second outline is used if it fits.
 */
async function outlined(maxLines: number, options: StructureOptions): Promise<Outline | undefined> {
  const { lines, maxTokens } = options
  const within = (budget: OutlineBudget) => outlineOf(options, budget)
  const first = await within({ lines: maxLines })
  if (first === undefined) return undefined
  const notices = first.text.split('\n').length - 1 - first.shownLines
  const second = (await within({ lines: maxLines + notices })) ?? first
  const chosen = second.shownLines <= maxLines ? second : first
  const shown = (outline: Outline) => outline.shown.flatMap(({ start, end }) => lines.slice(start - 1, end))
  if (estimateLines(shown(chosen)) <= maxTokens) return chosen
  const cut = await within({ tokens: maxTokens })
  if (cut === undefined) return cut
  // The budget of an outline does not count the line numbers of a view.
  const tokens = estimateLines(shown(cut))
  return tokens <= maxTokens ? cut : within({ tokens: Math.floor(maxTokens ** 2 / tokens) })
}
