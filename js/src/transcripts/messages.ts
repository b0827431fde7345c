import { FORMATS } from '../base/format.js'
import { asRecord, asString, type JsonRecord, recordsOf } from '../base/json.js'
import { systemIn } from '../base/request-body.js'
import { codecOf } from '../formats/codecs.js'
import { modernised, withParts } from '../formats/older-shapes.js'
import { isEmptyTextBlock } from '../formats/provider-messages.js'
import type { Format } from '../generated/types.js'
import { unreadable } from './input.js'
import { formatOf, misfit } from './message-format.js'
import { type Report, reportFields, reportIn } from './own-report.js'
import type { SkipLog } from './skip-log.js'
import type { ReadTranscriptOptions, RecordAt, SkippedLines, Transcript } from './types.js'

/** Plain message list, as an agent sends it to a provider. The messages are the file's own objects. */
export interface PlainMessages {
  records: readonly RecordAt[]
  /**
   * Object that contained the list, for its system prompt, its title, and the format that it states: used if the
   * messages fit several formats.
   */
  envelope?: JsonRecord
  unit: SkippedLines['unit']
  /** Reports for answers, by message; if absent, they are taken from the messages. */
  reports?: ReadonlyMap<JsonRecord, Report>
}

/** A converted message, with its source in the file. */
type Known = RecordAt & { source: JsonRecord }

const NO_REPORT: Report = { usage: null, time: null, request: null }

export function readMessages(
  { records, envelope = {}, unit, reports }: PlainMessages,
  skipped: SkipLog,
  options: ReadTranscriptOptions,
): Omit<Transcript, 'skipped'> {
  const reportOf = (source: JsonRecord) =>
    reports === undefined ? reportIn(source) : (reports.get(source) ?? NO_REPORT)
  // What was reported of a message belongs to the first of those that it becomes.
  const current = records.flatMap(({ at, value }) =>
    modernised(value).map((one, i) => ({ at, value: one, source: i === 0 ? value : {} })),
  )
  const stated = FORMATS.find((each) => each === envelope.format)
  const format = detectFormat(current, unit, options) ?? stated ?? formatOfEnvelope(envelope)
  const fitting = current.map((one) =>
    format === 'ai-sdk-ui' ? { ...one, value: withParts(one.value) } : one,
  )
  const known = fitting.filter(({ at, value }) => {
    const reason = misfit(value, format)
    if (reason !== undefined) skipped.add(reason, at)
    return reason === undefined
  })
  const titled = typeof envelope.title === 'string' ? { title: envelope.title } : {}
  if (format === 'anthropic') return { ...anthropicMessages(known, envelope, skipped, reportOf), ...titled }
  const systems = [format === 'openai-chat' ? undefined : systemText(systemIn(envelope))]
  const kept = known.filter(({ at, value }) => {
    if (format !== 'gemini' || value.role !== 'system') return true
    systems.push(systemText(value.parts))
    skipped.add('system prompt (Gemini takes it beside the messages)', at)
    return false
  })
  const messages = kept.map(({ value }) => value)
  const reported = reportFields(kept.map(({ source }) => reportOf(source)))
  return { kind: `${format}-messages`, format, messages, ...joined(systems), ...reported, ...titled }
}

function anthropicMessages(
  records: readonly Known[],
  envelope: JsonRecord,
  skipped: SkipLog,
  reportOf: (source: JsonRecord) => Report,
): Omit<Transcript, 'skipped'> {
  const systems = [systemText(systemIn(envelope))]
  const fromCline = isCline(envelope, records)
  const messages: JsonRecord[] = []
  const reports: Report[] = []
  const kept = inPlace(records)
  for (const { at, value, source } of records) {
    if (isInstruction(value) && !kept.has(value)) {
      systems.push(systemText(value.content))
      skipped.add('system prompt (Anthropic takes it beside the messages)', at)
      continue
    }
    const message = fromCline ? clineMessage(value) : value
    if (Array.isArray(message.content) && message.content.length === 0 && !kept.has(value)) {
      skipped.add('empty message', at)
      continue
    }
    messages.push(message)
    reports.push(reportOf(source))
  }
  const reported = reportFields(reports)
  return { kind: 'anthropic-messages', format: 'anthropic', messages, ...joined(systems), ...reported }
}

