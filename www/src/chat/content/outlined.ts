// Views of a file by its outline: in a worker, as a large file takes some hundred milliseconds; in the page where a model chooses.
import type { Format } from 'trimtab'
import { detectLanguage, loadGrammar } from 'trimtab/outline'
import { conversationOf, type FileView, type ReadFileOptions, readFile } from 'trimtab/reading'
import { startFiles } from '../../engine/files.js'

/** A file, and how it is shown. */
export interface Outlined {
  readonly path: string
  readonly content: string
  readonly mode: 'structure' | 'curated'
  /** What was said before the read. */
  readonly before: readonly object[]
  readonly format: Format
}

/** @param more Who chooses lines in place of the outline. */
export async function outlined(
  { path, content, mode, before, format }: Outlined,
  more: Partial<ReadFileOptions> = {},
): Promise<FileView> {
  await Promise.all([startFiles(), loadGrammar(detectLanguage(path, content))])
  if (mode === 'structure') return readFile({ path, content, mode, ...more })
  return readFile({ path, content, mode, conversation: conversationOf(before, { format }), ...more })
}
