import type { Format } from '../generated/types.js'

/** Something that the other format has no place for. `index` is the message it was in. */
export interface LostItem {
  index: number
  what: string
}

/** A conversation in another format, and what that format has no place for. */
export interface ConvertedMessages {
  messages: object[]
  lost: LostItem[]
  /** Anthropic and Gemini take the system prompt beside the messages: what the system messages said. */
  system?: string
}

/** Options of {@link convertMessages}. */
export interface ConvertOptions {
  /** The format of `messages`; detected by structure when absent. */
  format?: Format
  /** A system prompt that stands beside `messages`; where messages hold it, it becomes the first one. */
  system?: string
}
