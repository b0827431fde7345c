import { isRecord, type JsonRecord } from '../base/json.js'

// How content is marked as ephemeral, in every form that hosts and older programs use.

/** Whether a field marks the object that has it. */
export const isMark = (key: string, value: unknown): boolean =>
  value === true && (key === 'ephemeral' || key === '_ephemeral' || key === 'ephemeralMarker')

/** Whether any of a plain JSON value is marked as ephemeral. */
export function isMarked(value: unknown): boolean {
  if (typeof value === 'string') return isMarkedResult(value)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(isMarked)
  const fields = value as JsonRecord
  return Object.keys(fields).some((key) => isMark(key, fields[key]) || isMarked(fields[key]))
}

/**
 * Adds `metadata.ephemeral` to a message marked in another form of document "ReadTool": by a field of the message, in
 * its metadata, or in the JSON of its content.
 */
export function markEphemeral<M extends object>(message: M): M {
  const { _ephemeral, _ephemeral_warning, ...kept } = message as JsonRecord
  const metadata = isRecord(kept.metadata) ? kept.metadata : {}
  const isResult = kept.role === 'tool' || kept.type === 'tool'
  const hasOtherMark =
    _ephemeral === true || metadata.ephemeralMarker === true || (isResult && isMarkedResult(kept.content))
  return hasOtherMark ? ({ ...kept, metadata: { ...metadata, ephemeral: true } } as object as M) : message
}

/** Whether a content is the JSON of a result that marks itself as ephemeral. */
export function isMarkedResult(content: unknown): boolean {
  // Most texts are no JSON of an object, and their start shows it without a search through all of them.
  if (typeof content !== 'string' || !/^\s*\{/.test(content) || !content.includes('"_ephemeral"'))
    return false
  try {
    const result: unknown = JSON.parse(content)
    return isRecord(result) && result._ephemeral === true
  } catch {
    return false
  }
}
