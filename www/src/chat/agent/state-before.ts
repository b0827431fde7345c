import type { State } from 'trimtab'

/** An edit with the first request that had it, and the first later request without it. */
interface Span {
  readonly from: number
  readonly until: number
  readonly row: number[]
}

/**
 * Returns the decisions before the first request that covered at least `blocks` blocks, without those of that request
 * and later ones; `undefined` if no request precedes it.
 *
 * @param state A later state.
 */
export function stateBefore({ version, edits, sent }: State, blocks: number): State | undefined {
  const requests = sent?.requests.filter(([made = 0]) => made < blocks) ?? []
  if (sent === undefined || requests.length === 0) return undefined
  const count = requests.length
  const spans = [
    ...edits.map((row, at): Span => ({ from: sent.since[at] ?? count, until: Infinity, row })),
    ...sent.past.map(([from = 0, until = 0, ...row]): Span => ({ from, until, row })),
  ].filter(({ from }) => from < count)
  const standing = spans.filter(({ until }) => until >= count).sort(byPlace)
  const past = spans.filter(({ until }) => until < count).map(({ from, until, row }) => [from, until, ...row])
  const since = standing.map(({ from }) => from)
  return { version, edits: standing.map(({ row }) => row), sent: { ...sent, requests, since, past } }
}

/** Compares rows by their first two numbers: the message, and the block's index in it. */
function byPlace({ row: one }: Span, { row: other }: Span): number {
  const [message = 0, block = 0] = one
  const [otherMessage = 0, otherBlock = 0] = other
  return message - otherMessage || block - otherBlock
}
