import { isRecord, type JsonRecord } from '../base/json.js'
import {
  ASIDE_ARGUMENTS,
  FILES_ARGUMENTS,
  LINE_ARGUMENTS,
  PATH_ARGUMENTS,
  PLAIN_WAYS,
  WAY_ARGUMENTS,
} from '../generated/arguments.js'

const KNOWN: ReadonlySet<string> = new Set([...PATH_ARGUMENTS, ...FILES_ARGUMENTS, ...LINE_ARGUMENTS])
const WAYS: ReadonlySet<string> = new Set(WAY_ARGUMENTS)
const PLAIN: ReadonlySet<string> = new Set(PLAIN_WAYS)

/**
 * Whether a read has an argument of unknown meaning: it may ask for a part, a page, or the file of another version or
 * host. src/message/arguments/keys.rs does the same.
 */
export function asksForOther(args: JsonRecord | string): boolean {
  if (typeof args === 'string') return false
  const known = answers.get(args)
  if (known !== undefined) return known
  const answer = hasOther(args)
  answers.set(args, answer)
  return answer
}

/** A call that names many files is asked about for each. */
const answers = new WeakMap<JsonRecord, boolean>()

function hasOther(args: JsonRecord): boolean {
  const isOther = ([name, value]: [string, unknown]) => !KNOWN.has(name) && !showsTheSame(name, value)
  const fields = Object.entries(args)
  if (fields.some(isOther)) return true
  const files = fields.flatMap(([name, value]) => (KNOWN.has(name) && Array.isArray(value) ? value : []))
  return files.some((file) => isRecord(file) && asksForOther(file))
}

function showsTheSame(name: string, value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === '') return true
  if (typeof value === 'string' && PLAIN.has(value) && WAYS.has(name)) return true
  return name.startsWith('timeout') || ASIDE_ARGUMENTS.some((aside) => name.endsWith(aside))
}
