import { TrimtabError } from '../base/error.js'
import { addEntries, contentOf } from '../sessions/entries.js'
import { revive } from '../sessions/plain.js'
import { unreadable as unreadableSession } from '../sessions/stores/errors.js'
import { readFileLog } from '../sessions/stores/file-lines.js'
import { entriesOf, unreadable } from './input.js'
import { SkipLog } from './skip-log.js'
import type { ReadTranscriptOptions, RecordAt } from './types.js'

const NAME = 'session'

/** Whether a text is a session file of `fileStore`, judging by its first line. */
export const isSavedSession = (text: string): boolean => text.startsWith('{"trimtab":"session",')

/** Reads the messages of a session that `saveSession` wrote to a `fileStore`. */
export function readSavedSession(
  text: string,
  options: ReadTranscriptOptions,
): { records: RecordAt[]; format: unknown; skipped: SkipLog } {
  try {
    const { entries, repairs } = readFileLog(NAME, new TextEncoder().encode(text))
    const [checkpoint = '', ...others] = entries
    const content = contentOf(NAME, checkpoint)
    addEntries(NAME, content, others)
    const torn = new SkipLog('line')
    for (const { line } of repairs) torn.add('an entry that was never written whole', line)
    const records = entriesOf(revive(content.messages) as unknown[], torn)
    return { records, format: content.fields.format, skipped: torn }
  } catch (error) {
    if (!(error instanceof TrimtabError)) throw error
    // A file is reported by its name, not by a session id.
    throw unreadable(error.message.replace(unreadableSession(NAME, '').message, ''), options)
  }
}
