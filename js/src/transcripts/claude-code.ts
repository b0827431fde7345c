import { asArray, asRecord, asString, isBlank, isRecord, type JsonRecord, recordsOf } from '../base/json.js'
import { pushTo } from '../base/lists.js'
import { isEmptyTextBlock } from '../formats/provider-messages.js'
import { byLife, type CacheWrites } from '../tokens/cache-writes.js'
import type { ReportedUsage } from '../tokens/reported-usage.js'
import { type AnswerPiece, transcriptOf } from './answer-lines.js'
import { activeBranch, type Linked } from './branch.js'
import { SYNTHETIC } from './own-report.js'
import type { SkipLog } from './skip-log.js'
import { streamedUsage } from './streamed-usage.js'
import type { RecordAt, Transcript } from './types.js'
import { type AgentWriter, jsonLines, lineId, type Turn } from './writing.js'

/**
 * A line of a Claude Code session file: JSONL under `~/.claude/projects`. Every line has a `uuid` and its `parentUuid`;
 * a rewind starts a new branch, a compaction a new root. An assistant message is split over lines with the same
 * `message.id`, and results of parallel calls are written between those lines.
 */
interface Line {
  at: number
  uuid: string | undefined
  parentUuid: string | null | undefined
  /** `undefined` for lines that only link the chain (progress, system, attachments without text). */
  message: JsonRecord | undefined
  role: 'user' | 'assistant' | undefined
  boundary: JsonRecord | undefined
}

export function readClaudeCode(
  records: readonly RecordAt[],
  skipped: SkipLog,
  history: 'live' | 'full',
): Omit<Transcript, 'skipped'> {
  const lines = chainLines(records, skipped)
  const branch = branchLines(lines, history)
  reportUnused(lines, branch, skipped)
  const { pieces, usage } = piecesOf(lines, branch, skipped)
  // Each line has the folder of its time.
  const { cwd } = records.findLast(({ value }) => typeof value.cwd === 'string')?.value ?? {}
  return transcriptOf('claude-code', pieces, records, skipped, { title: titleOf(records), cwd, usage })
}

/**
 * Returns the lines in the main conversation's chain, with or without messages. All other lines are counted as skipped.
 */
function chainLines(records: readonly RecordAt[], skipped: SkipLog): Line[] {
  // A subagent's own file has side chain lines only: they are its conversation.
  const ownFile = !records.some(({ value }) => isClaudeCodeMessage(value) && value.isSidechain !== true)
  const seen = new Set<string>()
  const lines: Line[] = []
  for (const { at, value } of records) {
    const uuid = asString(value.uuid)
    if (value.isSidechain === true && !ownFile) {
      skipped.add('side chain of a subagent', at)
    } else if (uuid !== undefined && seen.has(uuid)) {
      skipped.add('line repeated by a resumed session', at)
    } else {
      if (uuid !== undefined) seen.add(uuid)
      const line = chainLine(value, at, skipped)
      if (line.message !== undefined || line.boundary !== undefined || uuid !== undefined) lines.push(line)
    }
  }
  return lines
}

function chainLine(value: JsonRecord, at: number, skipped: SkipLog): Line {
  const parent = value.parentUuid
  const line: Line = {
    at,
    uuid: asString(value.uuid),
    parentUuid: parent === null ? null : asString(parent),
    message: undefined,
    role: undefined,
    boundary: undefined,
  }
  const queued = queuedPrompt(value)
  if (value.isApiErrorMessage === true) {
    skipped.add('notice of an API error', at)
  } else if (isClaudeCodeMessage(value)) {
    line.message = asRecord(value.message)
    line.role = value.type === 'assistant' ? 'assistant' : 'user'
  } else if (queued !== undefined) {
    line.message = { role: 'user', content: queued }
    line.role = 'user'
  } else if (value.type === 'system' && value.subtype === 'compact_boundary') {
    line.boundary = value
    skipped.add('mark of a compaction', at)
  } else {
    skipped.add(`no message (type ${JSON.stringify(value.type ?? null)})`, at)
  }
  return line
}

/** Whether a line holds a message of the user or the model. */
export function isClaudeCodeMessage(value: JsonRecord): boolean {
  return (value.type === 'user' || value.type === 'assistant') && isRecord(value.message)
}

