import type { Format } from '../types.js'
import { unreadable } from './input.js'
import { asRecord, asString, isRecord, recordsOf } from './json.js'
import { isEmptyTextBlock } from './provider-messages.js'
import type { SkipLog } from './skip-log.js'
import type { JsonRecord, ReadTranscriptOptions, RecordAt, SkippedLines, Transcript } from './types.js'

/** Plain message lists, as an agent sends them to a provider. The messages stay the file's own objects. */
export interface PlainMessages {
  records: readonly RecordAt[]
  /** The object that held the list, for its system prompt. */
  envelope?: JsonRecord
  unit: SkippedLines['unit']
}

const OPENAI_ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])
const ANTHROPIC_BLOCKS = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'document',
  'server_tool_use',
])
const OPENAI_PARTS = new Set(['image_url', 'input_audio', 'refusal'])

export function readMessages(
  { records, envelope, unit }: PlainMessages,
  skipped: SkipLog,
  options: ReadTranscriptOptions,
): Omit<Transcript, 'skipped'> {
  const format = detectFormat(records, envelope, unit, options)
  const known = records.filter(({ at, value }) => {
    const fits = OPENAI_ROLES.has(asString(value.role) ?? '')
    if (!fits) skipped.add(`unknown role ${JSON.stringify(value.role ?? null)}`, at)
    return fits
  })
  if (format === 'openai-chat') {
    return { kind: 'openai-messages', format, messages: known.map(({ value }) => value) }
  }
  return anthropicMessages(known, envelope, skipped)
}

function anthropicMessages(
  records: readonly RecordAt[],
  envelope: JsonRecord | undefined,
  skipped: SkipLog,
): Omit<Transcript, 'skipped'> {
  const systems = [systemText(envelope?.system ?? envelope?.system_prompt)]
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
  const system = systems.filter((text) => text !== undefined).join('\n\n')
  return {
    kind: 'anthropic-messages',
    format: 'anthropic',
    messages,
    ...(system === '' ? {} : { system }),
  }
}

function systemText(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  const texts = recordsOf(content).flatMap((block) => (typeof block.text === 'string' ? [block.text] : []))
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

/** Decided by what only one of the two formats has. A list of bare texts fits both and counts as OpenAI's. */
function detectFormat(
  records: readonly RecordAt[],
  envelope: JsonRecord | undefined,
  unit: SkippedLines['unit'],
  options: ReadTranscriptOptions,
): Format {
  let openai: number | undefined
  let anthropic: number | undefined
  for (const { at, value } of records) {
    if (openai === undefined && isOpenAiOnly(value)) openai = at
    if (anthropic === undefined && isAnthropicOnly(value)) anthropic = at
  }
  if (openai !== undefined && anthropic !== undefined) {
    const reason = `a message in Anthropic's form among messages in OpenAI's (${unit} ${openai})`
    throw unreadable(reason, options, { line: anthropic, unit })
  }
  if (anthropic !== undefined) return 'anthropic'
  if (openai === undefined && (envelope?.system ?? envelope?.system_prompt) !== undefined) return 'anthropic'
  return 'openai-chat'
}

function isOpenAiOnly(message: JsonRecord): boolean {
  if (message.role === 'tool' || message.role === 'function') return true
  if (Array.isArray(message.tool_calls) || isRecord(message.function_call)) return true
  return recordsOf(message.content).some((part) => OPENAI_PARTS.has(asString(part.type) ?? ''))
}

function isAnthropicOnly(message: JsonRecord): boolean {
  return recordsOf(message.content).some(
    (block) =>
      ANTHROPIC_BLOCKS.has(asString(block.type) ?? '') || (block.type === 'image' && isRecord(block.source)),
  )
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
