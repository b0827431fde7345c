import { groups } from '../base/text.js'

/** Text from files, made safe for a terminal and of known width. */

/** Replaces line breaks and control or direction characters: paths and commands can contain any of them. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u0085\u2028\u2029]+/gu, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\ufffd')
}

/**
 * The text of a file as it is, or without control and direction characters where a terminal would act on them: they could
 * set its title, hide text or write to the clipboard.
 */
export function asPrinted(text: string, stream: { isTTY?: boolean } = process.stdout): string {
  if (stream.isTTY !== true) return text
  return text.replace(/(?![\n\t]|\r\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** Width in terminal columns: 0 for combining marks, 2 for wide characters. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u

function charWidth(char: string): number {
  if (/\p{M}/u.test(char)) return 0
  return WIDE.test(char) ? 2 : 1
}

/**
 * Clips to at most `width` columns and marks the cut. `keep` is the side that matters: the end of a path, the start of
 * a command, both ends of a name.
 */
export function clip(text: string, width: number, keep: 'start' | 'end' | 'ends'): string {
  if (displayWidth(text) <= width) return text
  if (keep === 'ends') {
    const start = clip(text, Math.ceil(width / 2), 'start')
    return start.slice(0, -1) + clip(text, width - displayWidth(start) + 1, 'end')
  }
  const chars = keep === 'start' ? [...text] : [...text].reverse()
  let used = 1
  let count = 0
  for (const char of chars) {
    used += charWidth(char)
    if (used > width) break
    count += 1
  }
  const kept = chars.slice(0, count)
  return keep === 'start' ? `${kept.join('')}…` : `…${kept.reverse().join('')}`
}

export function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return align === 'left' ? text + space : space + text
}

export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${groups(number)} ${number === 1 ? singular : plural}`
}

/** Formats a token estimate, marked with `~`. */
export function tokens(number: number): string {
  return `~${groups(number)}`
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`
}
