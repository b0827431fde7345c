import type { Outline, OutlineSection } from '../outline/index.js'
import type { OutlineLanguage } from '../outline/language.js'
import type { ConversationMessage } from './conversation.js'
import { estimateLines, leastTokens } from './estimate.js'
import { type LineRange, mergeRanges } from './line-ranges.js'
import { type Relevant, relevantTo } from './relevance.js'
import { Room } from './room.js'
import { outlineOf } from './sections.js'

/** Parts of a file shown without a model. */
export interface Structure {
  /** What is related to the conversation, the most relevant first; then the outline. */
  ranges: LineRange[]
  /** Whether anything of the file is related to the conversation. */
  isRelated: boolean
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

/** Share of lines and tokens for the outline if sections related to the conversation use the rest. */
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
  const relevant = relevantTo(conversation, lines, whole.sections)
  const room = new Room(lines, target, maxTokens)
  const least = relevant === undefined ? [] : await leastOutline(target, options)
  const reserved = least.flatMap((range) => room.takeLines(range))
  const related = relevant === undefined ? [] : takeRelevant(relevant, room)
  const others = whole.shown.flatMap((range) => room.takeLines(range))
  const ranges = [...related, ...mergeRanges([...reserved, ...others])]
  // A short text may have no outline, and an empty view would be useless.
  if (ranges.length === 0) ranges.push(...room.takeLines({ start: 1, end: target }))
  return { ranges, isRelated: related.length > 0, sections: whole.sections }
}

/** Ranges of the outline that are shown beside what is related to the conversation. */
async function leastOutline(target: number, options: StructureOptions): Promise<readonly LineRange[]> {
  const maxTokens = Math.floor(options.maxTokens * OUTLINED)
  return (await outlined(Math.floor(target * OUTLINED), { ...options, maxTokens }))?.shown ?? []
}

/** Takes the definitions that are named, then the pieces; of those that do not fit, the line that matches best. */
function takeRelevant({ named, pieces, bestLine }: Relevant, room: Room): LineRange[] {
  const first = named.filter((range) => room.takeWhole(range))
  const others = pieces.flatMap((piece) => {
    const range = [piece, bestLine(piece)].find((each) => room.takeWhole(each))
    return range === undefined ? [] : [range]
  })
  return [...first, ...others]
}

/** Makes an outline of at most `maxLines` shown lines, and of at most the tokens of the options. */
async function outlined(maxLines: number, options: StructureOptions): Promise<Outline | undefined> {
  const { lines, maxTokens } = options
  const byLines = leastTokens(maxLines) > maxTokens ? undefined : await ofLines(maxLines, options)
  if (byLines !== undefined && tokensOf(byLines.shown, lines) <= maxTokens) return byLines
  const cut = await outlineOf(options, { tokens: maxTokens })
  if (cut === undefined) return undefined
  // The budget of an outline does not count the line numbers of a view.
  const tokens = tokensOf(cut.shown, lines)
  return tokens <= maxTokens ? cut : outlineOf(options, { tokens: Math.floor(maxTokens ** 2 / tokens) })
}

/**
 * Makes an outline of at most `maxLines` shown lines. Its budget also counts the notices of folds, which a view writes
 * itself: the budget is raised by their share, or else by their number, and that outline is used if it fits.
 */
async function ofLines(maxLines: number, options: StructureOptions): Promise<Outline | undefined> {
  const first = await outlineOf(options, { lines: maxLines })
  if (first === undefined || first.shownLines === 0) return first
  const counted = first.text.split('\n').length - 1
  const byShare = Math.floor(maxLines * (counted / first.shownLines))
  for (const budget of [byShare, maxLines + counted - first.shownLines]) {
    const raised = await outlineOf(options, { lines: budget })
    if (raised !== undefined && raised.shownLines <= maxLines) return raised
  }
  return first
}

function tokensOf(ranges: readonly LineRange[], lines: readonly string[]): number {
  return estimateLines(ranges.flatMap(({ start, end }) => lines.slice(start - 1, end)))
}
