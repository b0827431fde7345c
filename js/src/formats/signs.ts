import { asString, type JsonRecord, recordsOf } from '../base/json.js'

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Why a message without a role that agents know is none; nothing where it has one. */
export function unknownRole({ role }: JsonRecord): string | undefined {
  return ROLES.has(asString(role) ?? '') ? undefined : `unknown role ${JSON.stringify(role ?? null)}`
}

/** Whether a message has a part in its content that `isOwn`: by its type, and by what else is in it. */
export function hasPart(
  { content, parts, role }: JsonRecord,
  isOwn: (type: string, part: JsonRecord) => boolean,
): boolean {
  if (typeof role !== 'string' || role === 'function' || Array.isArray(parts)) return false
  return recordsOf(content).some((part) => isOwn(asString(part.type) ?? '', part))
}

/** Whether the parts of a message say by their type what they are. */
export function hasTypedPart({ parts }: JsonRecord): boolean {
  return recordsOf(parts).some(({ type }) => typeof type === 'string')
}
