import { asString, type JsonRecord, recordsOf } from '../base/json.js'

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** A message's unknown role, as text; `undefined` if the role is known. */
export function unknownRole({ role }: JsonRecord): string | undefined {
  return ROLES.has(asString(role) ?? '') ? undefined : `unknown role ${JSON.stringify(role ?? null)}`
}

/** Whether the content of a message has a part for which `isOwn` is true, given its type and its fields. */
export function hasPart(
  { content, parts, role }: JsonRecord,
  isOwn: (type: string, part: JsonRecord) => boolean,
): boolean {
  if (typeof role !== 'string' || role === 'function' || Array.isArray(parts)) return false
  return recordsOf(content).some((part) => isOwn(asString(part.type) ?? '', part))
}

/** Whether the parts of a message have a `type`. */
export function hasTypedPart({ parts }: JsonRecord): boolean {
  return recordsOf(parts).some(({ type }) => typeof type === 'string')
}