/** Returns a prompt that the user typed while the agent was working; it is stored as an attachment. */
function queuedPrompt(value: JsonRecord): string | JsonRecord[] | undefined {
  const attachment = value.type === 'attachment' ? asRecord(value.attachment) : undefined
  if (attachment?.type !== 'queued_command') return undefined
  return Array.isArray(attachment.prompt) ? recordsOf(attachment.prompt) : asString(attachment.prompt)
}

/** Indices into `lines` of the branch that was continued last, in the order in which the model saw it. */
function branchLines(lines: readonly Line[], history: 'live' | 'full'): number[] {
  let leaf = lines.length - 1
  while (leaf > 0 && lines[leaf]?.message === undefined && lines[leaf]?.boundary === undefined) leaf -= 1
  if (leaf < 0) return []
  const relinked = history === 'live' ? keptParents(lines) : new Map<number, string>()
  const nodes = lines.map((line, index) => ({
    id: line.uuid,
    parent: relinked.get(index) ?? parentIn(line),
    root: rootKind(line, history),
  }))
  return activeBranch(nodes, leaf)
}

function parentIn(line: Line): string | null | undefined {
  return line.boundary === undefined ? line.parentUuid : asString(line.boundary.logicalParentUuid)
}

/** A tool result or an assistant line never starts a conversation, whatever its parent. */
function rootKind(line: Line, history: 'live' | 'full'): Linked['root'] {
  if (line.boundary !== undefined) return history === 'live' ? 'always' : 'never'
  if (line.role !== 'user') return 'never'
  const answers = recordsOf(line.message?.content).some((block) => block.type === 'tool_result')
  return answers ? 'never' : 'without-parent'
}

/**
 * Returns new parents for messages that a compaction kept verbatim after its summary (`anchorUuid`). Their lines are
 * earlier in the file, with their old parents; the lines after the summary now follow the last of them.
 */
function keptParents(lines: readonly Line[]): Map<number, string> {
  const parents = new Map<number, string>()
  const metadata = asRecord(lines.findLast((line) => line.boundary !== undefined)?.boundary?.compactMetadata)
  const kept = keptUuids(lines, metadata)
  const anchor = asString(
    (asRecord(metadata?.preservedMessages) ?? asRecord(metadata?.preservedSegment))?.anchorUuid,
  )
  const last = kept.at(-1)
  if (anchor === undefined || last === undefined) return parents
  const parentOf = new Map(kept.map((uuid, index) => [uuid, kept[index - 1] ?? anchor]))
  lines.forEach((line, index) => {
    const parent = line.uuid === undefined ? undefined : parentOf.get(line.uuid)
    if (parent !== undefined) parents.set(index, parent)
    else if (line.parentUuid === anchor) parents.set(index, last)
  })
  return parents
}

/** Newer files list the kept lines; older ones name the first and the last, and the links give those between. */
function keptUuids(lines: readonly Line[], metadata: JsonRecord | undefined): string[] {
  const byUuid = new Map(lines.map((line) => [line.uuid, line]))
  const listed = asRecord(metadata?.preservedMessages)?.uuids
  if (Array.isArray(listed)) {
    return listed.filter((uuid): uuid is string => typeof uuid === 'string' && byUuid.has(uuid))
  }
  const segment = asRecord(metadata?.preservedSegment)
  const head = asString(segment?.headUuid)
  const uuids: string[] = []
  for (let line = byUuid.get(asString(segment?.tailUuid)); line?.uuid !== undefined; ) {
    uuids.push(line.uuid)
    if (line.uuid === head) return uuids.reverse()
    const parent = line.parentUuid ?? undefined
    line = uuids.length > lines.length || parent === undefined ? undefined : byUuid.get(parent)
  }
  return []
}

/** Counts messages that are on no line of the branch. Parts of its own assistant messages are added later. */
function reportUnused(lines: readonly Line[], branch: readonly number[], skipped: SkipLog): void {
  const used = new Set(branch)
  const lastBoundary = lines.findLastIndex((line, index) => line.boundary !== undefined && used.has(index))
  const own = ownMessages(lines, branch)
  lines.forEach((line, index) => {
    if (line.message === undefined || used.has(index) || belongsTo(own, line)) return
    skipped.add(index < lastBoundary ? 'before the last compaction' : 'on a branch that was left', line.at)
  })
}

interface OwnMessages {
  messageIds: Set<string>
  callIds: Set<string>
}

