import { asRecord, asString, isBlank, isRecord, type JsonRecord, recordsOf } from '../base/json.js'
import { type Losses, leftOut } from '../formats/lost.js'
import { isEmptyTextBlock } from '../formats/provider-messages.js'
import { type AnswerPiece, transcriptOf } from './answer-lines.js'
import { activeBranch } from './branch.js'
import type { SkipLog } from './skip-log.js'
import type { RecordAt, Transcript } from './types.js'
import { unansweredCalls } from './unanswered.js'
import { type AgentWriter, jsonLines, type SessionToWrite, type Turn } from './writing.js'

/**
 * Reads pi session files: JSONL, a `session` header, then entries. From version 2 on, entries are linked by `id` and
 * `parentId`; version 1 is a plain sequence.
 */
export function readPi(
  records: readonly RecordAt[],
  skipped: SkipLog,
  history: 'live' | 'full',
): Omit<Transcript, 'skipped'> {
  const branch = branchOf(records, skipped)
  const live = history === 'live' ? afterCompaction(branch, skipped) : branch
  const pieces = asSent(live, skipped)
  const title = asString(records.findLast(({ value }) => value.type === 'session_info')?.value.name)
  const { cwd } = records.find(({ value }) => value.type === 'session')?.value ?? {}
  return transcriptOf('pi', pieces, records, skipped, { title, cwd })
}

/** Whether an entry has a message. */
export function isPiMessage({ type, message }: JsonRecord): boolean {
  return type === 'message' && isRecord(message)
}

function branchOf(records: readonly RecordAt[], skipped: SkipLog): RecordAt[] {
  const entries = records.filter(({ value }) => value.type !== 'session')
  if (entries.length === 0) return []
  const nodes = entries.map(({ value }) => ({
    id: asString(value.id),
    parent: value.parentId === null ? null : asString(value.parentId),
    root: 'without-parent' as const,
  }))
  const branch = activeBranch(nodes, entries.length - 1)
  const used = new Set(branch)
  entries.forEach(({ at, value }, index) => {
    if (!used.has(index) && value.type === 'message') skipped.add('on a branch that was left', at)
  })
  return branch.flatMap((index) => entries[index] ?? [])
}

/** Applies the newest compaction: it replaces the entries before it, except those it lists as kept. */
function afterCompaction(branch: readonly RecordAt[], skipped: SkipLog): RecordAt[] {
  const at = branch.findLastIndex(({ value }) => value.type === 'compaction')
  const compaction = branch[at]
  if (compaction === undefined) return [...branch]
  const before = branch.slice(0, at)
  const kept = before.slice(firstKept(before, compaction.value))
  for (const { at: line, value } of before.slice(0, before.length - kept.length)) {
    if (value.type === 'message') skipped.add('before the last compaction', line)
  }
  return [compaction, ...kept.filter(({ value }) => value.type !== 'compaction'), ...branch.slice(at + 1)]
}

function firstKept(before: readonly RecordAt[], compaction: JsonRecord): number {
  const byId = before.findIndex(
    ({ value }) => value.id !== undefined && value.id === compaction.firstKeptEntryId,
  )
  if (byId !== -1) return byId
  // Version 1 numbers the entries of the file, with the header as 0.
  if (typeof compaction.firstKeptEntryIndex === 'number') {
    return Math.min(Math.max(0, compaction.firstKeptEntryIndex - 1), before.length)
  }
  return before.length
}

/**
 * Converts entries to what pi sends of them: answers that failed or were aborted are left out with their results, and a
 * call without a result gets one.
 */
function asSent(entries: readonly RecordAt[], skipped: SkipLog): AnswerPiece[] {
  const broken = new Set<string>()
  for (const { value } of entries) {
    const message = asRecord(value.message)
    if (isBroken(message)) for (const { id } of recordsOf(message?.content)) broken.add(wireId(id))
  }
  const pieces = entries.flatMap((entry) => piecesOf(entry, skipped))
  const called = new Set(pieces.flatMap((piece) => (piece.kind === 'assistant' ? piece.callIds : [])))
  const sent = pieces.filter((piece) => {
    const isLeft = piece.kind === 'result' && broken.has(piece.callId) && !called.has(piece.callId)
    if (isLeft) skipped.add('result of an answer that was left out', piece.at)
    return !isLeft
  })
  const missing = unansweredCalls(sent).map(({ callId, at }): AnswerPiece => {
    const value = { type: 'tool_result', tool_use_id: callId, content: 'No result provided', is_error: true }
    return { kind: 'result', value, callId, at }
  })
  return [...sent, ...missing]
}

/** Whether an answer failed or was aborted; pi does not send it again. */
function isBroken(message: JsonRecord | undefined): boolean {
  return message?.role === 'assistant' && (message.stopReason === 'error' || message.stopReason === 'aborted')
}

