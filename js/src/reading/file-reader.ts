import { checkOptions, FUNCTION } from '../base/check.js'
import type { ConversationMessage } from './conversation.js'
import { expand } from './expand.js'
import { type ReadFileOptions, type ReadFileSettings, readFile, SETTINGS } from './read-file.js'
import type { FileView } from './view.js'

/** Shows files by settings that are made once: what `createReadTool(workspace, { reader })` takes. */
export interface FileReader {
  readFile(file: Pick<ReadFileOptions, 'path' | 'content' | 'mode' | 'signal'>): Promise<FileView>
  expand(file: { path: string; content: string | Uint8Array; section: string | number }): Promise<FileView>
}

/** Settings of {@link createFileReader}. */
export interface FileReaderOptions extends ReadFileSettings {
  /** The conversation as it is when a file is read. */
  conversation?: () => readonly ConversationMessage[]
}

/**
 * A reader with settings: thresholds, curator, cache.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function createFileReader(options: FileReaderOptions = {}): FileReader {
  checkOptions(options, { ...SETTINGS, conversation: FUNCTION }, 'createFileReader')
  const { conversation, ...settings } = options
  return {
    readFile: (file) =>
      readFile({ ...settings, ...(conversation && { conversation: conversation() }), ...file }),
    expand,
  }
}
