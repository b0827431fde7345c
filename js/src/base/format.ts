import { FORMATS as NAMES } from '../generated/protocol.js'
import type { Format } from '../generated/types.js'
import { check, oneOf } from './check.js'

/** All wire formats. */
export const FORMATS: readonly Format[] = NAMES

/** The name of a wire format, as an option. */
export const FORMAT = oneOf(FORMATS)

/** Returns the argument if it is the name of a wire format; throws otherwise. */
export function checkFormat(argument: string, value: unknown): Format {
  return check(argument, value, FORMAT)
}
