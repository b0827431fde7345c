import { asRecord, asString, isArray, isBlank, type JsonRecord, recordsOf } from '../base/json.js'
import { arrange, type Piece } from '../formats/arrange.js'
import { type Losses, leftOut, nameOf, partOfType } from '../formats/lost.js'
import { isBareItem } from '../formats/openai-responses.js'
import { toChatMessages } from '../formats/provider-messages.js'
import { type ReportedUsage, readUsage } from '../tokens/reported-usage.js'
import { folderOf } from './own-report.js'
import { reportedIn } from './reported.js'
import type { SkipLog } from './skip-log.js'
import type { RecordAt, Transcript } from './types.js'
import { unansweredCalls } from './unanswered.js'
import { type AgentWriter, jsonLines, type Turn } from './writing.js'

/**
 * A piece of a Codex rollout: JSONL under `~/.codex/sessions`, `{timestamp, type, payload}` lines whose
 * `response_item`s are items of the Responses API. The first versions wrote those items without the envelope. One model
 * response is several items (text, then calls); it is merged into one chat message.
 */
type ChatPiece = Piece<JsonRecord, JsonRecord, JsonRecord>

interface Item {
  at: number
  value: JsonRecord
}

const LINES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted'])

/** Whether an object is a line of a rollout, with its envelope. */
export function isCodexLine({ type }: JsonRecord): boolean {
  return typeof type === 'string' && LINES.has(type)
}

export function readCodex(
  records: readonly RecordAt[],
  skipped: SkipLog,
  history: 'live' | 'full',
): Omit<Transcript, 'skipped'> {
  const items = itemsOf(records, skipped, history)
  const pieces = withResults(withCalls(piecesOf(items, skipped), skipped), records)
  const arranged = arrange(pieces, (at) => skipped.add('second result of the same call', at))
  const messages = toChatMessages(arranged)
  const reported = reportedIn(messages, pieces, records, (_, index) => usageBehind(records, index))
  const { cwd } = asRecord(records.find(({ value }) => value.type === 'session_meta')?.value.payload) ?? {}
  return { kind: 'codex', format: 'openai-chat', messages, ...reported, ...folderOf(cwd) }
}

/** Leaves out results without a call before them, as Codex does: those of compacted calls, for example. */
function withCalls(pieces: ChatPiece[], skipped: SkipLog): ChatPiece[] {
  const called = new Set<string>()
  return pieces.filter((piece) => {
    if (piece.kind === 'assistant') for (const id of piece.callIds) called.add(id)
    if (piece.kind !== 'result' || called.has(piece.callId)) return true
    skipped.add('result without its call (Codex does not send it)', piece.at)
    return false
  })
}

/**
 * Adds the results that Codex sends for calls that have none: after an interrupted turn, for example. The calls of the
 * last answer have none if the turn was interrupted.
 */
function withResults(pieces: ChatPiece[], records: readonly RecordAt[]): ChatPiece[] {
  const interrupted =
    records.findLast(({ value }) => asRecord(value.payload)?.type === 'turn_aborted')?.at ?? 0
  const end: ChatPiece = { kind: 'other', value: {}, at: interrupted }
  const isOver = interrupted > (pieces.at(-1)?.at ?? 0)
  const calls = new Map(
    pieces.flatMap((piece) =>
      piece.kind === 'assistant'
        ? recordsOf(piece.value.tool_calls).map((call) => [call.id, asRecord(call.function)?.name] as const)
        : [],
    ),
  )
  const missing = unansweredCalls(isOver ? [...pieces, end] : pieces).map(({ callId, at }): ChatPiece => {
    const content = calls.get(callId) === 'tool_search' ? NOTHING_FOUND : 'aborted'
    return { kind: 'result', value: { role: 'tool', tool_call_id: callId, content }, callId, at }
  })
  return [...pieces, ...missing]
}

const NOTHING_FOUND = '{"status":"completed","execution":"client","tools":[]}'

/** Returns the token count after an answer. Results of its calls may come first, but no item of the next answer. */
function usageBehind(records: readonly RecordAt[], index: number): ReportedUsage | undefined {
  let hasCalls = false
  let isOver = false
  for (let at = index; at < records.length; at += 1) {
    const { payload: inner, type: line } = records[at]?.value ?? {}
    const { info, role, type } = asRecord(inner) ?? {}
    const usage = type === 'token_count' ? asRecord(asRecord(info)?.last_token_usage) : undefined
    if (usage !== undefined) return readUsage(usage)
    if (line !== 'response_item') continue
    const isMessage = type === 'message'
    const isOwn = isMessage ? role === 'assistant' : !isOutput(asString(type) ?? '')
    // Text after text starts the next answer.
    if (isOwn && (isOver || (isMessage && at > index && !hasCalls))) return undefined
    isOver ||= !isOwn
    hasCalls ||= isOwn && !isMessage && type !== 'reasoning'
  }
  return undefined
}

