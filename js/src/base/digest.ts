import { sha256 } from './sha256.js'
import { hexOf } from './text.js'

/**
 * FNV-1a of a text's UTF-16 units, 32 bits. Only distinguishes a few texts of one host; not collision
 * resistant.
 */
export function checksum(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** SHA-256 of bytes, as 64 hexadecimal digits. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = isSecure()
    ? new Uint8Array(await crypto.subtle.digest('SHA-256', unshared(bytes)))
    : sha256(bytes)
  return hexOf(hash)
}

/** Whether the browser's digest is there: not in pages that are served without encryption. */
const isSecure = () => (crypto as Partial<Crypto>).subtle !== undefined

/** The digest refuses shared memory, which another thread could change meanwhile. */
const unshared = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
