import { checkOptions, FUNCTION, readable } from '../base/check.js'
import { MAX_TOKENS } from '../generated/protocol.js'
import type { ConversationMessage } from './conversation.js'
import { type ExpandOptions, expand } from './expand.js'
import {
  checkSettings,
  type ReadFileOptions,
  type ReadFileSettings,
  readFile,
  SETTINGS,
} from './read-file.js'
import type { FileView } from './view.js'

/** Shows files with fixed settings, for `createReadTool(workspace, { reader })`. */
export interface FileReader {
  readFile(
    file: Pick<ReadFileOptions, 'path' | 'content' | 'encoding' | 'mode' | 'maxTokens' | 'signal'>,
  ): Promise<FileView>
  expand(file: Omit<ExpandOptions, 'language'>): Promise<FileView>
}

/** Settings of {@link createFileReader}. */
export interface FileReaderOptions extends ReadFileSettings {
  /** Returns the conversation at the time a file is read. */
  conversation?: () => readonly ConversationMessage[]
}

/**
 * Creates a reader with fixed settings: thresholds, curator, cache.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function createFileReader(options: FileReaderOptions = {}): FileReader {
  options = checkOptions(options, { ...SETTINGS, conversation: FUNCTION }, 'createFileReader')
  const { conversation, ...given } = options
  const settings = { ...given, ...checkSettings(given) }
  /** Limits `maxTokens`: a call may request less than the settings allow, but not more. */
  const withinSettings = <F extends { maxTokens?: number }>(file: F): F => {
    const { maxTokens = MAX_TOKENS } = settings
    return readable('file', () =>
      file?.maxTokens !== undefined && file.maxTokens < maxTokens ? file : { ...file, maxTokens },
    )
  }
  return {
    readFile: (file) =>
      readFile({
        ...settings,
        ...(conversation && { conversation: conversation() }),
        ...withinSettings(file),
      }),
    expand: (file) => expand(withinSettings(file)),
  }
}
