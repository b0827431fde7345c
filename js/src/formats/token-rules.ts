import { FILE_TOKENS } from '../generated/protocol.js'

/** Width and height of an image in pixels. */
export interface ImageSize {
  width: number
  height: number
}

/** What a format costs beside its texts, in tokens. */
export interface TokenRules {
  /** Around a message: its role, its marks. */
  message: number
  /** Around a call's name and arguments. */
  call: number
  /** Around a result. */
  result: number
  /** An image, by the rule that the provider publishes. */
  image(size: ImageSize): number
}

/** Claude's own form of a call is long (measured: some 50 tokens for a call and a dozen for a result). */
export const CLAUDE_TOKENS: TokenRules = { message: 4, call: 50, result: 12, image: claudeImage }

/** OpenAI names 3 to 4 tokens for a message, and its calls are short. */
export const OPENAI_TOKENS: TokenRules = { message: 4, call: 10, result: 4, image: openAiImage }

export const GEMINI_TOKENS: TokenRules = { message: 4, call: 10, result: 4, image: geminiImage }

/** Of a format that is sent to any of them. */
export const ANY_TOKENS: TokenRules = { message: 4, call: 25, result: 8, image: claudeImage }

/** Anthropic, "Vision": at most 1,568 pixels a side and some 1,600 tokens; width x height / 750. */
function claudeImage(size: ImageSize): number {
  const { width, height } = within(size, 1568)
  return Math.min(FILE_TOKENS, Math.ceil((width * height) / 750))
}

/** OpenAI, "Images and vision": within 2,048, the shorter side 768; 85 and 170 for each square of 512. */
function openAiImage(size: ImageSize): number {
  const fitted = within(size, 2048)
  const shorter = Math.min(fitted.width, fitted.height)
  const scale = Math.min(1, 768 / shorter)
  return 85 + 170 * squares({ width: fitted.width * scale, height: fitted.height * scale }, 512)
}

/** Gemini, "Understand and count tokens": 258 for a small image, and for each square of 768 of a larger one. */
function geminiImage({ width, height }: ImageSize): number {
  return width <= 384 && height <= 384 ? 258 : 258 * squares({ width, height }, 768)
}

function within({ width, height }: ImageSize, side: number): ImageSize {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: width * scale, height: height * scale }
}

function squares({ width, height }: ImageSize, side: number): number {
  // Scaling leaves a hair over whole sides.
  const along = (length: number): number => Math.ceil(length / side - 1e-9)
  return along(width) * along(height)
}
