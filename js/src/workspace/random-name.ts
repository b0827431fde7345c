import { hexOf } from '../base/text.js'

/** Returns 16 random hexadecimal digits: enough that no two writers choose the same. */
export function randomName(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(8)))
}
