import type { BlockFacts, EditReport } from 'trimtab'
import type { Note } from './conversation.js'
import type { History } from './history.js'
import { editsAfter, placeOf, type SentRequest, type Trim, trimsOf } from './requests.js'

/** What the thread shows, one below the other. `key` stays the same while a conversation grows. */
export type Row =
  | {
      readonly kind: 'user' | 'text' | 'reasoning' | 'other'
      readonly key: string
      readonly block: BlockFacts
    }
  | { readonly kind: 'tool'; readonly key: string; readonly use: ToolUse }
  | { readonly kind: 'trim'; readonly key: string; readonly trim: Trim; readonly isLast: boolean }
  | { readonly kind: 'note'; readonly key: string; readonly note: Note }

/** A call and its result, and what the last request showed of them. */
export interface ToolUse {
  readonly call: BlockFacts | null
  readonly result: BlockFacts | null
  readonly edit: EditReport | null
}

interface Shown {
  readonly history: History
  readonly requests: readonly SentRequest[]
  readonly notes: readonly Note[]
}

/** The rows of a conversation. A result stands with its call; one without a call by itself. */
export function rowsOf({ history, requests, notes }: Shown): Row[] {
  const edits = editsAfter(requests)
  const trims = trimsOf(requests)
  const before = new Map<number, Row[]>()
  const put = (at: number, row: Row) => before.set(at, [...(before.get(at) ?? []), row])
  for (const note of notes) put(note.after, { kind: 'note', key: `note ${note.kind} ${note.after}`, note })
  for (const trim of trims) {
    const row: Row = { kind: 'trim', key: `trim ${trim.request}`, trim, isLast: trim === trims.at(-1) }
    put(requests[trim.request]?.messages ?? 0, row)
  }
  const rows: Row[] = []
  for (let at = 0; at <= history.messages.length; at++) {
    rows.push(...(before.get(at) ?? []))
    const message = history.messages[at]
    for (const block of message?.blocks ?? []) {
      const row = rowOf(block, history, edits)
      if (row !== null) rows.push(row)
    }
  }
  return rows
}

function rowOf(block: BlockFacts, history: History, edits: ReadonlyMap<string, EditReport>): Row | null {
  const key = placeOf(block)
  const editOf = (one: BlockFacts | undefined) =>
    one === undefined ? null : (edits.get(placeOf(one)) ?? null)
  switch (block.kind) {
    case 'tool-call': {
      const result = history.resultOf(block)
      const edit = editOf(result) ?? editOf(block)
      return { kind: 'tool', key, use: { call: block, result: result ?? null, edit } }
    }
    case 'tool-result': {
      const isAlone = history.callOf(block) === undefined
      return isAlone ? { kind: 'tool', key, use: { call: null, result: block, edit: editOf(block) } } : null
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
    default:
      return { kind: 'other', key, block }
  }
}
