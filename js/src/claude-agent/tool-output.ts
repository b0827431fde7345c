import { asRecord, asString, isArray, type JsonRecord, recordsOf } from '../base/json.js'

/** The text that the model sees of a Claude Code tool's response, and a function that replaces it. */
export interface ToolOutput {
  text: string
  with(text: string): unknown
}

/** Fields that contain the text: of `Bash`, searches, `WebFetch`. */
const FIELDS = ['stdout', 'content', 'result']

/**
 * Finds the text of a response that the model sees; `undefined` if it has none, or has more than text. Claude Code
 * accepts a changed response only in its tool's own form.
 */
export function toolOutput(response: unknown): ToolOutput | undefined {
  if (typeof response === 'string') return { text: response, with: (text) => text }
  if (isArray(response)) return ofParts(response)
  const record = asRecord(response)
  // An image that a command printed; of a write, the model sees only that it was made.
  if (record === undefined || record.isImage === true || record.filePath !== undefined) return undefined
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