const isInstruction = ({ role }: JsonRecord): boolean => role === 'system' || role === 'developer'

/** Instructions where Anthropic takes them as messages: behind the user's turn, and before an answer. */
function inPlace(records: readonly Known[]): Set<JsonRecord> {
  const kept = new Set<JsonRecord>()
  let run: JsonRecord[] = []
  let before: JsonRecord | undefined
  const end = (behind?: JsonRecord) => {
    const isFitting = before !== undefined && endsTurn(before) && behind?.role !== 'user'
    for (const one of run)
      if (one.role === 'system' && (isFitting || one.output_config !== undefined)) kept.add(one)
    run = []
  }
  for (const { value } of records) {
    if (isInstruction(value)) {
      run.push(value)
      continue
    }
    end(value)
    before = value
  }
  end()
  return kept
}

/** Whether the model speaks next: after the user, or after a result of a tool that the provider itself runs. */
function endsTurn({ content, role }: JsonRecord): boolean {
  if (role === 'user') return true
  const type = asString(recordsOf(content).at(-1)?.type) ?? ''
  return type.endsWith('_tool_result')
}

function joined(systems: readonly (string | undefined)[]): { system?: string } {
  const system = systems.filter((text) => text !== undefined).join('\n\n')
  return system === '' ? {} : { system }
}

/** Returns the system prompt stored next to the messages, under the names used in requests and session files. */
function systemText(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  const texts = recordsOf(content).flatMap((block) => (typeof block.text === 'string' ? [block.text] : []))
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

/**
 * Detects the format by features that only one format has. A list of plain texts fits several, and is read as OpenAI's.
 */
function detectFormat(
  records: readonly RecordAt[],
  unit: SkippedLines['unit'],
  options: ReadTranscriptOptions,
): Format | undefined {
  let first: { at: number; format: Format } | undefined
  for (const { at, value } of records) {
    const format = formatOf(value)
    if (format === undefined) continue
    first ??= { at, format }
    if (format === first.format) continue
    const reason = `a message of ${codecOf(format).title} among messages of ${codecOf(first.format).title} (${unit} ${first.at})`
    throw unreadable(reason, options, { line: at, unit })
  }
  return first?.format
}

function formatOfEnvelope({ input, system, system_prompt }: JsonRecord): Format {
  if (Array.isArray(input)) return 'openai-responses'
  return (system ?? system_prompt) === undefined ? 'openai-chat' : 'anthropic'
}

/** Whether the file is a session of cline: `{version, messages}`, with fields and blocks that Anthropic rejects. */
function isCline(envelope: JsonRecord, records: readonly RecordAt[]): boolean {
  return envelope.version !== undefined && records.some(({ value }) => 'ts' in value || 'modelInfo' in value)
}

function clineMessage({ role, content }: JsonRecord): JsonRecord {
  if (typeof content === 'string') return { role, content }
  return {
    role,
    content: recordsOf(content)
      .map(clineBlock)
      .filter((block) => !isEmptyTextBlock(block)),
  }
}

function clineBlock(block: JsonRecord): JsonRecord {
  if (block.type === 'file') {
    const text = `<file path=${JSON.stringify(asString(block.path) ?? '')}>\n${asString(block.content) ?? ''}\n</file>`
    return { type: 'text', text }
  }
  if (block.type !== 'tool_result') return block
  const { tool_use_id, is_error, content } = block
  return {
    type: 'tool_result',
    tool_use_id,
    content: Array.isArray(content) ? recordsOf(content).map(clineResult) : (content ?? ''),
    ...(is_error === true ? { is_error } : {}),
  }
}

/** A result's own items (`{query, result, success}`) are sent to the model as JSON text. */
function clineResult(item: JsonRecord): JsonRecord {
  return asRecord(item)?.type === undefined ? { type: 'text', text: JSON.stringify(item) } : item
}
