import { type OutlineSection, outline } from '../outline/index.js'
import type { OutlineLanguage } from '../outlining/language.js'
import type { ConversationMessage } from './conversation.js'
import { type LineRange, mergeRanges } from './line-ranges.js'
import { relevantPieces } from './relevance.js'
import { Room } from './room.js'

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
export function targetLines(total: number): number {
  return Math.ceil(total <= 500 ? total * 0.4 : 30 + total / 10)
}

/** The outline of a file, with the sections unfolded that have to do with the conversation, in the lines of a target. */
export async function structureOf(options: StructureOptions): Promise<Structure> {
  const { path, text, lines, conversation, language, maxTokens } = options
  const target = targetLines(lines.length)
  const outlined = (budget: number) =>
    outline(path, text, { ...(language && { language }), budget: { lines: budget } })
  const whole = await outlined(target)
  const pieces = relevantPieces(lines, whole.sections, conversation)
  const room = new Room(lines, target, maxTokens)
  if (pieces.length > 0) {
    const { shown } = await outlined(Math.floor(target * OUTLINED))
    for (const range of shown) room.takeLines(range)
    for (const piece of pieces) room.takeWhole(piece)
  }
  for (const range of whole.shown) room.takeLines(range)
  return { ranges: mergeRanges([...room.taken]), sections: whole.sections }
}
