import type { Format } from 'trimtab'
import { convertMessages } from 'trimtab/formats'

/**
 * Returns a chat as the text of a file that `trimtab inspect` and this page can read, and what the format cannot
 * represent.
 */
export function exported(
  messages: readonly object[],
  from: Format,
  to: Format,
): { text: string; lost: string[] } {
  const { messages: list, system, lost } = convertMessages(messages, to, { format: from })
  const text = JSON.stringify({ ...(system === undefined ? {} : { system }), messages: list }, null, 2)
  return { text, lost: [...new Set(lost.map(({ what }) => what))] }
}
