import { TrimtabError } from './error.js'

/** UTF-16 units of a value that a message shows. */
const MOST_SHOWN = 100

/** A value as a message names it: a text can be told from a number, and an object may have no text, or one that throws. */
export function shown(value: unknown): string {
  const text = asJson(value) ?? asText(value)
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`
}

/** Texts, lists and plain objects; other objects say more by their own text. */
function asJson(value: unknown): string | undefined {
  const isPlain =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  try {
    return isPlain || typeof value === 'string' || Array.isArray(value) ? JSON.stringify(value) : undefined
  } catch {
    // A circle, or a number that JSON does not have.
    return undefined
  }
}

function asText(value: unknown): string {
  try {
    return String(value)
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
