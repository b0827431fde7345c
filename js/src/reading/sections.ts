import { TrimtabError } from '../base/error.js'
import { given } from '../base/json.js'
import { MAX_LINE_LENGTH } from '../generated/protocol.js'
import { type Outline, type OutlineSection, outline } from '../outline/index.js'
import type { OutlineLanguage } from '../outline/language.js'
import type { OutlineBudget } from '../outline/types.js'

/** A file to outline. */
export interface Outlined {
  path: string
  text: string
  language: OutlineLanguage | undefined
}

/**
 * Outlines a file. Returns `undefined` if its grammar cannot be loaded, since the file can be shown without it, or if
 * the file is too large to parse within the time of a read, or has few very long lines, of which a view shows the starts.
 */
export async function outlineOf(
  { path, text, language }: Outlined,
  budget?: OutlineBudget,
): Promise<Outline | undefined> {
  if (text.length > LARGEST || hasLongLines(text)) return undefined
  try {
    const { sections, ...outlined } = await outline(path, text, given({ language, budget }))
    // In broken code, a section can start before one that was found earlier.
    return { ...outlined, sections: sections.sort((one, other) => one.startLine - other.startLine) }
  } catch (error) {
    if (error instanceof TrimtabError && error.code === 'initialisation_failed') return undefined
    throw error
  }
}

/** In UTF-16 units: larger files take a grammar over a second, and hundreds of MB of memory. */
const LARGEST = 4 << 20

/** In UTF-16 units: a shorter text is outlined in a moment, however long its lines are. */
const SHORT = 100_000

/** Whether the lines of a text, as of minified code, are longer on average than a view shows of one. */
function hasLongLines(text: string): boolean {
  if (text.length <= SHORT) return false
  const most = text.length / MAX_LINE_LENGTH
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1 && lines < most; at = text.indexOf('\n', at + 1)) lines++
  return lines < most
}

/** Sections that `expand` accepts; empty if there is no outline. */
export async function sectionsOf(file: Outlined): Promise<OutlineSection[]> {
  return (await outlineOf(file))?.sections ?? []
}
