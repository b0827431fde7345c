import type { ToolCall } from 'trimtab/tools'

/** What the user says to a call that would change files. */
export type Answer =
  | { readonly kind: 'once' }
  /** This call, and all others of the conversation. */
  | { readonly kind: 'chat' }
  | { readonly kind: 'refused'; readonly word: string }

/** Tools that change nothing: they run unasked. */
const READING = new Set(['read_file', 'read_lines', 'list_files', 'search', 'recall', 'shell'])

/** Whether a call is one that the user wants to be asked about. */
const changesFiles = ({ name }: ToolCall): boolean => !READING.has(name)

/** Says of each call why it is refused, or `null`: asks where it would change files, until all of them are allowed. */
export function asking(
  ask: (call: ToolCall) => Promise<Answer>,
  allowed: { all: boolean },
): (call: ToolCall) => Promise<string | null> {
  return async (call) => {
    if (allowed.all || !changesFiles(call)) return null
    const answer = await ask(call)
    if (answer.kind === 'refused') {
      const word = answer.word.trim()
      return word === '' ? 'the user did not allow this call.' : `the user did not allow this call: ${word}`
    }
    allowed.all ||= answer.kind === 'chat'
    return null
  }
}
