import type { ToolCall } from 'trimtab/tools'

/** The user's answer to a call that would change files. */
export type Answer =
  | { readonly kind: 'once' }
  /** Allows this call and all later ones of the conversation. */
  | { readonly kind: 'chat' }
  | { readonly kind: 'refused'; readonly word: string }

/** Tools that change nothing: they run without approval. */
const READING = new Set(['read_file', 'read_lines', 'list_files', 'search', 'recall', 'shell'])

/** Returns whether a call can change files and needs approval. */
const changesFiles = ({ name }: ToolCall): boolean => !READING.has(name)

/**
 * Returns a function that asks the user about each call that would change files, until all are allowed. It returns the
 * reason for refusing the call, or `null`.
 */
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
