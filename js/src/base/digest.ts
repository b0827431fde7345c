/** SHA-256 of bytes, as 64 hexadecimal digits. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
