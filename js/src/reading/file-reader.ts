import { atOnce } from '../base/at-once.js'
import { checkOptions, FUNCTION, readable } from '../base/check.js'
import { given } from '../base/json.js'
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
import { defaultThreshold } from './thresholds.js'
import type { FileView } from './view.js'

/** Shows files with fixed settings, for `createReadTool(workspace, { reader })`. */
export interface FileReader {
  readFile(
    file: Pick<
      ReadFileOptions,
      'path' | 'content' | 'encoding' | 'mode' | 'maxTokens' | 'counter' | 'signal'
    >,
  ): Promise<FileView>
  expand(file: Omit<ExpandOptions, 'language'>): Promise<FileView>
  /** What the description of a read tool says of this reader. If absent, it names no numbers and no model. */
  readonly facts?: ReaderFacts
}

/** What a reader does with files, for the description of its tool. */
export interface ReaderFacts {
  /** Maximum lines of a file shown in full, unless a glob has another threshold. */
  small: number
  /** Files of more lines are shown by structure alone. Absent: no limit. */
  large?: number | undefined
  /** Whether a model chooses what is shown of larger files. */
  hasCurator: boolean
  /** Whether the conversation decides what is shown of larger files. */
  hasConversation: boolean
  /** Whether every file is added to an index. */
  hasIndex: boolean
}

/** Settings of {@link createFileReader}. */
export interface FileReaderOptions extends ReadFileSettings {
  /** Returns the conversation at the time a file is read. */
  conversation?: (() => readonly ConversationMessage[]) | undefined
}

/**
 * Creates a reader with fixed settings: thresholds, curator, cache.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function createFileReader(options: FileReaderOptions = {}): FileReader {
  options = checkOptions(options, { ...SETTINGS, conversation: FUNCTION }, 'createFileReader')
  const { conversation, ...others } = options
  const settings = { ...others, ...checkSettings(others) }
  /** Limits `maxTokens`: a call may request less than the settings allow, but not more. */
  const withinSettings = <F extends { maxTokens?: number | undefined }>(file: F): F => {
    const { maxTokens: most = MAX_TOKENS } = settings
    return readable('file', () => {
      // What is `undefined` must not replace a setting.
      const own = given({ ...file }) as F
      return own.maxTokens !== undefined && own.maxTokens < most ? own : { ...own, maxTokens: most }
    })
  }
  const { small, large } = defaultThreshold(settings)
  return {
    facts: {
      small,
      ...given({ large }),
      hasCurator: settings.curator !== undefined,
      hasConversation: conversation !== undefined,
      hasIndex: settings.index !== undefined,
    },
    readFile: (file) =>
      readFile({
        ...settings,
        ...(conversation && { conversation: atOnce('conversation', conversation()) }),
        ...withinSettings(file),
      }),
    expand: (file) => expand({ ...given({ counter: settings.counter }), ...withinSettings(file) }),
  }
}
