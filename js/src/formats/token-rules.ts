import { FILE_TOKENS } from '../generated/protocol.js'

/** Width and height of an image in pixels. */
export interface ImageSize {
  width: number
  height: number
}

/** Token overhead of a format besides its texts. */
export interface TokenRules {
  /** Per message: its role and delimiters. */
  message: number
  /** Per call, in addition to its name and arguments. */
  call: number
  /** Per result. */
  result: number
  /** An image, by the provider's published rule. */
  image(size: ImageSize): number
  /** An image of any size that is to be seen in low detail; absent if the provider has no such setting. */
  lowImage?: number
}

/** Claude's own form of a call is long (measured: about 50 tokens for a call and a dozen for a result). */
export const CLAUDE_TOKENS: TokenRules = { message: 4, call: 50, result: 12, image: claudeImage }

/** OpenAI documents 3 to 4 tokens per message; its calls are short. */
export const OPENAI_TOKENS: TokenRules = { message: 4, call: 10, result: 4, image: openAiImage, lowImage: 85 }

export const GEMINI_TOKENS: TokenRules = { message: 4, call: 10, result: 4, image: geminiImage }

/** Average for a format that is sent to any of them. */
export const ANY_TOKENS: TokenRules = { message: 4, call: 25, result: 8, image: claudeImage }

/** Anthropic, "Vision": at most 1,568 pixels per side and about 1,600 tokens; width x height / 750. */
function claudeImage(size: ImageSize): number {
  const { width, height } = within(size, 1568)
  return Math.min(FILE_TOKENS, Math.ceil((width * height) / 750))
}

/**
 * OpenAI, "Images and vision": scaled to at most 2,048 pixels per side, then the shorter side to 768; 85 plus
 * 170 per square of 512. In low detail 85 for any image.
 */
function openAiImage(size: ImageSize): number {
  const fitted = within(size, 2048)
  const shorter = Math.min(fitted.width, fitted.height)
  const scale = Math.min(1, 768 / shorter)
  return 85 + 170 * squares({ width: fitted.width * scale, height: fitted.height * scale }, 512)
}

/** Gemini, "Understand and count tokens": 258 for a small image, and per square of 768 for a larger one. */
function geminiImage({ width, height }: ImageSize): number {
  return width <= 384 && height <= 384 ? 258 : 258 * squares({ width, height }, 768)
}

function within({ width, height }: ImageSize, side: number): ImageSize {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: width * scale, height: height * scale }
}

function squares({ width, height }: ImageSize, side: number): number {
  // Rounding errors of the scaling may exceed a whole side slightly.
  const along = (length: number): number => Math.ceil(length / side - 1e-9)
  return along(width) * along(height)
}
