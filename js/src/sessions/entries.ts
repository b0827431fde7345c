import { isRecord } from '../base/json.js'
import { migrateSession, SESSION_VERSION, unsupported } from './migrate.js'
import type { Json, JsonObject } from './plain.js'
import { unreadable } from './stores/errors.js'

/** Content of a session after all its entries are applied: plain JSON that is never modified by others. */
export interface Content {
  messages: Json[]
  /** All fields except the history and the version. */
  fields: JsonObject
}

/** Stored form of an addition to a session (docs/guides/sessions.md). */
interface AppendEntry {
  type: 'append'
  version: number
  /** Number of messages before the addition. */
  from: number
  messages: Json[]
  /** Changed fields. */
  set?: JsonObject
  /** Removed fields. */
  unset?: string[]
}

export function checkpointEntry({ messages, fields }: Content): string {
  const session = { ...fields, version: SESSION_VERSION, history: messages }
  return JSON.stringify({ type: 'checkpoint', session })
}

export interface Added {
  /** Number of entries that did not follow the entry before them. */
  merged: number
  /** UTF-16 units of the entries that set fields: an upper bound on what later entries replace. */
  replaced: number
}

export function appendEntry(addition: Omit<AppendEntry, 'type' | 'version'>): string {
  return JSON.stringify({ type: 'append', version: SESSION_VERSION, ...addition } satisfies AppendEntry)
}

/** Returns a checkpoint's session as it was stored, of any version. */
function readCheckpoint(id: string, text: string): JsonObject {
  const entry = parse(id, text, 1)
  const { session } = entry
  if (entry.type !== 'checkpoint' || !isRecord(session))
    throw unreadable(id, 'its first entry is not a checkpoint')
  return session
}

/** Returns a checkpoint's session, migrated to the current version. */
export function contentOf(id: string, checkpoint: string): Content {
  const { version: _, history, ...fields } = migrateSession(readCheckpoint(id, checkpoint))
  return { messages: [...(history as readonly Json[])], fields: fields as JsonObject }
}

/** Applies entries to `content`, in order. */
export function addEntries(id: string, content: Content, texts: readonly string[]): Added {
  const added = { merged: 0, replaced: 0 }
  for (const [i, text] of texts.entries()) {
    const entry = parse(id, text, i + 2)
    if (entry.version !== SESSION_VERSION) unsupported(entry.version)
    const { from, messages, set = {}, unset = [] } = entry
    if (entry.type !== 'append' || !Array.isArray(messages) || !isRecord(set) || !Array.isArray(unset)) {
      throw unreadable(id, `entry ${i + 2} has an unknown form`)
    }
    const wrong = messages.findIndex((message) => !isRecord(message))
    if (wrong >= 0) throw unreadable(id, `messages[${wrong}] of entry ${i + 2} is not an object`)
    if (from !== content.messages.length) added.merged++
    if (entry.set !== undefined) added.replaced += text.length
    for (const message of messages) content.messages.push(message)
    for (const name of unset) delete content.fields[String(name)]
    Object.assign(content.fields, set)
  }
  return added
}

function parse(id: string, text: string, number: number): JsonObject {
  try {
    const entry: unknown = JSON.parse(text)
    if (isRecord<Json>(entry)) return entry
  } catch {
    // Reported below.
  }
  throw unreadable(id, `entry ${number} is not the JSON of an object`)
}
