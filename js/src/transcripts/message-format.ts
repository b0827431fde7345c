import type { JsonRecord } from '../base/json.js'
import { CODECS, codecOf } from '../formats/codecs.js'
import { unknownRole } from '../formats/signs.js'
import type { Format } from '../generated/types.js'

/** Returns the only format that a message fits; `undefined` if it fits several, or is not a message. */
export function formatOf(message: JsonRecord): Format | undefined {
  const known = CODECS.find((codec) => codec.recognises(message))
  return (known ?? CODECS.find((codec) => codec.accepts?.(message) === true))?.format
}

/** Describes why a message is not valid in `format`; `undefined` if it is. */
export function misfit(message: JsonRecord, format: Format): string | undefined {
  return (codecOf(format).misfit ?? unknownRole)(message)
}
