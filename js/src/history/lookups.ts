// What only some features ask of a history: functions, so that bundlers leave out those that are not used.
import {
  blockText as blockTextIn,
  enter,
  planPlaceholders,
  recall as recallIn,
  steps as stepsIn,
  unbound as unboundIn,
  usage as usageIn,
} from '../engine/core.js'
import type { TokensByKind } from '../generated/types.js'
import type { PreparedPolicy } from '../policy/prepared-policy.js'
import { editMessage, type MessageEdit, type PathStep } from './apply.js'
import { type EditParts, type History, NO_LIMIT, type PlannedView } from './history.js'

/** The original content of a result. */
export interface Original {
  message: number
  block: number
  tool: string
  path: string | null
  text: string
  /** Whether the result is text alone. */
  isText: boolean
  /** The content of the result, as the host's own value. */
  content: unknown
}

/** A message of a view, with other texts for some of its edits, by the position of the edit in the plan. */
export interface OtherTexts<M> {
  shown: M
  texts: ReadonlyMap<number, string>
}

/** Number of assistant messages. */
export function steps(history: History, messages: readonly object[]): number {
  const engine = history.follow(messages)
  return enter(() => stepsIn(engine))
}

export function usage(history: History, messages: readonly object[]): TokensByKind {
  const engine = history.follow(messages)
  return enter(() => usageIn(engine) as TokensByKind)
}

/** The text of a block of a message that was read; empty for files and unknown blocks. */
export function blockText(
  history: History,
  messages: readonly object[],
  index: number,
  block: number,
): string {
  const engine = history.withMessage(messages, index)
  return enter(() => blockTextIn(engine, history.host, messages, index, block))
}

/** Returns the original of the result with this reference. */
export function originalOf(history: History, messages: readonly object[], reference: string): Original {
  const engine = history.follow(messages)
  return enter(() => {
    const found = recallIn(engine, history.host, history.seen, reference) as Omit<Original, 'content'>
    const path = engine.contentPath(found.message, found.block) as PathStep[]
    const content = path.reduce(
      (value, step) => (value as Record<PathStep, unknown>)[step],
      history.seen[found.message] as unknown,
    )
    return { ...found, content }
  })
}

/** The messages with every tool result cleared. */
export function placeholders<M extends object>(
  history: History,
  messages: readonly M[],
  policy: PreparedPolicy,
): M[] {
  const engine = history.follow(messages)
  const compiled = policy.compiled()
  const numbers = enter(() => planPlaceholders(engine, history.host, history.seen, compiled))
  return history.apply<M>(engine, policy, numbers).messages
}

/** Returns messages of a view with other texts at some edits of each. */
export function withTexts<M extends object>(
  history: History,
  messages: readonly object[],
  policy: PreparedPolicy,
  view: PlannedView,
  changes: readonly OtherTexts<M>[],
): M[] {
  const engine = history.load(messages, policy, view)
  const compiled = policy.compiled()
  return changes.map(({ shown, texts }) => {
    const edits = [...texts].map(([edit, text]): MessageEdit => {
      const [path, slot] = enter(() => engine.edit(history.host, history.seen, compiled, edit)) as EditParts
      return { path, slot, text }
    })
    return editMessage(shown, edits)
  })
}

/** Signed reasoning of the unedited history whose preceding content differs from what was sent when it was made. */
export function unbound(history: History, messages: readonly object[], policy: PreparedPolicy): Uint32Array {
  const engine = history.follow(messages)
  const compiled = policy.compiled()
  return enter(() => {
    engine.load(history.host, history.seen, compiled, new Uint32Array())
    // Matches the restored decisions with the history, which the engine does on request only.
    engine.state(history.host, history.seen, compiled, NO_LIMIT)
    return unboundIn(engine, true)
  })
}
