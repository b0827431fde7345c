import { TrimtabError } from '../base/error.js'
import type { JsonRecord } from '../base/json.js'
import { addEntries, checkpointEntry, contentOf } from '../sessions/entries.js'
import { type Json, type JsonObject, revive, toPlain } from '../sessions/plain.js'
import { unreadable as unreadableSession } from '../sessions/stores/errors.js'
import { newFile, readFileLog } from '../sessions/stores/file-lines.js'
import { entriesOf, unreadable } from './input.js'
import { SkipLog } from './skip-log.js'
import type { ReadTranscriptOptions, RecordAt } from './types.js'

const NAME = 'session'

/** Whether a text is a session file of `fileStore`, judging by its first line. */
export const isSavedSession = (text: string): boolean => text.startsWith('{"trimtab":"session",')

/** Reads the messages of a session that `saveSession` wrote to a `fileStore`, with its other fields. */
export function readSavedSession(
  text: string,
  options: ReadTranscriptOptions,
): { records: RecordAt[]; envelope: JsonRecord; skipped: SkipLog } {
  try {
    const { entries, repairs } = readFileLog(NAME, new TextEncoder().encode(text))
    const [checkpoint = '', ...others] = entries
    const content = contentOf(NAME, checkpoint)
    addEntries(NAME, content, others)
    const torn = new SkipLog('line')
    for (const { line } of repairs) torn.add('an entry that is damaged, or was never written whole', line)
    const records = entriesOf(revive(content.messages, NAME) as unknown[], torn)
    return { records, envelope: content.fields, skipped: torn }
  } catch (error) {
    if (!(error instanceof TrimtabError)) throw error
    // A file is reported by its name, not by a session id.
    throw unreadable(error.message.replace(unreadableSession(NAME, '').message, ''), options)
  }
}

/** Returns the file of a new session in a `fileStore`. `id` is a UUID. */
export function savedSessionText(id: string, messages: readonly object[], fields: JsonObject): string {
  const history = toPlain(messages, 'messages').value as Json[]
  const digits = id.replaceAll('-', '')
  const entry = checkpointEntry({ messages: history, fields })
  return new TextDecoder().decode(newFile(digits.slice(0, 16), digits.slice(16), entry))
}
