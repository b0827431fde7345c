import { TrimtabError } from './error.js'

/** A value as a message names it: a text can be told from a number, and an object may have no text, or one that throws. */
export function shown(value: unknown): string {
  try {
    return typeof value === 'string' ? JSON.stringify(value) : String(value)
  } catch {
    return 'an object without a text'
  }
}

/** Refuses an argument, saying what is allowed. */
export function refuseOption(argument: string, allowed: string, found: unknown): never {
  throw new TrimtabError('invalid_option', `${argument} must be ${allowed}, found ${shown(found)}`, {
    argument,
  })
}

/** A number of tokens, seconds or units of money. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
