import { isRecord } from '../../base/json.js'
import { unmarked } from '../../base/request-body.js'
import type { BlockFacts } from '../../generated/types.js'
import { type NeutralHistory, neutralHistory } from '../../history/read-messages.js'
import { commonLength } from './predecessor.js'
import { LAYERS, type Layer, type Part, type Prompt } from './prompt.js'
import type { ChangedBy, ChangeKind, MissCause, MissCauseName } from './types.js'

/** A cause found by comparing two bodies, without its tokens. */
export type SeenChange = Omit<MissCause, 'tokens' | 'cost'>

const CAUSES: Record<Layer, MissCauseName> = {
  tools: 'tools-changed',
  system: 'system-changed',
  settings: 'settings-changed',
  messages: 'message-changed',
}

/**
 * Returns how a request differs from the previous one, unless it only grew: one cause per part of a prompt.
 */
export function changesBetween(before: Prompt, now: Prompt): SeenChange[] {
  return LAYERS.flatMap((layer): SeenChange[] => {
    const [old, fresh] = [before, now].map(({ parts }) => parts.filter((part) => part.layer === layer)) as [
      Part[],
      Part[],
    ]
    const same = commonLength(old, fresh)
    if (layer !== 'messages') {
      if (same === old.length && same === fresh.length) return []
      return [{ cause: CAUSES[layer], ...names(old, fresh) }]
    }
    // A history that grew, or went back to an earlier point, is equal up to its end.
    if (same === old.length || same === fresh.length) return []
    return [
      { cause: CAUSES[layer], message: fresh[same]?.message ?? null, ...changeOf(before, now, old, fresh) },
    ]
  })
}

function names(old: readonly Part[], fresh: readonly Part[]): { names?: string[] } {
  const had = new Set(old.map(({ id }) => id))
  const has = new Set(fresh.map(({ id }) => id))
  const others = [...old.filter(({ id }) => !has.has(id)), ...fresh.filter(({ id }) => !had.has(id))]
  const found = new Set(others.flatMap(({ name }) => (name === undefined ? [] : [name])))
  return found.size === 0 ? {} : { names: [...found] }
}

interface Change {
  by: ChangedBy
  how: ChangeKind
}

/** How messages changed, and who usually makes such a change. */
function changeOf(before: Prompt, now: Prompt, old: readonly Part[], fresh: readonly Part[]): Change {
  const [had, has] = [old, fresh].map((parts) => new Set(parts.map(({ id }) => id))) as [
    Set<number>,
    Set<number>,
  ]
  const lost = old.filter(({ id }) => !has.has(id))
  const come = fresh.filter(({ id }) => !had.has(id))
  if (lost.length === 0) {
    return isSameOrder(old, fresh) ? { by: 'host', how: 'inserted' } : { by: 'client', how: 'reordered' }
  }
  if (isRespelled(before, now, lost, come)) return { by: 'client', how: 'rewritten' }
  if (isCleared(before, now)) return { by: 'policy', how: 'cleared' }
  const next = fresh[commonLength(old, fresh)] as Part
  if (had.has(next.id)) return { by: 'host', how: 'removed' }
  return { by: 'host', how: isMuchLess(old, fresh) ? 'compacted' : 'changed' }
}

/** Whether all parts of one list are in the other, in the same order. */
function isSameOrder(old: readonly Part[], fresh: readonly Part[]): boolean {
  let at = 0
  for (const part of fresh) if (part.id === old[at]?.id) at++
  return at === old.length
}

/** A history that is shorter than this fraction of the previous one was compacted. */
const COMPACTED_TO = 0.6

function isMuchLess(old: readonly Part[], fresh: readonly Part[]): boolean {
  return fresh.length < COMPACTED_TO * old.length
}

/** Whether the messages are equal except for the order of fields, or white space at the ends of strings. */
function isRespelled(before: Prompt, now: Prompt, lost: readonly Part[], come: readonly Part[]): boolean {
  const plain = ({ messages }: Prompt, parts: readonly Part[]): string[] => {
    const places = [...new Set(parts.flatMap(({ message }) => (message === undefined ? [] : [message])))]
    return places.map((place) => sorted(messages[place]))
  }
  const said = new Set(plain(now, come))
  return plain(before, lost).every((text) => said.has(text))
}

function sorted(value: unknown): string {
  return JSON.stringify(JSON.parse(unmarked(value)), (_, inner: unknown) => {
    if (typeof inner === 'string') return inner.trim()
    if (!isRecord(inner)) return inner
    const entries = Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(entries)
  })
}

/**
 * Whether only old tool results, arguments of calls or reasoning changed, and each was shortened or removed,
 * as policies do.
 */
function isCleared(before: Prompt, now: Prompt): boolean {
  const [old, fresh] = [before, now].map(({ format, messages }) => neutralHistory(messages, format)) as [
    NeutralHistory,
    NeutralHistory,
  ]
  const texts = textsOf(fresh)
  let cleared = 0
  for (const [key, text] of textsOf(old)) {
    const left = texts.get(key)
    if (left === text) continue
    const isLess = left === undefined || left.length < text.length
    if (key.startsWith('text ') || key.startsWith('file ') || !isLess) return false
    cleared++
  }
  return cleared > 0
}

/** The texts of a history's blocks, by a key that does not depend on their position. */
function textsOf(history: NeutralHistory): Map<string, string> {
  const counts = new Map<string, number>()
  return new Map(
    history.blocks().map((block) => {
      const text = history.textOf(block)
      const name = nameOf(block, text)
      const count = counts.get(name) ?? 0
      counts.set(name, count + 1)
      return [`${name} ${count}`, text]
    }),
  )
}

/**
 * A call and its result are identified by an id, or by a position among the tool uses; other blocks by their
 * text.
 */
function nameOf({ callId, kind, role, toolUse }: BlockFacts, text: string): string {
  if (kind === 'tool-call' || kind === 'tool-result') return `${kind} ${callId ?? toolUse}`
  return `${kind} ${role} ${text}`
}