/** Returns the response items that remain after compactions and rollbacks. */
function itemsOf(records: readonly RecordAt[], skipped: SkipLog, history: 'live' | 'full'): Item[] {
  let items: Item[] = []
  let instructed = false
  for (const { at, value } of records) {
    const payload = asRecord(value.payload) ?? value
    const type = value.type
    if (type === 'session_meta') {
      const text = asString(asRecord(payload.base_instructions)?.text)
      if (text !== undefined && !instructed)
        items.push({
          at,
          value: { type: 'message', role: 'system', content: [{ type: 'input_text', text }] },
        })
      else skipped.add('no message (type "session_meta")', at)
      instructed ||= text !== undefined
    } else if (type === 'response_item') {
      items.push({ at, value: payload })
    } else if (type === 'compacted') {
      skipped.add('mark of a compaction', at)
      if (history === 'live') items = compact(items, payload, at, skipped)
    } else if (type === 'event_msg') {
      skipped.add(`no message (type "event_msg")`, at)
      if (payload.type === 'thread_rolled_back') items = rollBack(items, payload.num_turns, skipped)
    } else if (value.payload === undefined && typeof type === 'string' && isBareItem(value)) {
      items.push({ at, value })
    } else {
      skipped.add(`no message (type ${JSON.stringify(type ?? null)})`, at)
    }
  }
  return items
}

/** Whether a line only occurs in rollouts: an envelope with a `payload`, or, without envelopes, a header or a state. */
export function isCodexOnly({ payload, record_type, timestamp }: JsonRecord): boolean {
  return payload !== undefined || record_type !== undefined || timestamp !== undefined
}

function isOutput(type: string): boolean {
  return type.endsWith('_output')
}

/**
 * Newer files contain the replacement history. Older ones have only the summary; Codex put it after the system and user
 * messages and dropped the rest.
 */
function compact(items: readonly Item[], payload: JsonRecord, at: number, skipped: SkipLog): Item[] {
  const replacement = recordsOf(payload.replacement_history).map((value) => ({ at, value }))
  const system = items.filter(({ value }) => value.role === 'system')
  const keeps = (item: Item): boolean => item.value.type === 'message' && item.value.role !== 'assistant'
  const kept = replacement.length > 0 ? system : items.filter(keeps)
  const keptItems = new Set(kept)
  for (const item of items) if (!keptItems.has(item)) skipped.add('before the last compaction', item.at)
  if (replacement.length > 0) return [...kept, ...replacement]
  const text = asString(payload.message) ?? ''
  return [...kept, { at, value: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] } }]
}

/** Removes the last turns, which the user took back: everything from that many prompts ago. */
function rollBack(items: readonly Item[], turns: unknown, skipped: SkipLog): Item[] {
  let left = typeof turns === 'number' ? turns : 0
  let end = items.length
  for (let index = items.length - 1; index >= 0 && left > 0; index -= 1) {
    if (!isPrompt(items[index]?.value)) continue
    end = index
    left -= 1
  }
  for (const item of items.slice(end)) skipped.add('in a turn that was taken back', item.at)
  return items.slice(0, end)
}

/**
 * Whether an item is a prompt of the user. Codex also writes user messages (environment, instructions), which start
 * with a tag or a heading.
 */
