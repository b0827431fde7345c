// Views of a file by its outline. Runs in a worker, as a large file takes some hundred milliseconds; in the page if a
// model selects the lines.
import type { Format } from 'trimtab'
import { detectLanguage, loadGrammar } from 'trimtab/outline'
import { conversationOf, type FileView, type ReadFileOptions, readFile } from 'trimtab/reading'
import { startFiles } from '../../engine/files.js'

/** A file and its view mode. */
export interface Outlined {
  readonly path: string
  readonly content: string
  readonly mode: 'structure' | 'curated'
  /** The messages before the read. */
  readonly before: readonly object[]
  readonly format: Format
}

/** @param more The curator that selects lines in place of the outline. */
export async function outlined(
  { path, content, mode, before, format }: Outlined,
  more: Partial<ReadFileOptions> = {},
): Promise<FileView> {
  await Promise.all([startFiles(), loadGrammar(detectLanguage(path, content))])
  if (mode === 'structure') return readFile({ path, content, mode, ...more })
  return readFile({ path, content, mode, conversation: conversationOf(before, { format }), ...more })
}