function ownMessages(lines: readonly Line[], branch: readonly number[]): OwnMessages {
  const messageIds = new Set<string>()
  for (const index of branch) {
    const line = lines[index]
    const id = line?.role === 'assistant' ? asString(line.message?.id) : undefined
    if (id !== undefined) messageIds.add(id)
  }
  const callIds = new Set<string>()
  for (const line of lines) {
    const id = asString(line.message?.id)
    if (line.role !== 'assistant' || id === undefined || !messageIds.has(id)) continue
    for (const callId of callIdsOf(recordsOf(line.message?.content))) callIds.add(callId)
  }
  return { messageIds, callIds }
}

function belongsTo(own: OwnMessages, line: Line): boolean {
  if (line.role === 'assistant') return own.messageIds.has(asString(line.message?.id) ?? '')
  return answeredCall(own, line) !== undefined
}

function answeredCall(own: OwnMessages, line: Line): string | undefined {
  const ids = recordsOf(line.message?.content).map((block) => asString(block.tool_use_id) ?? '')
  return ids.find((id) => own.callIds.has(id))
}

/** Pieces of a session, and the usage of its answers, by the first line of each. */
interface Pieces {
  pieces: AnswerPiece[]
  usage: Map<number, ReportedUsage>
}

/** Converts the branch to pieces, and adds parallel calls and results stored beside it. */
function piecesOf(lines: readonly Line[], branch: readonly number[], skipped: SkipLog): Pieces {
  const own = ownMessages(lines, branch)
  const onBranch = new Set(branch)
  const partsOf = new Map<string, Line[]>()
  const besideByCall = new Map<string, Line[]>()
  lines.forEach((line, index) => {
    if (line.role === 'assistant') push(partsOf, asString(line.message?.id), line)
    else if (line.role === 'user' && !onBranch.has(index) && belongsTo(own, line)) {
      push(besideByCall, answeredCall(own, line), line)
    }
  })
  const pieces: AnswerPiece[] = []
  const usage = new Map<number, ReportedUsage>()
  const done = new Set<string>()
  for (const index of branch) {
    const line = lines[index]
    if (line?.role === 'user') pieces.push(...userPieces(line, skipped))
    if (line?.role !== 'assistant') continue
    const id = asString(line.message?.id)
    if (id !== undefined && done.has(id)) continue
    if (id !== undefined) done.add(id)
    const parts = (id === undefined ? undefined : partsOf.get(id)) ?? [line]
    const message = assistantPiece(parts, skipped)
    if (message === undefined) continue
    pieces.push(message)
    const reported = streamedUsage(parts.map((part) => part.message ?? {}))
    if (reported !== undefined) usage.set(message.at, reported)
    for (const callId of message.callIds) {
      for (const beside of besideByCall.get(callId) ?? []) pieces.push(...userPieces(beside, skipped))
    }
  }
  return { pieces, usage }
}

function push(map: Map<string, Line[]>, key: string | undefined, line: Line): void {
  if (key !== undefined) pushTo(map, key, line)
}

function assistantPiece(
  parts: readonly Line[],
  skipped: SkipLog,
): (AnswerPiece & { kind: 'assistant' }) | undefined {
  const calls = new Set<string>()
  const content: JsonRecord[] = []
  for (const part of parts) {
    for (const block of blocksOf(part.message?.content)) {
      const callId = block.type === 'tool_use' ? asString(block.id) : undefined
      if (callId !== undefined && calls.has(callId)) skipped.add('call repeated in its message', part.at)
      else if (isUnsignedThinking(block)) skipped.add('reasoning without a signature', part.at)
      else if (!isEmptyTextBlock(block)) content.push(block)
      if (callId !== undefined) calls.add(callId)
    }
  }
  const at = parts[0]?.at ?? 0
  if (content.length === 0) {
    skipped.add('empty message', at)
    return undefined
  }
  return { kind: 'assistant', value: content, callIds: [...calls], at }
}

/** Anthropic rejects reasoning without its signature. */
function isUnsignedThinking(block: JsonRecord): boolean {
  return block.type === 'thinking' && (asString(block.signature) ?? '') === ''
}

function userPieces(line: Line, skipped: SkipLog): AnswerPiece[] {
  const { at } = line
  const content = line.message?.content
  if (typeof content === 'string' && !isBlank(content)) return [{ kind: 'other', value: content, at }]
  const blocks = blocksOf(content).filter((block) => !isEmptyTextBlock(block))
  if (blocks.length === 0) skipped.add('empty message', at)
  const said = blocks.filter((block) => block.type !== 'tool_result')
  const results = blocks
    .filter((block) => block.type === 'tool_result')
    .map((value): AnswerPiece => ({ kind: 'result', value, callId: asString(value.tool_use_id) ?? '', at }))
  return said.length === 0 ? results : [...results, { kind: 'other', value: said, at }]
}