function isPrompt(value: JsonRecord | undefined): boolean {
  if (value?.type !== 'message' || value.role !== 'user') return false
  const text = asString(recordsOf(value.content)[0]?.text) ?? ''
  return !/^\s*(?:<[a-z_ ]+>|# AGENTS\.md)/.test(text)
}

function piecesOf(items: readonly Item[], skipped: SkipLog): ChatPiece[] {
  const pieces: ChatPiece[] = []
  let open: OpenAssistant | undefined
  const close = (): void => {
    if (open !== undefined) pieces.push(open.piece())
    open = undefined
  }
  for (const { at, value } of items) {
    const type = asString(value.type) ?? ''
    if (type === 'message' && value.role === 'assistant') {
      const parts = textParts(value.content, at, skipped)
      // Text after calls belongs to the same response; text after text starts the next one.
      if (open?.hasCalls === false) close()
      if (parts.length === 0) skipped.add('empty message', at)
      else {
        open ??= new OpenAssistant(at)
        open.parts.push(...parts)
      }
    } else if (type === 'message') {
      const said = saidPiece(value, at, skipped)
      if (said === undefined) continue
      close()
      pieces.push(said)
    } else if (isOutput(type)) {
      close()
      pieces.push(resultPiece(value, at, skipped))
    } else {
      const call = toolCall(value)
      if (call === undefined) skipped.add(itemReason(type), at)
      else {
        open ??= new OpenAssistant(at)
        open.calls.push(call)
      }
    }
  }
  close()
  return pieces
}

function itemReason(type: string): string {
  if (type === 'reasoning') return 'reasoning (chat messages have no place for it)'
  return `item without a chat form (${JSON.stringify(type)})`
}

class OpenAssistant {
  readonly parts: JsonRecord[] = []
  readonly calls: { id: string; wire: JsonRecord }[] = []
  readonly #at: number

  constructor(at: number) {
    this.#at = at
  }

  get hasCalls(): boolean {
    return this.calls.length > 0
  }

  piece(): ChatPiece {
    const value: JsonRecord = {
      role: 'assistant',
      content: this.parts.length === 0 ? null : plain(this.parts),
    }
    if (this.hasCalls) value.tool_calls = this.calls.map((call) => call.wire)
    return { kind: 'assistant', value, callIds: this.calls.map((call) => call.id), at: this.#at }
  }
}

function saidPiece(value: JsonRecord, at: number, skipped: SkipLog): ChatPiece | undefined {
  const role = value.role === 'user' ? 'user' : 'system'
  const parts =
    role === 'user' ? userParts(value.content, at, skipped) : textParts(value.content, at, skipped)
  if (parts.length > 0) return { kind: 'other', value: { role, content: plain(parts) }, at }
  const others = role === 'user' ? recordsOf(value.content).filter(({ text }) => text === undefined) : []
  // What was said keeps its place: without it, two answers would be one.
  if (others.length > 0)
    return { kind: 'other', value: { role, content: leftOut(others.map(partOfType)) }, at }
  skipped.add('empty message', at)
  return undefined
}

function plain(parts: readonly JsonRecord[]): unknown {
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' ? only.text : parts
}

function textParts(content: unknown, at: number, skipped: SkipLog): JsonRecord[] {
  const all = userParts(content, at, skipped)
  const texts = all.filter((part) => part.type === 'text')
  if (texts.length < all.length) skipped.add('image where chat takes only text', at)
  return texts
}

function userParts(content: unknown, at: number, skipped: SkipLog): JsonRecord[] {
  if (typeof content === 'string') return isBlank(content) ? [] : [{ type: 'text', text: content }]
  return recordsOf(content).flatMap((item): JsonRecord[] => {
    if (typeof item.text === 'string') return isBlank(item.text) ? [] : [{ type: 'text', text: item.text }]
    if (item.type === 'input_image' && typeof item.image_url === 'string') {
      return [{ type: 'image_url', image_url: { url: item.image_url } }]
    }
    skipped.add(`content without a chat form (${JSON.stringify(item.type ?? null)})`, at)
    return []
  })
}

function toolCall(item: JsonRecord): { id: string; wire: JsonRecord } | undefined {
  const id = asString(item.call_id) ?? asString(item.id)
  if (id === undefined) return undefined
  const name = asString(item.name) ?? ''
  switch (item.type) {
    case 'function_call':
      return functionCall(id, name, asString(item.arguments) ?? '{}')
    case 'custom_tool_call':
      return { id, wire: { id, type: 'custom', custom: { name, input: asString(item.input) ?? '' } } }
    case 'local_shell_call': {
      const { command, working_directory: workdir, timeout_ms } = asRecord(item.action) ?? {}
      return functionCall(id, 'local_shell', JSON.stringify({ command, workdir, timeout_ms }))
    }
    case 'tool_search_call':
      return functionCall(id, 'tool_search', JSON.stringify(item.arguments ?? {}))
    default:
      return undefined
  }
}

function functionCall(id: string, name: string, args: string): { id: string; wire: JsonRecord } {
  return { id, wire: { id, type: 'function', function: { name, arguments: args } } }
}

function resultPiece(item: JsonRecord, at: number, skipped: SkipLog): ChatPiece {
  const id = asString(item.call_id) ?? asString(item.id) ?? ''
  return {
    kind: 'result',
    callId: id,
    at,
    value: { role: 'tool', tool_call_id: id, content: outputContent(item, at, skipped) },
  }
}

/** A string, a list of content items, `{content, success}`, or (for tool searches) separate fields. */
function outputContent(item: JsonRecord, at: number, skipped: SkipLog): unknown {
  const output = asRecord(item.output)?.content ?? item.output
  if (typeof output === 'string') return output
  if (Array.isArray(output)) {
    const parts = textParts(output, at, skipped)
    return parts.length === 0 ? '' : plain(parts)
  }
  const { type: _type, call_id: _callId, id: _id, ...rest } = item
  return JSON.stringify(output ?? rest)
}

/** Writes items of the Responses API in envelopes. Codex lists and shows a session by the events beside them. */
export const codexWriter: AgentWriter = {
  format: 'openai-responses',
  // Codex knows fewer kinds of items.
  keeps: false,
  extension: 'jsonl',
  holds: ['system', 'times', 'usage', 'cwd'],
  write({ id, turns, cwd, losses }) {
    const timestamp = turns[0]?.time ?? new Date(0).toISOString()
    const first = turns[0]?.messages[0]
    const text = first?.role === 'system' && recordsOf(first.content).length < 2 ? textOf(first) : undefined
    const instructed = text === undefined ? {} : { base_instructions: { text } }
    const meta = { id, timestamp, cwd, originator: 'trimtab', cli_version: '0.0.0', ...instructed }
    const lines = turns.flatMap((turn) =>
      linesOf(turn, losses).map((line) => ({ timestamp: turn.time, ...line })),
    )
    // The instructions are in the header.
    const behind = text === undefined ? lines : lines.slice(1)
    return jsonLines([{ timestamp, type: 'session_meta', payload: meta }, ...behind])
  },
}

function linesOf({ at, messages, usage }: Turn, losses: Losses): JsonRecord[] {
  const items = messages.map((item) => itemOf(item, at, losses))
  for (const item of items)
    for (const what of unreadIn(item)) losses.add(at, `${what} (for Codex only: not read back)`)
  const lines = items.flatMap((item) => [{ type: 'response_item', payload: item }, ...eventOf(item)])
  if (usage === null) return lines
  const { input, cached, output } = usage
  const counts = { input_tokens: input, cached_input_tokens: cached, output_tokens: output }
  const payload = {
    type: 'token_count',
    info: { last_token_usage: { ...counts, total_tokens: input + output } },
  }
  return [...lines, { type: 'event_msg', payload }]
}

/** What Codex continues with, and `readCodex` has no place for in chat messages. */
function unreadIn(item: JsonRecord): string[] {
  const type = asString(item.type) ?? ''
  if (type === 'message') return []
  if (isOutput(type)) return recordsOf(item.output).some(isImage) ? ['image in a result'] : []
  if (toolCall(item) !== undefined) return []
  return [type === 'reasoning' ? 'reasoning' : `item of type ${JSON.stringify(type)}`]
}

const isImage = ({ type }: JsonRecord): boolean => type === 'input_image'

/** An item as Codex has it: with its type, content as a list, and no files but images. */
function itemOf(item: JsonRecord, at: number, losses: Losses): JsonRecord {
  const { content, output, role } = item
  if (typeof role !== 'string')
    return isArray(output) ? { ...item, output: withoutFiles(output, at, losses) } : item
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  const parts = typeof content === 'string' ? [{ type, text: content }] : withoutFiles(content, at, losses)
  return { ...item, type: 'message', content: parts.map((part) => withoutRefusal(part, at, losses)) }
}

/** Codex has no form for a refusal, and cannot read an item with one. */
function withoutRefusal(part: JsonRecord, at: number, losses: Losses): JsonRecord {
  if (part.type !== 'refusal') return part
  losses.add(at, 'form of a refusal (now text)')
  return { type: 'output_text', text: part.refusal }
}

/** Codex cannot read an item with a file in it. */
function withoutFiles(content: unknown, at: number, losses: Losses): JsonRecord[] {
  const parts = recordsOf(content)
  const kept = parts.filter(({ type }) => type !== 'input_file')
  const names = parts.filter(({ type }) => type === 'input_file').map(fileName)
  for (const name of names) losses.add(at, name)
  return kept.length > 0 || names.length === 0 ? kept : [{ type: 'input_text', text: leftOut(names) }]
}

const fileName = ({ file_data }: JsonRecord): string =>
  nameOf({ mediaType: /^data:([^;,]+)/.exec(asString(file_data) ?? '')?.[1] ?? '' })

function eventOf(item: JsonRecord): JsonRecord[] {
  const type = EVENTS.get(asString(item.role) ?? '')
  const message = textOf(item)
  return type === undefined || message === undefined
    ? []
    : [{ type: 'event_msg', payload: { type, message } }]
}

const EVENTS = new Map([
  ['user', 'user_message'],
  ['assistant', 'agent_message'],
])

function textOf({ content }: JsonRecord): string | undefined {
  if (typeof content === 'string') return content
  const texts = recordsOf(content).flatMap(({ text }) => asString(text) ?? [])
  return texts.length === 0 ? undefined : texts.join('\n')
}
