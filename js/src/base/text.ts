/** Returns a text with U+FFFD in place of each half of a surrogate pair, as encoders write it. */
export function wellFormed(text: string): string {
  // Of ES2024, and many times as fast as the expression.
  return (text as { toWellFormed?(): string }).toWellFormed?.() ?? text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Returns the first `units` UTF-16 units of a text, without half of a surrogate pair at the end. */
export function cut(text: string, units: number): string {
  return text.length <= units ? text : text.slice(0, units).replace(/\p{Surrogate}$/u, '')
}

/** Returns a text of more than `units` UTF-16 units cut, with a mark of the cut. */
export function shortened(text: string, units: number, mark = '…'): string {
  return text.length <= units ? text : cut(text, units) + mark
}

/** A number of things, as in `1 line` and `2 lines`. */
export function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** Groups digits, as in `12,345`, independent of the locale. */
export function groups(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Bytes as hexadecimal digits. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Bytes read at a time: the arguments of a call are limited. */
const PORTION = 0x8000

export function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (let from = 0; from < bytes.length; from += PORTION) {
    binary += String.fromCharCode(...bytes.subarray(from, from + PORTION))
  }
  return btoa(binary)
}

/** Replaces line ends and runs of white space with single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

const utf8 = new TextEncoder()

/** UTF-8 bytes of a text. */
export function utf8Length(text: string): number {
  return utf8.encode(text).length
}