function piecesOf({ at, value }: RecordAt, skipped: SkipLog): AnswerPiece[] {
  const message = asRecord(value.message)
  if (value.type === 'message' && message !== undefined) return messagePieces(message, at, skipped)
  if (value.type === 'custom_message') return said(value.content, at, skipped)
  if (value.type === 'branch_summary' || value.type === 'compaction') return said(value.summary, at, skipped)
  skipped.add(`no message (type ${JSON.stringify(value.type ?? null)})`, at)
  return []
}

function messagePieces(message: JsonRecord, at: number, skipped: SkipLog): AnswerPiece[] {
  switch (message.role) {
    case 'user':
    case 'custom':
    case 'hookMessage':
      return said(message.content, at, skipped)
    case 'branchSummary':
    case 'compactionSummary':
      return said(message.summary, at, skipped)
    case 'bashExecution':
      return bashExecution(message, at, skipped)
    case 'assistant':
      return assistant(message, at, skipped)
    case 'toolResult':
      return [toolResult(message, at)]
    default:
      skipped.add(`unknown role ${JSON.stringify(message.role ?? null)}`, at)
      return []
  }
}

function said(content: unknown, at: number, skipped: SkipLog): AnswerPiece[] {
  if (typeof content === 'string' && !isBlank(content)) return [{ kind: 'other', value: content, at }]
  const blocks = blocksOf(content)
  if (blocks.length > 0) return [{ kind: 'other', value: blocks, at }]
  skipped.add('empty message', at)
  return []
}

/** Converts a command that the user ran from the prompt; `!!` hides it from the model. */
function bashExecution(message: JsonRecord, at: number, skipped: SkipLog): AnswerPiece[] {
  if (message.excludeFromContext === true) {
    skipped.add('kept from the model by the user', at)
    return []
  }
  const exit =
    typeof message.exitCode === 'number' && message.exitCode !== 0 ? `\nexit code ${message.exitCode}` : ''
  const text = `The user ran \`${asString(message.command) ?? ''}\`:\n${asString(message.output) ?? ''}${exit}`
  return [{ kind: 'other', value: text, at }]
}

function assistant(message: JsonRecord, at: number, skipped: SkipLog): AnswerPiece[] {
  if (isBroken(message)) {
    skipped.add('answer that failed or was aborted (pi does not send it again)', at)
    return []
  }
  const content: JsonRecord[] = []
  const callIds: string[] = []
  for (const block of recordsOf(message.content)) {
    if (block.type === 'toolCall') {
      const id = wireId(block.id)
      callIds.push(id)
      content.push({
        type: 'tool_use',
        id,
        name: asString(block.name) ?? '',
        input: asRecord(block.arguments) ?? {},
      })
    } else if (block.type === 'thinking') {
      const signature =
        message.api === undefined || message.api === 'anthropic-messages' ? block.thinkingSignature : ''
      if (typeof signature === 'string' && signature !== '') {
        content.push({ type: 'thinking', thinking: asString(block.thinking) ?? '', signature })
      } else skipped.add('reasoning without a signature', at)
    } else content.push(...blocksOf([block]))
  }
  if (content.length > 0) return [{ kind: 'assistant', value: content, callIds, at }]
  skipped.add('empty message', at)
  return []
}

function toolResult(message: JsonRecord, at: number): AnswerPiece {
  const id = wireId(message.toolCallId)
  const blocks = blocksOf(message.content)
  const [only] = blocks
  const content = blocks.length === 1 && only?.type === 'text' ? only.text : blocks
  const value = {
    type: 'tool_result',
    tool_use_id: id,
    content,
    ...(message.isError === true ? { is_error: true } : {}),
  }
  return { kind: 'result', value, callId: id, at }
}

function blocksOf(content: unknown): JsonRecord[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : recordsOf(content)
  return blocks.map(wireBlock).filter((block) => !isEmptyTextBlock(block))
}

function wireBlock(block: JsonRecord): JsonRecord {
  if (block.type === 'text') return { type: 'text', text: block.text }
  if (block.type !== 'image' || typeof block.data !== 'string') return block
  return { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } }
}

/** Replaces characters that Anthropic rejects in ids; pi keeps the ids of any provider. */
function wireId(id: unknown): string {
  return (asString(id) ?? '').replace(/[^a-zA-Z0-9_-]/g, '_')
}

/** Writes a header and a chain of entries, in the form of version 3. */
export const piWriter: AgentWriter = {
  format: 'anthropic',
  keeps: true,
  extension: 'jsonl',
  // Of a request, only its model and the tokens written to the cache.
  holds: ['title', 'times', 'usage', 'cwd'],
  write(session) {
    const { id, turns, title, cwd } = session
    const timestamp = turns[0]?.time ?? new Date(0).toISOString()
    const named = title === undefined ? [] : [{ type: 'session_info', timestamp, name: title }]
    const entries = [...named, ...entriesOf(session)].map((entry, n) => ({
      ...entry,
      id: entryId(n),
      parentId: n === 0 ? null : entryId(n - 1),
    }))
    return jsonLines([{ type: 'session', version: 3, id, timestamp, cwd }, ...entries])
  },
}

