import { computed } from '@preact/signals'
import { grouped, groupOf } from '../agent/groups.js'
import type { Row } from '../agent/thread.js'
import { activity, isPlaying, shown } from '../state.js'
import { keptSignal } from './kept-signal.js'

/** Groups that the user opened or closed, by key. */
const chosen = (conversation: object) =>
  keptSignal<ReadonlyMap<string, boolean>>(conversation, 'groups', new Map())

/** The rows of the thread. Calls in progress are shown one by one, and grouped when something else follows. */
export const threadRows = computed<readonly Row[]>(() => {
  const { rows, conversation } = shown.value
  const isWorking = activity.value !== null || isPlaying.value
  const said = chosen(conversation).value
  return grouped(rows, (group, isLast) => said.get(group) ?? (isLast && isWorking))
})

export function openGroup(group: string, isOpen: boolean): void {
  const groups = chosen(shown.peek().conversation)
  if (groups.peek().get(group) !== isOpen) groups.value = new Map(groups.peek()).set(group, isOpen)
}

/** Makes sure that a row is shown, opening its group; returns `false` if no row has this key. */
export function reveal(key: string): boolean {
  const { rows } = shown.peek()
  if (threadRows.peek().some((row) => row.key === key)) return true
  if (!rows.some((row) => row.key === key)) return false
  const group = groupOf(rows, key)
  if (group !== null) openGroup(group, true)
  return true
}
