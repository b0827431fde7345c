import type { Format } from '../generated/types.js'

/** Something that the other format cannot express. `index` is its message. */
export interface LostItem {
  index: number
  what: string
}

/** A conversation in another format, and what that format cannot express. */
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
  /** A system prompt separate from `messages`; if the target has it among the messages, it becomes the first one. */
  system?: string
}
