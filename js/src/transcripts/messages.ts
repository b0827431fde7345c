import type { Format } from '../types.js'
import { unreadable } from './input.js'
import { asRecord, asString, recordsOf } from './json.js'
import { FORMAT_NAMES, formatOf, misfit } from './message-format.js'
import { modernised, withParts } from './older-shapes.js'
import { isEmptyTextBlock } from './provider-messages.js'
import type { SkipLog } from './skip-log.js'
import type {
  JsonRecord,
  ReadTranscriptOptions,
  RecordAt,
  SkippedLines,
  Transcript,
  TranscriptKind,
} from './types.js'

/** Plain message lists, as an agent sends them to a provider. The messages stay the file's own objects. */
export interface PlainMessages {
  records: readonly RecordAt[]
  /** The object that held the list, for its system prompt. */
  envelope?: JsonRecord
  /** The format by the file's own word; it counts where the messages would fit several. */
  format?: unknown
  unit: SkippedLines['unit']
}

const KINDS: Record<Format, TranscriptKind> = {
  'openai-chat': 'openai-messages',
  'openai-responses': 'openai-responses-items',
  anthropic: 'anthropic-messages',
  'ai-sdk': 'ai-sdk-messages',
  'ai-sdk-ui': 'ai-sdk-ui-messages',
  gemini: 'gemini-contents',
  langchain: 'langchain-messages',
}

export function readMessages(
  { records, envelope, format: said, unit }: PlainMessages,
  skipped: SkipLog,
  options: ReadTranscriptOptions,
): Omit<Transcript, 'skipped'> {
  const current = records.map(({ at, value }) => ({ at, value: modernised(value) }))
  const stated = typeof said === 'string' && Object.hasOwn(KINDS, said) ? (said as Format) : undefined
  const format = detectFormat(current, unit, options) ?? stated ?? formatOfEnvelope(envelope)
  const fitting = current.map(({ at, value }) => ({
    at,
    value: format === 'ai-sdk-ui' ? withParts(value) : value,
  }))
  const known = fitting.filter(({ at, value }) => {
    const reason = misfit(value, format)
    if (reason !== undefined) skipped.add(reason, at)
    return reason === undefined
  })
  if (format === 'anthropic') return anthropicMessages(known, envelope, skipped)
  const systems = [format === 'openai-chat' ? undefined : systemIn(envelope)]
  const messages = known.flatMap(({ at, value }) => {
    if (format !== 'gemini' || value.role !== 'system') return [value]
    systems.push(systemText(value.parts))
    skipped.add('system prompt (Gemini takes it beside the messages)', at)
    return []
  })
  return { kind: KINDS[format], format, messages, ...joined(systems) }
}

function anthropicMessages(
  records: readonly RecordAt[],
  envelope: JsonRecord | undefined,
  skipped: SkipLog,
): Omit<Transcript, 'skipped'> {
  const systems = [systemIn(envelope)]
  const fromCline = envelope !== undefined && isCline(envelope, records)
  const messages: JsonRecord[] = []
  for (const { at, value } of records) {
    if (value.role === 'system' || value.role === 'developer') {
      systems.push(systemText(value.content))
      skipped.add('system prompt (Anthropic takes it beside the messages)', at)
      continue
    }
    const message = fromCline ? clineMessage(value) : value
    if (Array.isArray(message.content) && message.content.length === 0) skipped.add('empty message', at)
    else messages.push(message)
  }
  return { kind: 'anthropic-messages', format: 'anthropic', messages, ...joined(systems) }
}

function joined(systems: readonly (string | undefined)[]): { system?: string } {
  const system = systems.filter((text) => text !== undefined).join('\n\n')
  return system === '' ? {} : { system }
}

/** The system prompt beside the messages, by the names that requests and session files have for it. */
function systemIn(envelope: JsonRecord | undefined): string | undefined {
  const { config, instructions, system, system_prompt, systemInstruction, system_instruction } =
    envelope ?? {}
  const own = system ?? system_prompt ?? instructions ?? systemInstruction ?? system_instruction
  const content = own ?? asRecord(config)?.systemInstruction
  return systemText(asRecord(content)?.parts ?? content)
}

function systemText(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  const texts = recordsOf(content).flatMap((block) => (typeof block.text === 'string' ? [block.text] : []))
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

/** Decided by what only one format has. A list of bare texts fits several and counts as OpenAI's. */
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
    const reason = `a message in ${FORMAT_NAMES[format]} form among messages in ${FORMAT_NAMES[first.format]} form (${unit} ${first.at})`
    throw unreadable(reason, options, { line: at, unit })
  }
  return first?.format
}

function formatOfEnvelope(envelope: JsonRecord | undefined): Format {
  if (Array.isArray(envelope?.input)) return 'openai-responses'
  return (envelope?.system ?? envelope?.system_prompt) === undefined ? 'openai-chat' : 'anthropic'
}

/** cline's session files: `{version, messages}`, with fields and blocks that Anthropic does not take. */
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

/** A result's own items (`{query, result, success}`) go to the model as JSON text. */
function clineResult(item: JsonRecord): JsonRecord {
  return asRecord(item)?.type === undefined ? { type: 'text', text: JSON.stringify(item) } : item
}
