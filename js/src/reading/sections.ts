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
 * The outline of a file; `undefined` where its grammar cannot be loaded, which must not take the file away, and where the
 * file is too large to be parsed in the time of a read.
 */
export async function outlineOf(
  { path, text, language }: Outlined,
  budget?: OutlineBudget,
): Promise<Outline | undefined> {
  if (text.length > LARGEST) return undefined
  try {
    const options = { ...(language && { language }), ...(budget && { budget }) }
    const { sections, ...outlined } = await outline(path, text, options)
    // Where the code is broken, a section can begin before one that was found before it.
    return { ...outlined, sections: sections.sort((one, other) => one.startLine - other.startLine) }
  } catch (error) {
    if (error instanceof TrimtabError && error.code === 'initialisation_failed') return undefined
    throw error
  }
}

/** UTF-16 units: more takes a grammar a second and more, and hundreds of MB. */
const LARGEST = 4 << 20

/** What `expand` takes; nothing where there is no outline. */
export async function sectionsOf(file: Outlined): Promise<OutlineSection[]> {
  return (await outlineOf(file))?.sections ?? []
}
