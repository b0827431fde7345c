/** Returns 16 random hexadecimal digits: enough that no two writers choose the same. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
