import { TrimtabError } from './error.js'

/**
 * Refuses what is no text, and text with half of a surrogate pair: no file can hold it, and encoding it would put U+FFFD
 * in its place without a word.
 */
export function checkText(argument: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') {
    const found = value === null ? 'null' : typeof value
    throw new TrimtabError('invalid_option', `${argument} must be a string, found ${found}`, { argument })
  }
  const at = value.search(/\p{Surrogate}/u)
  if (at === -1) return
  const advice = 'a file cannot hold it; use toWellFormed() or send the whole character'
  const message = `${argument} has half of a surrogate pair at position ${at}: ${advice}`
  throw new TrimtabError('ill_formed_text', message, { argument })
}
