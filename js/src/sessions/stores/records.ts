import { unreadable } from './errors.js'
import type { StoredSession } from './store.js'

/** Of each writer, how many entries. */
type Counts = Readonly<Record<string, number>>

/** What a writer has seen of a session: the version of {@link unstorageStore}. */
export interface Known {
  /** The highest stamp. */
  stamp: number
  seen: Counts
  /** What the checkpoint that counts replaced. */
  covers: Counts
}

/** An entry as it is stored. */
interface Content {
  /** One more than the highest that its writer had seen: who saw an entry comes after it. */
  stamp: number
  /** For a checkpoint: what it replaces. */
  covers?: Counts | undefined
  entry: string
}

export interface StoredRecord extends Content {
  writer: string
  /** Each writer counts its own, from 1. */
  number: number
}

// Not JSON as a whole: unstorage would parse it, and drop keys such as `__proto__` from a host's messages.
const START = 'trimtab '

export function formatRecord({ stamp, covers, entry }: Content): string {
  return `${START}${JSON.stringify(covers === undefined ? { stamp } : { stamp, covers })}\n${entry}`
}

export function parseRecord(id: string, writer: string, number: number, value: unknown): StoredRecord {
  if (typeof value === 'string' && value.startsWith(START)) {
    const end = value.indexOf('\n')
    try {
      const head = JSON.parse(value.slice(START.length, end)) as Omit<Content, 'entry'>
      if (end > 0) return { ...head, writer, number, entry: value.slice(end + 1) }
    } catch {
      // Said below.
    }
  }
  throw unreadable(id, `entry ${number} of writer ${writer} is none of this store`)
}

export const parseKnown = (version: string): Known => JSON.parse(version) as Known

const inOrder = (a: StoredRecord, b: StoredRecord) => a.stamp - b.stamp || (a.writer < b.writer ? -1 : 1)

/**
 * The session that the records make: the last checkpoint, and what it did not know of, in an order that follows from
 * the records alone. `undefined` where some are missing.
 */
export function liveRecords(
  records: readonly StoredRecord[],
): (Pick<StoredSession, 'entries' | 'unmerged'> & { known: Known }) | undefined {
  const sorted = [...records].sort(inOrder)
  const checkpoint = sorted.findLast((record) => record.covers !== undefined)
  if (checkpoint?.covers === undefined) return undefined
  const { covers } = checkpoint
  const live = sorted.filter((record) => record.number > (covers[record.writer] ?? 0))
  const seen: Record<string, number> = { ...covers }
  for (const { writer, number } of live) {
    if (number !== (seen[writer] ?? 0) + 1) return undefined
    seen[writer] = number
  }
  const others = live.filter((record) => record !== checkpoint)
  return {
    entries: [checkpoint, ...others.filter((record) => record.covers === undefined)].map(
      ({ entry }) => entry,
    ),
    unmerged: others.filter((record) => record.covers !== undefined).map(({ entry }) => entry),
    known: { stamp: sorted.at(-1)?.stamp ?? 0, seen, covers },
  }
}
