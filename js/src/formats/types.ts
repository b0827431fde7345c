/** Something that the other format has no place for. `index` is the message it was in. */
export interface LostItem {
  index: number
  what: string
}

export interface ConvertedMessages {
  messages: object[]
  lost: LostItem[]
  /** Anthropic and Gemini take the system prompt beside the messages: what the system messages said. */
  system?: string
}

export interface ConvertOptions {
  /** A system prompt that stands beside `messages`; where messages hold it, it becomes the first one. */
  system?: string
}
