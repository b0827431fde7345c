import { TrimtabError } from '../base/error.js'
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
 * the file is too large to parse within the time of a read.
 */
export async function outlineOf(
  { path, text, language }: Outlined,
  budget?: OutlineBudget,
): Promise<Outline | undefined> {
  if (text.length > LARGEST) return undefined
  try {
    const options = { ...(language && { language }), ...(budget && { budget }) }
    const { sections, ...outlined } = await outline(path, text, options)
    // In broken code, a section can start before one that was found earlier.
    return { ...outlined, sections: sections.sort((one, other) => one.startLine - other.startLine) }
  } catch (error) {
    if (error instanceof TrimtabError && error.code === 'initialisation_failed') return undefined
    throw error
  }
}

/** In UTF-16 units: larger files take a grammar over a second, and hundreds of MB of memory. */
const LARGEST = 4 << 20

/** Sections that `expand` accepts; empty if there is no outline. */
export async function sectionsOf(file: Outlined): Promise<OutlineSection[]> {
  return (await outlineOf(file))?.sections ?? []
}
