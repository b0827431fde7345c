import type { Format } from 'trimtab'
import { convertMessages } from 'trimtab/formats'

/** A chat as a file that `trimtab inspect` and this page read, and what the format has no place for. */
export function exported(
  messages: readonly object[],
  from: Format,
  to: Format,
): { text: string; lost: string[] } {
  const { messages: list, system, lost } = convertMessages(messages, to, { format: from })
  const text = JSON.stringify({ ...(system === undefined ? {} : { system }), messages: list }, null, 2)
  return { text, lost: [...new Set(lost.map(({ what }) => what))] }
}
