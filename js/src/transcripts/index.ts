import { callback } from '../base/at-once.js'
import { checkOptions, checkText, oneOf, TEXT } from '../base/check.js'
import { asRecord, isRecord, type JsonRecord } from '../base/json.js'
import { bareRequests, isLogged, type LoggedRequest, loggedRequests, readApiLog } from './api-log.js'
import { isCodexOnly, readCodex } from './codex.js'
import { detectRecords } from './detect.js'
import { entriesOf, type Input, parseInput, unreadable } from './input.js'
import { readMessages } from './messages.js'
import { AGENT_FILES } from './registry.js'
import { isSavedSession, readSavedSession } from './saved-session.js'
import { SkipLog } from './skip-log.js'
import { readSweAgent } from './swe-agent.js'
import type { ReadTranscriptOptions, RecordAt, SkippedLines, Transcript } from './types.js'

export type { AnsweredRequest, CacheWrites } from '../tokens/cache-writes.js'
export type { ReportedUsage } from '../tokens/reported-usage.js'
export type { LoggedRequest } from './api-log.js'
export type {
  ReadTranscriptOptions,
  SessionFact,
  SkippedLines,
  Transcript,
  TranscriptKind,
  WritableKind,
  WriteTranscriptOptions,
  WrittenTranscript,
} from './types.js'
export { writeTranscript } from './write.js'

const HISTORY = oneOf(['live', 'full'])

/**
 * Reads a session file of a known agent, whatever its name, as messages that its provider accepts if it accepted the
 * session itself. Lines that are not messages are counted; they are not an error.
 *
 * @throws {TrimtabError} `unreadable_transcript`, with line and reason, if nothing in it can be read.
 */
export function readTranscript(text: string, options: ReadTranscriptOptions = {}): Transcript {
  checkText('text', text)
  options = checkOptions(
    options,
    { name: TEXT, history: HISTORY, onProgress: callback('onProgress') },
    'readTranscript',
  )
  const { transcript, skipped } = read(text, options)
  const left = skipped.toList()
  if (transcript.messages.length === 0)
    throw unreadable(`there are no messages in it${becauseOf(left)}`, options)
  return { ...transcript, skipped: left }
}

/** Reasons that an error names. */
const MOST_REASONS = 3

/** Why nothing was read, if there was something: the first reasons, each with its first place. */
function becauseOf(skipped: readonly SkippedLines[]): string {
  if (skipped.length === 0) return ''
  const places = skipped.slice(0, MOST_REASONS).map(({ reason, count, unit, first }) => {
    const more = count > 1 ? ` and ${count - 1} more` : ''
    return `${reason} (${unit} ${first[0] ?? 0}${more})`
  })
  return `: ${places.join(', ')}${skipped.length > MOST_REASONS ? ', ...' : ''}`
}

/**
 * Reads the requests of a log of calls of a provider's API. Each entry is `{request, response}`, or has the request's
 * fields next to `response`, or is a request alone, with its model. Returns `undefined` for a file of another kind.
 *
 * @throws {TrimtabError} `unreadable_transcript` if it is not JSON.
 */
export function readRequests(
  text: string,
  options: Pick<ReadTranscriptOptions, 'name'> = {},
): LoggedRequest[] | undefined {
  checkText('text', text)
  options = checkOptions(options, { name: TEXT }, 'readRequests')
  const input = parseInput(text, options)
  const skipped = new SkipLog('entry')
  const value = input.shape === 'document' ? input.value : undefined
  const records =
    input.shape === 'lines' ? input.records : entriesOf(Array.isArray(value) ? value : [value], skipped)
  const logged = detectRecords(records) === 'api-log' ? records : bareRequests(records)
  return logged === undefined ? undefined : loggedRequests(logged, skipped)
}

function read(text: string, options: ReadTranscriptOptions): Read {
  try {
    if (isSavedSession(text)) return readSaved(text, options)
    const input = parseInput(text, options)
    return input.shape === 'document' ? readDocument(input.value, options) : readLines(input, options)
  } catch (error) {
    // Some parts are serialised again (a tool's arguments), which is recursive.
    if (error instanceof RangeError) throw unreadable('its JSON is nested too deeply', options)
    throw error
  }
}

function readSaved(text: string, options: ReadTranscriptOptions): Read {
  const { skipped, ...saved } = readSavedSession(text, options)
  const transcript = readMessages({ ...saved, unit: 'entry' }, skipped, options)
  return { transcript: { ...transcript, kind: 'saved-session' }, skipped }
}

