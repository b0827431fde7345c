import { codecOf } from '../formats/codecs.js'
import { FILE_TOKENS } from '../generated/protocol.js'
import type { Format } from '../generated/types.js'
import { imageSize } from './image-size.js'

/** Tokens of an image in base64, by the published rule of the format's provider. */
export function imageTokens(base64: string, format: Format): number {
  const size = imageSize(base64)
  return size === undefined ? FILE_TOKENS : codecOf(format).tokens.image(size)
}