function blocksOf(content: unknown): JsonRecord[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : recordsOf(content)
}

function callIdsOf(blocks: readonly JsonRecord[]): string[] {
  return blocks.flatMap((block) =>
    block.type === 'tool_use' && typeof block.id === 'string' ? [block.id] : [],
  )
}

/**
 * The user's title, else the generated one. A `summary` line counts only if it points into this file: summaries of
 * other sessions can be in it.
 */
function titleOf(records: readonly RecordAt[]): string | undefined {
  const uuids = new Set(records.flatMap(({ value }) => (typeof value.uuid === 'string' ? [value.uuid] : [])))
  const last = (type: string, field: string): string | undefined =>
    asString(
      records.findLast(({ value }) => value.type === type && typeof value[field] === 'string')?.value[field],
    )
  const summary = records.findLast(
    ({ value }) => value.type === 'summary' && uuids.has(asString(value.leafUuid) ?? ''),
  )?.value.summary
  return last('custom-title', 'customTitle') ?? last('ai-title', 'aiTitle') ?? asString(summary)
}

/** Writes one line per prompt and per block of an answer, each the parent of the next. */
export const claudeCodeWriter: AgentWriter = {
  format: 'anthropic',
  keeps: true,
  extension: 'jsonl',
  holds: ['title', 'times', 'usage', 'requests', 'cwd'],
  write({ id, turns, title, cwd, losses }) {
    const lines: JsonRecord[] = []
    let parentUuid: string | null = null
    let sessionId = turns.map(({ request }) => request?.session).find((session) => session) ?? id
    for (const turn of turns) {
      sessionId = turn.request?.session ?? sessionId
      for (const message of turn.messages) {
        const own = linesOf(message, turn, `msg_${lineId(id, lines.length)}`)
        if (own.length === 0) losses.add(turn.at, whyNone(message))
        for (const line of own) {
          const uuid = lineId(id, lines.length)
          const chain = { parentUuid, isSidechain: false, userType: 'external', cwd, sessionId }
          lines.push({ ...chain, version: '0.0.0', gitBranch: '', ...line, uuid, timestamp: turn.time })
          parentUuid = uuid
        }
      }
    }
    if (title !== undefined) lines.push({ type: 'custom-title', customTitle: title, sessionId })
    return jsonLines(lines)
  },
}

function whyNone({ role }: JsonRecord): string {
  return role === 'assistant'
    ? 'message without text or calls'
    : `message of role ${JSON.stringify(role ?? null)}`
}

function linesOf(message: JsonRecord, { usage, request }: Turn, id: string): JsonRecord[] {
  const { content, role } = message
  if (role === 'user') return [{ type: 'user', message }]
  if (role !== 'assistant') return []
  const reported = {
    model: request?.model ?? SYNTHETIC,
    ...((usage || request?.writes) && { usage: usageFor(usage, request) }),
    ...(request?.missReason && { diagnostics: { cache_miss_reason: { type: request.missReason } } }),
  }
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asArray(content)
  const isCalling = blocks.some((block) => asRecord(block)?.type === 'tool_use')
  return blocks.map((block) => ({
    type: 'assistant',
    message: {
      // With a reason, what was reported is the final count (`streamedUsage`).
      stop_reason: usage === null ? null : isCalling ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      ...message,
      id,
      type: 'message',
      content: [block],
      ...reported,
    },
  }))
}

function usageFor(usage: Turn['usage'], request: Turn['request']): JsonRecord {
  const { input, cached, output } = usage ?? { input: 0, cached: 0, output: 0 }
  const writes = request?.writes ?? null
  const tokens = writes?.tokens
  return {
    input_tokens: Math.max(0, input - cached - (tokens ?? 0)),
    cache_creation_input_tokens: tokens,
    cache_read_input_tokens: cached,
    output_tokens: output,
    ...(writes !== null && writes.seconds !== null && { cache_creation: creationOf(writes) }),
  }
}

function creationOf(writes: CacheWrites): JsonRecord {
  const { hour, shorter } = byLife(writes) ?? { hour: 0, shorter: writes.tokens }
  return { ephemeral_5m_input_tokens: shorter, ephemeral_1h_input_tokens: hour }
}
