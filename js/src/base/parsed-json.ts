/**
 * Parses JSON as the engine does (`src/text/json.rs`): the escape of half a surrogate pair, which models and programs
 * write for a character that was cut, is U+FFFD.
 */
export function parsedJson(json: string): unknown {
  return JSON.parse(HALF.test(json) ? json.replace(ESCAPES, whole) : json)
}

const HALF = /\\ud[89a-f]/i
/** Pairs, halves, and other escapes, so that what follows a backslash that is escaped is none. */
const ESCAPES = /\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|(ud[89a-f][\da-f]{2})|.)/gis
const whole = (found: string, half: string | undefined) => (half === undefined ? found : '\\ufffd')
