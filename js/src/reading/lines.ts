import { linesOf as linesOfText } from '../base/lines.js'

const BYTE_ORDER_MARK = /^\ufeff/

/** Lines of a file without their line ends and without a byte order mark. */
export function linesOf(text: string): string[] {
  return linesOfText(text.replace(BYTE_ORDER_MARK, ''))
}
