import type { Format } from '../generated/types.js'
import { type ImageSize, imageSize } from './image-size.js'

/** An image whose size is not known, or any other file: as in the engine. */
export const FILE_TOKENS = 1600

/** Tokens of an image in base64, by the rule that the provider of the format publishes. */
export function imageTokens(base64: string, format: Format): number {
  const size = imageSize(base64)
  return size === undefined ? FILE_TOKENS : RULES[format](size)
}

/** Anthropic, "Vision": at most 1,568 pixels a side and some 1,600 tokens; width x height / 750. */
function anthropic(size: ImageSize): number {
  const { width, height } = within(size, 1568)
  return Math.min(FILE_TOKENS, Math.ceil((width * height) / 750))
}

/** OpenAI, "Images and vision": within 2,048, the shorter side 768; 85 and 170 for each square of 512. */
function openAi(size: ImageSize): number {
  const fitted = within(size, 2048)
  const shorter = Math.min(fitted.width, fitted.height)
  const scale = Math.min(1, 768 / shorter)
  return 85 + 170 * squares({ width: fitted.width * scale, height: fitted.height * scale }, 512)
}

/** Gemini, "Understand and count tokens": 258 for a small image, and for each square of 768 of a larger one. */
function gemini({ width, height }: ImageSize): number {
  return width <= 384 && height <= 384 ? 258 : 258 * squares({ width, height }, 768)
}

const RULES: Record<Format, (size: ImageSize) => number> = {
  anthropic,
  'openai-chat': openAi,
  'openai-responses': openAi,
  gemini,
  // Sent to any of them.
  'ai-sdk': anthropic,
  'ai-sdk-ui': anthropic,
  langchain: anthropic,
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
