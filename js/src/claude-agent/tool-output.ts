import { asRecord, asString, isArray, type JsonRecord, recordsOf } from '../base/json.js'

/** The text that the model is shown of what a tool of Claude Code's answered, and the answer with another one in its place. */
export interface ToolOutput {
  text: string
  with(text: string): unknown
}

/** Where a text stands: `Bash`, searches, `WebFetch`. */
const FIELDS = ['stdout', 'content', 'result']

/**
 * The text of an answer; `undefined` where it is none, or holds more than text. Claude Code takes a changed answer only in the
 * shape that its tool gives.
 */
export function toolOutput(response: unknown): ToolOutput | undefined {
  if (typeof response === 'string') return { text: response, with: (text) => text }
  if (isArray(response)) return ofParts(response)
  const record = asRecord(response)
  if (record === undefined) return undefined
  const file = asRecord(record.file)
  if (file !== undefined) return ofField(file, 'content', (changed) => ({ ...record, file: changed }))
  const field = FIELDS.find((name) => record[name] !== undefined)
  if (field === undefined) return undefined
  if (!isArray(record[field])) return ofField(record, field, (changed) => changed)
  const inner = ofParts(record[field])
  return inner && { text: inner.text, with: (text) => ({ ...record, [field]: inner.with(text) }) }
}

function ofField(
  record: JsonRecord,
  field: string,
  put: (changed: JsonRecord) => unknown,
): ToolOutput | undefined {
  const text = asString(record[field])
  return text === undefined ? undefined : { text, with: (other) => put({ ...record, [field]: other }) }
}

function ofParts(parts: readonly unknown[]): ToolOutput | undefined {
  const texts = recordsOf(parts).flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  )
  if (texts.length === 0 || texts.length < parts.length) return undefined
  return { text: texts.join('\n'), with: (text) => [{ type: 'text', text }] }
}
