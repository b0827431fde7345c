import { reasonOf } from '../base/error.js'
import { wellFormed } from '../base/text.js'

/** Why a file could not be read, without its path, which already precedes the error. */
export function ownReason(path: string, error: unknown): string {
  const text = reasonOf(error)
  const own = `${path}: `
  return text.startsWith(own) ? text.slice(own.length) : text
}

/** What a read of several files says of one that could not be read. */
export function failedRead(file: { path: string; error?: unknown }): string {
  return wellFormed(`=== ${file.path} ===\nError: ${ownReason(file.path, file.error)}`)
}