/** Eight digits, as in pi's own ids. */
const entryId = (n: number): string => n.toString(16).padStart(8, '0')

function entriesOf({ turns, losses }: SessionToWrite): JsonRecord[] {
  const tools = new Map<unknown, unknown>()
  return turns.flatMap((turn) => {
    const writer = new EntryWriter(turn, losses, tools)
    const timestamp = Date.parse(turn.time)
    return turn.messages
      .flatMap((message) => writer.write(message))
      .map((message) => ({ type: 'message', timestamp: turn.time, message: { ...message, timestamp } }))
  })
}

/** Converts messages of Anthropic to pi's, and records what these cannot hold. */
class EntryWriter {
  readonly #turn: Turn
  readonly #losses: Losses
  /** Names of the tools, by the ids of their calls. */
  readonly #tools: Map<unknown, unknown>

  constructor(turn: Turn, losses: Losses, tools: Map<unknown, unknown>) {
    this.#turn = turn
    this.#losses = losses
    this.#tools = tools
  }

  write(message: JsonRecord): JsonRecord[] {
    const { content, role } = message
    this.#losses.unread(this.#turn.at, message, ['content'], 'a message')
    if (role !== 'user' && role !== 'assistant')
      return this.#lose(`message of role ${JSON.stringify(role ?? null)}`)
    if (role === 'user' && typeof content === 'string') return [{ role, content }]
    const blocks = this.#blocks(content)
    if (role === 'assistant') return [this.#answer(blocks)]
    const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => this.#result(block))
    const others = blocks.filter(({ type }) => type !== 'tool_result')
    const said = this.#said(others)
    if (said.length > 0) return [...results, { role, content: said }]
    const isLost = results.length === 0 && others.length > 0
    return isLost ? [{ role, content: leftOut(others.map(nameOf)) }] : results
  }

  #answer(blocks: readonly JsonRecord[]): JsonRecord {
    const { usage, request } = this.#turn
    const written = blocks.flatMap((block) => this.#answerBlock(block))
    // Reasoning is accepted only if something follows it.
    const isThought = written.every(({ type }) => type === 'thinking')
    const content = isThought ? written.flatMap(() => this.#lose('reasoning')) : written
    return {
      role: 'assistant',
      content,
      api: 'anthropic-messages',
      provider: 'anthropic',
      ...(request?.model && { model: request.model }),
      usage: usageFor(usage, request?.writes?.tokens ?? 0),
      stopReason: content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop',
    }
  }

  #answerBlock(block: JsonRecord): JsonRecord[] {
    const { id, input, name, signature, thinking, type } = block
    if (type === 'thinking') {
      this.#unread(block, ['thinking', 'signature'])
      return [{ type, thinking, thinkingSignature: signature }]
    }
    if (type !== 'tool_use') return this.#said([block])
    this.#unread(block, ['name', 'input'])
    this.#tools.set(id, name)
    if (!isRecord(input)) this.#lose('arguments that are no object')
    return [{ type: 'toolCall', id, name, arguments: input }]
  }

  #result(block: JsonRecord): JsonRecord {
    const { content, is_error: isError = false, tool_use_id: toolCallId } = block
    this.#unread(block, ['content', 'tool_use_id'])
    const toolName = this.#tools.get(toolCallId) ?? ''
    return { role: 'toolResult', toolCallId, toolName, content: this.#said(this.#blocks(content)), isError }
  }

  #blocks(content: unknown): JsonRecord[] {
    return this.#losses.parts(this.#turn.at, content, 'content')
  }

  #said(blocks: readonly JsonRecord[]): JsonRecord[] {
    return blocks.flatMap((block) => {
      const { data, media_type: mimeType } = asRecord(block.source) ?? {}
      const isImage = block.type === 'image' && typeof data === 'string'
      if (block.type !== 'text' && !isImage) return this.#lose(nameOf(block))
      this.#unread(block, isImage ? ['source'] : ['text'])
      return isImage ? { type: 'image', data, mimeType } : { type: 'text', text: block.text }
    })
  }

  #unread(block: JsonRecord, read: readonly string[]): void {
    this.#losses.unread(this.#turn.at, block, read, `a block of type ${JSON.stringify(block.type)}`)
  }

  #lose(what: string): never[] {
    this.#losses.add(this.#turn.at, what)
    return []
  }
}

/** Names a block by its type. */
const nameOf = ({ type }: JsonRecord): string => `block of type ${JSON.stringify(type ?? null)}`

function usageFor(usage: Turn['usage'], cacheWrite: number): JsonRecord {
  const { input, cached, output } = usage ?? { input: 0, cached: 0, output: 0 }
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
  const uncached = Math.max(0, input - cached - cacheWrite)
  return { input: uncached, output, cacheRead: cached, cacheWrite, totalTokens: input + output, cost }
}
