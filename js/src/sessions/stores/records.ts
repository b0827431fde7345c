import { unreadable } from './errors.js'
import type { MissingParts, StoredSession } from './store.js'

/** Of each writer, how many entries. */
type Counts = Readonly<Record<string, number>>

/** What a writer has seen of a session: the version of {@link unstorageStore}. */
export interface Known {
  /** The highest stamp. */
  stamp: number
  seen: Counts
  /** What the checkpoint that counts replaced. */
  covers: Counts
  /** The entry with that stamp, as `WRITER:NUMBER`: while others store nothing, it stays. */
  last: string
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
  throw unreadable(id, `entry ${number} of writer ${writer} was not written by this store`)
}

export const parseKnown = (version: string): Known => JSON.parse(version) as Known

const inOrder = (a: StoredRecord, b: StoredRecord) => a.stamp - b.stamp || (a.writer < b.writer ? -1 : 1)

/** What records make of a session. */
export interface LiveRecords extends Pick<StoredSession, 'entries' | 'unmerged'> {
  known: Known
  missing: MissingParts
}

/**
 * The session that the records make: the last checkpoint, and what it did not know of, in an order that follows from
 * the records alone.
 */
export function liveRecords(records: readonly StoredRecord[]): LiveRecords {
  const sorted = [...records].sort(inOrder)
  const checkpoint = sorted.findLast((record) => record.covers !== undefined)
  const covers = checkpoint?.covers ?? {}
  const live = sorted.filter((record) => record.number > (covers[record.writer] ?? 0))
  const others = live.filter((record) => record !== checkpoint)
  const appended = others.filter((record) => record.covers === undefined)
  const last = sorted.at(-1)
  return {
    entries: [...(checkpoint === undefined ? [] : [checkpoint]), ...appended].map(({ entry }) => entry),
    unmerged: others.filter((record) => record.covers !== undefined).map(({ entry }) => entry),
    known: {
      stamp: last?.stamp ?? 0,
      seen: { ...covers, ...highest(live) },
      covers,
      last: last === undefined ? '' : `${last.writer}:${last.number}`,
    },
    missing: missingOf(live, checkpoint),
  }
}

function missingOf(live: readonly StoredRecord[], checkpoint: StoredRecord | undefined): MissingParts {
  const entries = gaps(live, checkpoint?.covers ?? {})
  const named = entries.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  // Without the checkpoint it is not known what it replaced.
  const others = checkpoint === undefined ? 0 : Math.max(0, stampsLeftOut(live, checkpoint.stamp) - named)
  return { checkpoint: checkpoint === undefined, entries, others }
}

/** An entry's stamp is one more than the highest that its writer saw: behind the checkpoint's none is left out. */
function stampsLeftOut(live: readonly StoredRecord[], from: number): number {
  const stamps = new Set(live.map(({ stamp }) => stamp).filter((stamp) => stamp > from))
  let last = from
  for (const stamp of stamps) last = Math.max(last, stamp)
  return last - from - stamps.size
}

/** The highest number of each writer. */
function highest(records: readonly StoredRecord[]): Counts {
  const counts: Record<string, number> = {}
  for (const { writer, number } of records) counts[writer] = Math.max(counts[writer] ?? 0, number)
  return counts
}

/** Each writer stores its entries one after the other: what is left out between them was there. */
function gaps(live: readonly StoredRecord[], covers: Counts): MissingParts['entries'] {
  const found: MissingParts['entries'] = []
  const seen: Record<string, number> = { ...covers }
  for (const { writer, number } of [...live].sort((a, b) => a.number - b.number)) {
    const from = (seen[writer] ?? 0) + 1
    if (number > from) found.push({ writer, from, to: number - 1 })
    seen[writer] = number
  }
  return found
}
