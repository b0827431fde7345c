import { reasonOf, TrimtabError } from '../base/error.js'
import { asRecord } from '../base/json.js'

/**
 * An error as the model is told it: without the system's codes, paths of the host's disk and names of temporary files,
 * with which it can do nothing, and with the tool's names of its arguments.
 */
export function wordsOf(error: unknown): string {
  if (!(error instanceof TrimtabError)) return plainReason(error)
  const { argument, cause, code, leftover, message } = error
  if (code === 'ill_formed_text') return withToolsName(message, argument)
  const told = cause === undefined ? message : message.replace(reasonOf(cause), () => plainReason(cause))
  // The name is known to the host: `leftover`.
  const unnamed = leftover === undefined ? told : told.replace(` ${leftover}`, '')
  return argument === 'root' ? unnamed.replace(ROOT, '$1') : unnamed
}

/** The same error in these words: what to do about it depends on its code. */
export const reworded = (error: unknown): unknown =>
  error instanceof TrimtabError
    ? new TrimtabError(error.code, wordsOf(error), { argument: error.argument })
    : wordsOf(error)

/** Description in a system's message: `EACCES: permission denied, open '/home/ana/a.txt'`. */
const SYSTEM = /^[^:]+: (.+?), [a-z]+(?: '.*)?$/s
const ROOT = /^(the workspace's root) "(?:[^"\\]|\\.)*"/

function plainReason(cause: unknown): string {
  const reason = reasonOf(cause)
  return isOfSystem(cause) ? (SYSTEM.exec(reason)?.[1] ?? reason) : reason
}

function isOfSystem(cause: unknown): boolean {
  try {
    return typeof asRecord(cause)?.syscall === 'string'
  } catch {
    return false
  }
}

/** Arguments of edits by the names that the tools give them. */
const NAMES: Record<string, string> = { text: 'content', oldString: 'old_string', newString: 'new_string' }

function withToolsName(message: string, argument = ''): string {
  const rest = message.startsWith(argument) ? message.slice(argument.length) : message
  // The model writes no program.
  return (NAMES[argument] ?? argument) + rest.replace('use toWellFormed() or ', '')
}
