import { linesOf as linesOfText } from '../base/lines.js'

const BYTE_ORDER_MARK = /^\ufeff/

/** The lines of a file without their ends; a byte order mark is none of its text. */
export function linesOf(text: string): string[] {
  return linesOfText(text.replace(BYTE_ORDER_MARK, ''))
}
