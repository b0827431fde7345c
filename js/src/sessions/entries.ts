import { isRecord } from '../base/json.js'
import { migrateSession, SESSION_VERSION, unsupported } from './migrate.js'
import type { Json } from './plain.js'
import { unreadable } from './stores/errors.js'

export type JsonObject = { [key: string]: Json }

/** A session as its entries make it: plain JSON that nobody changes. */
export interface Content {
  messages: Json[]
  /** Everything but the history and the version. */
  fields: JsonObject
}

/** What was added to a session, as it is stored (docs/guides/sessions.md). */
interface AppendEntry {
  type: 'append'
  version: number
  /** How many messages there were. */
  from: number
  messages: Json[]
  /** Fields that changed. */
  set?: JsonObject
  /** Fields that are gone. */
  unset?: string[]
}

export function checkpointEntry({ messages, fields }: Content): string {
  const session = { ...fields, version: SESSION_VERSION, history: messages }
  return JSON.stringify({ type: 'checkpoint', session })
}

export interface Added {
  /** How many entries did not follow on the one before. */
  merged: number
  /** UTF-16 units of the entries that set fields: at most so much is of no use once they are set again. */
  replaced: number
}

export function appendEntry(addition: Omit<AppendEntry, 'type' | 'version'>): string {
  return JSON.stringify({ type: 'append', version: SESSION_VERSION, ...addition } satisfies AppendEntry)
}

/** A checkpoint's session, of whatever version, as it was stored. */
function readCheckpoint(id: string, text: string): JsonObject {
  const entry = parse(id, text, 1)
  const { session } = entry
  if (entry.type !== 'checkpoint' || !isRecord(session))
    throw unreadable(id, 'its first entry is not a checkpoint')
  return session
}

/** A checkpoint's session in today's form. */
export function contentOf(id: string, checkpoint: string): Content {
  const { version: _, history, ...fields } = migrateSession(readCheckpoint(id, checkpoint))
  return { messages: [...(history as readonly Json[])], fields: fields as Content['fields'] }
}

/** Adds the entries to `content` in turn. */
export function addEntries(id: string, content: Content, texts: readonly string[]): Added {
  const added = { merged: 0, replaced: 0 }
  for (const [i, text] of texts.entries()) {
    const entry = parse(id, text, i + 2)
    if (entry.version !== SESSION_VERSION) unsupported(entry.version)
    const { from, messages, set = {}, unset = [] } = entry
    if (entry.type !== 'append' || !Array.isArray(messages) || !isRecord(set) || !Array.isArray(unset)) {
      throw unreadable(id, `entry ${i + 2} has an unknown form`)
    }
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
    // Said below.
  }
  throw unreadable(id, `entry ${number} is not the JSON of an object`)
}
