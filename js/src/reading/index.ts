import { checkOptions, checkText, countFrom, TEXT } from '../base/check.js'
import { textOf } from '../base/content.js'
import { CONVERSATION, type ConversationMessage, recentMessages } from './conversation.js'
import { linesOf } from './lines.js'
import { type CuratorPrompt, writePrompt } from './prompt.js'

export type { OutlineLanguage } from '../outline/language.js'
export type { OutlineSection, SectionKind } from '../outline/types.js'
export type { ConversationMessage } from './conversation.js'
export { conversationOf } from './conversation-of.js'
export type { Fallback } from './curate.js'
export {
  CURATOR_DEFAULTS,
  type Curator,
  type CuratorAnswer,
  type CuratorChunk,
  type CuratorRequest,
  type CuratorSettings,
} from './curator.js'
export { UNIFIED_READ_FILE_DESCRIPTION } from './descriptions.js'
export type { ReadEvent } from './events.js'
export { type ExpandOptions, expand } from './expand.js'
export { createFileReader, type FileReader, type FileReaderOptions, type ReaderFacts } from './file-reader.js'
export type { LineRange } from './line-ranges.js'
export { type Curation, parseCuration } from './parse-curation.js'
export { CURATOR_SYSTEM_PROMPT, type CuratorPrompt } from './prompt.js'
export { readFileEvents } from './read-events.js'
export { type ReadFileOptions, type ReadFileSettings, readFile, type ViewCache } from './read-file.js'
export type { NotIndexed, ReadIndex } from './read-index.js'
export type { ViewLabel } from './render.js'
export { READ_PRESETS, type ReadMode, type ReadThreshold, type ThresholdOptions } from './thresholds.js'
export type { FileView } from './view.js'

const PROMPT = { path: TEXT, content: null, conversation: CONVERSATION, recentMessages: countFrom(1) }

/**
 * Builds the prompt for a curating model. The system prompt holds the two strategies; the prompt holds the newest
 * messages, cut to 300 UTF-16 units each, and the file with line numbers. {@link parseCuration} parses the answer.
 * `readFile` with a `curator` does both.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function curatorPrompt(file: {
  path: string
  content: string | Uint8Array
  conversation?: readonly ConversationMessage[] | undefined
  recentMessages?: number | undefined
}): CuratorPrompt {
  file = checkOptions(file, PROMPT, 'curatorPrompt')
  const { path, content, conversation = [], recentMessages: count } = file
  checkText('path', path)
  return writePrompt({
    path,
    lines: linesOf(textOf(content)),
    conversation: recentMessages(conversation, count),
  })
}
