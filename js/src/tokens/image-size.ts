import type { ImageSize } from '../formats/token-rules.js'

/** Characters of base64 in which a header is searched: cameras put previews before a JPEG's size. */
const SEARCHED_CHARS = 128 << 10

/** Reads the size of a PNG, GIF, WebP or JPEG in base64 from its header; `undefined` for anything else. */
export function imageSize(base64: string): ImageSize | undefined {
  const bytes = decoded(base64.slice(0, SEARCHED_CHARS))
  const size = pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes)
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
}

function decoded(base64: string): DataView {
  const clean = base64.replace(/[^A-Za-z0-9+/]/g, '')
  const text = atob(clean.slice(0, clean.length - (clean.length % 4)))
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0))
  return new DataView(bytes.buffer)
}

function starts(bytes: DataView, at: number, text: string): boolean {
  if (bytes.byteLength < at + text.length) return false
  return [...text].every((char, index) => bytes.getUint8(at + index) === char.charCodeAt(0))
}

function pngSize(bytes: DataView): ImageSize | undefined {
  if (!starts(bytes, 0, '\x89PNG') || bytes.byteLength < 24) return undefined
  return { width: bytes.getUint32(16), height: bytes.getUint32(20) }
}

function gifSize(bytes: DataView): ImageSize | undefined {
  if (!starts(bytes, 0, 'GIF8') || bytes.byteLength < 10) return undefined
  return { width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) }
}

/** The three variants of WebP: extended, lossless, lossy. */
function webpSize(bytes: DataView): ImageSize | undefined {
  if (!starts(bytes, 0, 'RIFF') || !starts(bytes, 8, 'WEBP') || bytes.byteLength < 30) return undefined
  if (starts(bytes, 12, 'VP8X')) return { width: 1 + uint24(bytes, 24), height: 1 + uint24(bytes, 27) }
  if (starts(bytes, 12, 'VP8L')) {
    const bits = bytes.getUint32(21, true)
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) }
  }
  return { width: bytes.getUint16(26, true) & 0x3fff, height: bytes.getUint16(28, true) & 0x3fff }
}

function uint24(bytes: DataView, at: number): number {
  return bytes.getUint16(at, true) + (bytes.getUint8(at + 2) << 16)
}

/** Finds the frame header, which follows segments of any length. */
function jpegSize(bytes: DataView): ImageSize | undefined {
  if (!starts(bytes, 0, '\xff\xd8')) return undefined
  for (let at = 2; at + 9 <= bytes.byteLength; ) {
    if (bytes.getUint8(at) !== 0xff) return undefined
    const marker = bytes.getUint8(at + 1)
    // C4, C8 and CC are tables and extensions, not frames.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5) }
    at += marker === 0xff ? 1 : 2 + bytes.getUint16(at + 2)
  }
  return undefined
}
