import type { BlockFacts, EditReport, MessageFacts } from 'trimtab'
import { sameBeginning } from '../same-beginning.js'
import type { Note } from './draft.js'
import { factsOf, type History, RecordedHistory, workedOut } from './history.js'
import { placeOf, type SentRequest } from './requests.js'
import type { Trim } from './trims.js'
import type { Variants } from './variants.js'

/** A row of the thread. `key` stays the same while a conversation grows. */
export type Row =
  | {
      readonly kind: 'user' | 'summary' | 'text' | 'reasoning' | 'other'
      readonly key: string
      readonly block: BlockFacts
    }
  | ToolRow
  | GroupRow
  | { readonly kind: 'trim'; readonly key: string; readonly trim: Trim; readonly isLast: boolean }
  | { readonly kind: 'note'; readonly key: string; readonly note: Note }
  | VariantsRow

/** Switches between branches. */
export interface VariantsRow {
  readonly kind: 'variants'
  readonly key: string
  readonly variants: Variants
}

export interface ToolRow {
  readonly kind: 'tool'
  readonly key: string
  readonly use: ToolUse
  /** The key of the group that contains it. */
  readonly group?: string
}

/** A row that replaces consecutive calls; if it is open, their rows follow it. */
export interface GroupRow {
  readonly kind: 'group'
  readonly key: string
  readonly uses: readonly ToolUse[]
  readonly isOpen: boolean
}

/** A call and its result. */
export interface ToolUse {
  readonly call: BlockFacts | null
  readonly result: BlockFacts | null
}

interface Shown {
  readonly history: History
  readonly requests: readonly SentRequest[]
  readonly trims: readonly Trim[]
  readonly notes: readonly Note[]
  /** Indices of messages that contain a summary of the messages before them. */
  readonly summaries?: readonly number[]
}

/** Returns the edit of a tool use in the last request, or `null`. */
export const editOf = (
  { call, result }: ToolUse,
  edits: ReadonlyMap<string, EditReport>,
): EditReport | null => (result && edits.get(placeOf(result))) ?? (call && edits.get(placeOf(call))) ?? null

/** Returns the messages that a row shows parts of. */
export function messagesOf(row: Row): number[] {
  if (row.kind === 'tool') return [row.use.call, row.use.result].flatMap((block) => block?.message ?? [])
  if (row.kind === 'group') return []
  return 'block' in row ? [row.block.message] : []
}

/** Indices of the blocks of a message that a row shows. */
export function blocksOf(row: Row, message: number): number[] {
  const held = row.kind === 'tool' ? [row.use.call, row.use.result] : 'block' in row ? [row.block] : []
  return held.flatMap((one) => (one?.message === message ? one.block : []))
}

/** Returns the rows of a conversation. A result is part of its call's row; a result without a call has its own. */
export function rowsOf({ history, requests, trims, notes, summaries = [] }: Shown): Row[] {
  const between = new Map<number, Row[]>()
  const put = (at: number, row: Row) => {
    const there = between.get(at)
    if (there === undefined) between.set(at, [row])
    else there.push(row)
  }
  for (const note of notes) put(note.after, { kind: 'note', key: `note ${note.kind} ${note.after}`, note })
  for (const trim of trims) {
    const key = `${trim.by === 'user' ? 'excluded' : 'trim'} ${trim.request}`
    const row: Row = { kind: 'trim', key, trim, isLast: trim === trims.at(-1) }
    put(requests[trim.request]?.messages ?? 0, row)
  }
  const rows: Row[] = []
  let reached = 0
  const putUpTo = (message: number) => {
    for (; reached <= message; reached++) {
      for (const row of between.get(reached) ?? []) rows.push(row)
    }
  }
  const { length } = history.messages
  const isWhole = length === factsOf(history).length
  for (const row of blockRows(history)) {
    const message = messageOf(row)
    if (message >= length) break
    if (reached <= message) putUpTo(message)
    if (row.kind === 'user' && summaries.includes(message)) rows.push({ ...row, kind: 'summary' })
    else rows.push(isWhole ? row : asOf(row, length))
  }
  putUpTo(length)
  return rows
}

/** Returns a row as of the first `length` messages: a later result is removed. */
function asOf(row: Row, length: number): Row {
  if (row.kind !== 'tool' || (row.use.result?.message ?? 0) < length) return row
  return { ...row, use: { call: row.use.call, result: null } }
}

/** Returns the message in which a block's row begins. */
function messageOf(row: Row): number {
  if ('block' in row) return row.block.message
  return row.kind === 'tool' ? ((row.use.call ?? row.use.result)?.message ?? 0) : 0
}

/** Inserts rows of variants, each before the first row of its message. */
export function withVariants(rows: readonly Row[], variants: readonly VariantsRow[]): readonly Row[] {
  if (variants.length === 0) return rows
  const list: Row[] = []
  let next = 0
  for (const row of rows) {
    for (const at = messageOf(row); (variants[next]?.variants.message ?? Infinity) <= at; next++)
      list.push(variants[next] as Row)
    list.push(row)
  }
  return [...list, ...variants.slice(next)]
}

interface BlockRows {
  readonly facts: readonly MessageFacts[]
  readonly rows: readonly Row[]
}

/** Returns the rows of a history's blocks, or of the longer history that it is a prefix of. */
export const blockRows = (history: History): readonly Row[] => rowsOfBlocks(history).rows

const rowsOfBlocks = workedOut<BlockRows>((history, before = { facts: [], rows: [] }) => {
  const facts = factsOf(history)
  const whole = history instanceof RecordedHistory ? history.before(facts.length) : history
  const same = sameBeginning(before.facts, facts)
  const rows = before.rows.slice(0, firstRowFrom(before.rows, same)).map((row) => renewed(row, whole))
  for (const { blocks } of facts.slice(same)) {
    for (const block of blocks) {
      const row = rowOf(block, whole)
      if (row !== null) rows.push(row)
    }
  }
  return { facts, rows }
})

/** Returns the index of the first row of a message or a later one: rows are in the order of their messages. */
function firstRowFrom(rows: readonly Row[], message: number): number {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (messageOf(rows[middle] as Row) < message) from = middle + 1
    else to = middle
  }
  return from
}

/** Updates a row of a shorter history: the result of its call may be new or different. */
function renewed(row: Row, history: History): Row {
  if (row.kind !== 'tool' || row.use.call === null) return row
  const result = history.resultOf(row.use.call) ?? null
  return result === row.use.result ? row : { ...row, use: { call: row.use.call, result } }
}

function rowOf(block: BlockFacts, history: History): Row | null {
  const key = placeOf(block)
  switch (block.kind) {
    case 'tool-call':
      return { kind: 'tool', key, use: { call: block, result: history.resultOf(block) ?? null } }
    case 'tool-result': {
      const isAlone = history.callOf(block) === undefined
      return isAlone ? { kind: 'tool', key, use: { call: null, result: block } } : null
    }
    case 'reasoning':
      return block.tokens === 0 ? null : { kind: 'reasoning', key, block }
    case 'text': {
      if (block.utf16 === 0) return null
      return {
        kind: block.role === 'user' ? 'user' : block.role === 'assistant' ? 'text' : 'other',
        key,
        block,
      }
    }
    // Marks of signed reasoning are empty.
    case 'unknown':
      return block.tokens === 0 ? null : { kind: 'other', key, block }
    default:
      return { kind: 'other', key, block }
  }
}
