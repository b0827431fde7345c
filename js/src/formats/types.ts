import type { Format } from '../generated/types.js'

/** Content that the other format cannot express. `index` is its message. */
export interface LostItem {
  index: number
  what: string
}

/** A conversation in another format, and the content that this format cannot express. */
export interface ConvertedMessages {
  messages: object[]
  lost: LostItem[]
  /**
   * For Anthropic and Gemini, which take the system prompt outside the messages: the text of the system
   * messages.
   */
  system?: string
}

/** Options of {@link convertMessages}. */
export interface ConvertOptions {
  /** The format of `messages`; detected from the structure by default. */
  format?: Format | undefined
  /** A system prompt separate from `messages`; if the target has it among the messages, it becomes the first one. */
  system?: string | undefined
}
