import { computed } from '@preact/signals'
import { grouped, groupOf } from '../agent/groups.js'
import { type Row, type VariantsRow, withVariants } from '../agent/thread.js'
import { variantsOf } from '../agent/variants.js'
import { sessions } from '../session-index.js'
import { activity, draft, isPlaying, replay, shown } from '../state.js'
import { viewed } from '../viewed.js'
import { keptSignal } from './kept-signal.js'

/** Groups that the user opened or closed, by key. */
const chosen = (conversation: object) =>
  keptSignal<ReadonlyMap<string, boolean>>(conversation, 'groups', new Map())

/** Rows that switch between the open chat and its branches. */
const variantRows = computed<readonly VariantsRow[]>(() => {
  const { conversation, messages } = shown.value
  // After a compaction indices differ, and recorded sessions are not stored.
  if (replay.value !== null || viewed.value !== null || conversation.earlier.length > 0) return []
  return variantsOf(conversation, sessions.value)
    .filter(({ message }) => message <= messages.length)
    .map((variants) => ({ kind: 'variants' as const, key: `variants ${variants.message}`, variants }))
})

/** The rows of the thread. Calls in progress are shown one by one, and grouped when something else follows. */
export const threadRows = computed<readonly Row[]>(() => {
  const { conversation } = shown.value
  const rows = withVariants(shown.value.rows, variantRows.value)
  const isWorking = activity.value !== null || isPlaying.value
  const said = chosen(conversation).value
  return grouped(rows, (group, isLast) => said.get(group) ?? (isLast && isWorking))
})

/** Whether the thread shows nothing yet, not even an answer that has begun. */
export const isEmpty = computed(
  () => threadRows.value.length === 0 && draft.value === null && activity.value === null,
)

/** Whether the composer waits for the first message of a chat. */
export const isFirstMessage = computed(() => isEmpty.value && replay.value === null && viewed.value === null)

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