interface Read {
  transcript: Omit<Transcript, 'skipped'>
  skipped: SkipLog
}

function readLines(input: Input & { shape: 'lines' }, options: ReadTranscriptOptions): Read {
  const { records, skipped, broken, documentFailure } = input
  // Some lines of a damaged document can happen to be objects; they are not records.
  const isDamagedDocument = documentFailure !== undefined && broken > records.length
  const transcript = isDamagedDocument ? undefined : readRecords({ records, unit: 'line' }, skipped, options)
  if (transcript !== undefined) return { transcript, skipped }
  if (documentFailure !== undefined) {
    throw unreadable(documentFailure.reason, options, { line: documentFailure.line })
  }
  throw unknownRecords(records, options, 'line')
}

function readDocument(value: unknown, options: ReadTranscriptOptions): Read {
  const skipped = new SkipLog('entry')
  if (Array.isArray(value)) return readList(value, undefined, skipped, options)
  if (!isRecord(value)) throw unreadable('it is JSON, but neither a list nor an object', options, { line: 1 })
  if (isLogged(value)) return readSingle(value, options)
  const { contents, history, input, items, messages, session } = value
  if (Array.isArray(history) && !history.some((entry) => Array.isArray(asRecord(entry)?.parts)))
    return { transcript: readSweAgent(history, skipped), skipped }
  // The first Codex versions wrote a single document.
  if (Array.isArray(items) && isRecord(session)) return readFirstCodex(items, skipped, options)
  const list = [messages, contents, input, history].find(Array.isArray)
  return list === undefined ? readSingle(value, options) : readList(list, value, skipped, options)
}

function readFirstCodex(items: readonly unknown[], skipped: SkipLog, options: ReadTranscriptOptions): Read {
  const transcript = readCodex(entriesOf(items, skipped), skipped, options.history ?? 'live')
  return { transcript, skipped }
}

/** A file with one line is a document as well. */
function readSingle(value: JsonRecord, options: ReadTranscriptOptions): Read {
  const skipped = new SkipLog('line')
  const records = [{ at: 1, value }]
  const transcript = readRecords({ records, unit: 'line' }, skipped, options)
  if (transcript !== undefined) return { transcript, skipped }
  const keys = Object.keys(value).slice(0, 5).join(', ').slice(0, 80)
  const has = keys === '' ? 'it is empty' : `it has ${JSON.stringify(keys)}`
  throw unreadable(
    `a JSON object that is not a known session (no "messages", "contents", "input" or "history"; ${has})`,
    options,
    {
      line: 1,
    },
  )
}

function readList(
  list: readonly unknown[],
  envelope: JsonRecord | undefined,
  skipped: SkipLog,
  options: ReadTranscriptOptions,
): Read {
  const records = entriesOf(list, skipped)
  const wrapped = envelope === undefined ? { records } : { records, envelope }
  const transcript = readRecords({ ...wrapped, unit: 'entry' }, skipped, options)
  if (transcript !== undefined) return { transcript, skipped }
  if (list.length === 0) throw unreadable('the list of messages is empty', options)
  throw unknownRecords(records, options, 'entry')
}

function readRecords(
  source: { records: readonly RecordAt[]; envelope?: JsonRecord; unit: SkippedLines['unit'] },
  skipped: SkipLog,
  options: ReadTranscriptOptions,
): Omit<Transcript, 'skipped'> | undefined {
  const history = options.history ?? 'live'
  const kind = detectRecords(source.records)
  // Items without envelopes are what was sent to the Responses API.
  const isRollout = kind === 'codex' && source.records.some(({ value }) => isCodexOnly(value))
  if (kind === 'messages' || (kind === 'codex' && !isRollout)) return readMessages(source, skipped, options)
  if (kind !== 'api-log') return kind && AGENT_FILES[kind].read(source.records, skipped, history)
  const conversation = readApiLog(source.records, skipped)
  if (conversation === undefined) return undefined
  return { ...readMessages({ unit: source.unit, ...conversation }, skipped, options), kind: 'api-log' }
}

function unknownRecords(
  records: readonly RecordAt[],
  options: ReadTranscriptOptions,
  unit: SkippedLines['unit'],
): Error {
  const first = records[0]
  const type = asRecord(first?.value)?.type
  const seen =
    typeof type === 'string' ? `an object of type ${JSON.stringify(type.slice(0, 40))}` : 'an object'
  const reason = `${first === undefined ? 'nothing' : seen} that no known kind of session has`
  return unreadable(reason, options, { line: first?.at ?? 1, unit })
}
