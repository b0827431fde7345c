import { TrimtabError } from '../base/error.js'
import { isRecord } from '../base/json.js'
import type { Format } from '../generated/types.js'
import { cleanupEphemeralMessages } from '../recipes/cleanup.js'
import { isMarked, markEphemeral } from './marks.js'
import { type Json, mapFields } from './plain.js'

/** Returns the messages without ephemeral content, as they may be saved. */
export function withoutEphemeral<M extends object>(history: readonly M[], format: unknown): readonly M[] {
  const marked = history.map((message) => markEphemeral(message))
  return cleanupEphemeralMessages(marked, format === undefined ? {} : { format: format as Format })
}

/** Removes the ephemeral content of all messages in a plain value, wherever they are. */
export function withoutEphemeralIn(value: Json, format: unknown): Json {
  if (!isMarked(value) || typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value))
    return cleaned([value], format)?.[0] ?? mapFields(value, (field) => withoutEphemeralIn(field, format))
  const list = value.every(isRecord) ? cleaned(value, format) : null
  return list ?? value.map((item) => withoutEphemeralIn(item, format))
}

/** Returns messages without ephemeral content; `null` if they are no messages of one format. */
function cleaned(list: Json[], format: unknown): Json[] | null {
  for (const one of new Set([format, undefined])) {
    try {
      return withoutEphemeral(list as object[], one) as Json[]
    } catch (error) {
      if (!(error instanceof TrimtabError)) throw error
    }
  }
  return null
}
