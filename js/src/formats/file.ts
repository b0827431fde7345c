import { asString } from '../base/json.js'
import { base64Of } from '../base/text.js'
import type { File } from './neutral.js'

/** A file by its URL. The data of a data URL is extracted. */
export function fileAt(url: string, mediaType = ''): File {
  const taken = dataUrl(url)
  if (taken !== undefined) return fileWith(taken.data, known(mediaType) ?? (taken.mediaType || mediaType))
  return { kind: 'file', mediaType: known(mediaType) ?? typeByName(url) ?? mediaType, url }
}

/** A file by its bytes in base64. An unknown type is detected from the first bytes. */
export function fileWith(data: string, mediaType: string): File {
  return { kind: 'file', mediaType: known(mediaType) ?? typeByStart(data) ?? mediaType, data }
}

/**
 * A file from a field that can contain base64, a data URL, an address, bytes or a `URL`, as in the AI SDK.
 */
export function fileOf(data: unknown, mediaType: string): File | undefined {
  if (data instanceof URL) return fileAt(data.href, mediaType)
  const bytes = bytesText(data)
  if (bytes !== undefined) return fileWith(bytes, mediaType)
  const text = asString(data)
  if (text === undefined) return undefined
  return /^(?:data:|https?:|gs:)/i.test(text) ? fileAt(text, mediaType) : fileWith(text, mediaType)
}

/** Bytes in base64; `undefined` for anything else. */
export function bytesText(data: unknown): string | undefined {
  const bytes = bytesOf(data)
  return bytes === undefined ? undefined : base64Of(bytes)
}

/** An image with the detail that a part of OpenAI's states, if any. */
export function withDetail(file: File, detail: unknown): File {
  return detail === 'low' || detail === 'high' ? { ...file, detail } : file
}

/** A file with its name, where `name` is a text. */
export function withName(file: File, name: unknown): File {
  return typeof name === 'string' ? { ...file, name } : file
}

/** The text of a text file. */
export function textIn({ data, mediaType, text }: File): string | undefined {
  if (text !== undefined || data === undefined || !mediaType.startsWith('text/')) return text
  try {
    const binary = atob(data)
    return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
  } catch {
    // Not base64, so its encoding is unknown.
    return undefined
  }
}

/** The URL of a file; a data URL if it has only data or text. */
export function urlOf({ data, mediaType, url, text }: File): string | undefined {
  if (data !== undefined) {
    const type = known(mediaType) ?? (mediaType === 'image/*' ? 'image/png' : 'application/octet-stream')
    return `data:${type};base64,${data}`
  }
  return (
    url ??
    (text === undefined ? undefined : `data:${mediaType};base64,${base64Of(new TextEncoder().encode(text))}`)
  )
}

/** The bytes of a file in base64. */
export function dataOf({ data, text }: File): string | undefined {
  return data ?? (text === undefined ? undefined : base64Of(new TextEncoder().encode(text)))
}

export function isImage({ mediaType }: File): boolean {
  return mediaType.startsWith('image/')
}

/** The media type, unless it is empty or a wildcard such as `image/*`. */
export function known(mediaType: string): string | undefined {
  return mediaType === '' || mediaType.endsWith('/*') ? undefined : mediaType
}

function dataUrl(url: string): { mediaType: string; data: string } | undefined {
  const comma = url.indexOf(',')
  if (comma === -1) return undefined
  const head = /^data:([^;,]*)(?:;[^;,=]+=[^;,]*)*;base64$/i.exec(url.slice(0, comma))
  return head === null ? undefined : { mediaType: head[1] ?? '', data: url.slice(comma + 1) }
}

const TYPES = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['pdf', 'application/pdf'],
])

function typeByName(url: string): string | undefined {
  return TYPES.get(/\.([a-z]+)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? '')
}

const STARTS: readonly [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi', 'application/pdf'],
]

function typeByStart(data: string): string | undefined {
  return STARTS.find(([start]) => data.startsWith(start))?.[1]
}

function bytesOf(data: unknown): Uint8Array | undefined {
  if (data instanceof Uint8Array) return data
  return data instanceof ArrayBuffer ? new Uint8Array(data) : undefined
}
