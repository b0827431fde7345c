const utf8 = new TextEncoder()

/** The engine estimates tokens by UTF-8 bytes, so many for one. */
export const BYTES_PER_TOKEN = 3.5

/** UTF-8 bytes of a text. */
export function utf8Length(text: string): number {
  return utf8.encode(text).length
}

/** Tokens of a text, estimated as the engine does. */
export function estimateByBytes(text: string): number {
  return Math.ceil(utf8Length(text) / BYTES_PER_TOKEN)
}
