import { notice } from '../opening.js'
import { activity, past, replay, shown } from '../state.js'
import { viewed } from '../viewed.js'
import { lazily } from './lazily.js'

// Most chats have one segment: this code is loaded once there is another.
const parts = () => import('./segment-parts.js')

export const SummaryRow = lazily(async () => (await parts()).SummaryRow)
export const Offered = lazily(async () => (await parts()).Offered)
export const SegmentBar = lazily(async () => (await parts()).SegmentBar)
const List = lazily(async () => (await parts()).SegmentList)

/** The segments of the open conversation, if there is more than one. */
export function Segments({ onDone }: { onDone(): void }) {
  const { earlier, summaries } = shown.value.conversation
  const hasMore = viewed.value !== null || earlier.length > 0 || summaries.length > 0
  return hasMore ? <List onDone={onDone} /> : null
}

/** Returns whether the chat can be compacted: its present state is shown, and no work is in progress. */
export const canCompact = (): boolean =>
  replay.value === null &&
  past.value === null &&
  viewed.value === null &&
  activity.value === null &&
  shown.value.messages.length > 1

export async function startCompaction(): Promise<void> {
  try {
    await (await import('../compaction.js')).offerCompaction()
  } catch {
    notice.value = 'The code that compacts a chat could not be loaded.'
  }
}
