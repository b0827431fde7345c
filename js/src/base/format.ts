import type { Format } from '../generated/types.js'
import { check, oneOf } from './check.js'

const NAMES: Record<Format, true> = {
  'openai-chat': true,
  'openai-responses': true,
  anthropic: true,
  'ai-sdk': true,
  'ai-sdk-ui': true,
  gemini: true,
  langchain: true,
}

/** All wire formats. */
export const FORMATS: readonly Format[] = Object.keys(NAMES) as Format[]

/** The name of a wire format, as an option. */
export const FORMAT = oneOf(FORMATS)

/** The argument, if it is the name of a wire format. */
export function checkFormat(argument: string, value: unknown): Format {
  return check(argument, value, FORMAT)
}
