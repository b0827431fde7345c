import type { JsonRecord } from '../base/json.js'
import { CODECS, codecOf } from '../formats/codecs.js'
import { unknownRole } from '../formats/signs.js'
import type { Format } from '../generated/types.js'

/** The format that a message can only be of; none where it fits several, or is no message. */
export function formatOf(message: JsonRecord): Format | undefined {
  const known = CODECS.find((codec) => codec.recognises(message))
  return (known ?? CODECS.find((codec) => codec.accepts?.(message) === true))?.format
}

/** Why a message cannot be one of `format`, in words; none where it can. */
export function misfit(message: JsonRecord, format: Format): string | undefined {
  return (codecOf(format).misfit ?? unknownRole)(message)
}
