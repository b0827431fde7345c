import { check, checkMessages, checkOptions, kind, LIST, oneOf, readable, TEXT } from '../base/check.js'
import { checksum } from '../base/digest.js'
import { FORMAT, FORMATS } from '../base/format.js'
import { asRecord, isArray, type JsonRecord } from '../base/json.js'
import { sha256 } from '../base/sha256.js'
import { hexOf } from '../base/text.js'
import { convert, convertApart, type Part } from '../formats/convert.js'
import type { Format } from '../generated/types.js'
import { formatOf } from '../history/format.js'
import type { AnsweredRequest } from '../tokens/cache-writes.js'
import { readUsage } from '../tokens/reported-usage.js'
import { AGENT_WRITERS } from './registry.js'
import { savedSessionText } from './saved-session.js'
import type { SessionFact, WritableKind, WriteTranscriptOptions, WrittenTranscript } from './types.js'
import { type AgentWriter, jsonOf, type Turn } from './writing.js'

type AgentKind = keyof typeof AGENT_WRITERS

const AGENTS = Object.keys(AGENT_WRITERS) as AgentKind[]
/** Kinds with a form of their own, beside the lists of messages. */
export const SESSION_KINDS = [...AGENTS, 'saved-session'] as const
const MESSAGES = FORMATS.map((format) => `${format}-messages` as const)
const KIND = oneOf<WritableKind>([...SESSION_KINDS, ...MESSAGES])

/** The last moment that a date can be. */
const LATEST = 8.64e15
const isTime = (time: unknown) => time === null || (typeof time === 'number' && Math.abs(time) <= LATEST)
const TIMES = kind<NonNullable<WriteTranscriptOptions['times']>>(
  'a list of times in milliseconds since 1970, or null',
  (times) => isArray(times) && times.every(isTime),
)

const FACTS = { title: TEXT, system: TEXT, times: TIMES, usage: LIST, requests: LIST, cwd: TEXT }

/**
 * Writes a conversation as a session file that `readTranscript` reads as the same messages, and that its agent can
 * continue. Messages are converted as `convertMessages` does it. What the file cannot hold is returned, never dropped
 * silently. The same arguments give the same text: ids are derived from the content.
 *
 * @throws {TrimtabError} As `convertMessages`; `unreadable_message` and, for a saved session, `invalid_session` for
 * a value without JSON.
 */
export function writeTranscript(
  messages: readonly object[],
  options: WriteTranscriptOptions,
): WrittenTranscript {
  messages = checkMessages(messages)
  options = checkOptions(options, { kind: KIND, format: FORMAT, ...FACTS }, 'writeTranscript')
  const kind = check('kind', options.kind, KIND)
  const format = options.format ?? formatOf(messages)
  const agent = AGENTS.find((each) => each === kind)
  const write = () =>
    agent === undefined
      ? messagesFile(messages, format, kind, options)
      : agentFile(messages, format, AGENT_WRITERS[agent], options)
  return readable('messages', write, 'unreadable_message')
}

function agentFile(
  messages: readonly object[],
  from: Format,
  writer: AgentWriter,
  options: WriteTranscriptOptions,
): WrittenTranscript {
  const { format: to, keeps } = writer
  const { parts, losses } = convertApart(messages, from, { to, keeps, system: options.system })
  const system = parts.flatMap((part) => part.system ?? []).join('\n\n')
  const { title, cwd = '/' } = options
  const turns = turnsOf(parts, options)
  const text = writer.write({ id: uuidOf(parts), turns, title, cwd, losses })
  const facts = system === '' ? options : { ...options, system }
  return { text, extension: writer.extension, lost: losses.items, omitted: missing(facts, writer.holds) }
}

function messagesFile(
  messages: readonly object[],
  from: Format,
  kind: WritableKind,
  options: WriteTranscriptOptions,
): WrittenTranscript {
  const format = FORMATS.find((each) => `${each}-messages` === kind) ?? from
  const { system: given, title } = options
  // Chat Completions has no place beside the messages.
  const inside = format === 'openai-chat' ? given : undefined
  const converted = convert(messages, from, format, inside)
  const beside = [inside === undefined ? given : undefined, converted.system].filter(
    (text) => text !== undefined,
  )
  const fields = {
    format,
    ...(title !== undefined && { title }),
    ...(beside.length > 0 && { system: beside.join('\n\n') }),
  }
  const report = { lost: converted.lost, omitted: missing(options, ['title', 'system']) }
  if (kind !== 'saved-session') {
    const text = jsonOf({ ...fields, messages: converted.messages }, 2)
    return { text, extension: 'json', ...report }
  }
  const text = savedSessionText(uuidOf(converted.messages), converted.messages, fields)
  return { text, extension: 'jsonl', ...report }
}

function missing(facts: WriteTranscriptOptions, held: readonly SessionFact[]): SessionFact[] {
  const given = (Object.keys(FACTS) as SessionFact[]).filter((fact) => facts[fact] !== undefined)
  return given.filter((fact) => !held.includes(fact))
}

/** What was reported of a message belongs to the first of those that it became. */
function turnsOf(parts: readonly Part[], { times, usage, requests }: WriteTranscriptOptions): Turn[] {
  const reported = new Set<number>()
  let time = times?.find((each) => each !== null) ?? 0
  return parts.map(({ at, messages }) => {
    time = times?.[at] ?? time
    const isFirst = !reported.has(at)
    reported.add(at)
    return {
      at,
      messages: messages as JsonRecord[],
      time: new Date(time).toISOString(),
      usage: (isFirst && readUsage(usage?.[at])) || null,
      request: isFirst ? ((asRecord(requests?.[at]) as AnsweredRequest | undefined) ?? null) : null,
    }
  })
}

/**
 * A UUID of version 8, which is for values of one's own: the digest of the checksums of the parts. A digest of all of
 * the text would take most of the time.
 */
function uuidOf(parts: readonly object[]): string {
  const checksums = parts.map((part) => checksum(jsonOf(part))).join(' ')
  const hex = hexOf(sha256(new TextEncoder().encode(checksums)))
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
