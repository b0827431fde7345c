import { refuse } from '../../base/check.js'
import { checkVersion, unreadable } from './errors.js'
import type { MissingParts, StoredSession } from './store.js'

/** Number of entries per writer. */
type Counts = Readonly<Record<string, number>>

/** What a writer has seen of a session: the parsed version of {@link unstorageStore}. */
export interface Known {
  /** Highest stamp. */
  stamp: number
  seen: Counts
  /** Entries replaced by the valid checkpoint. */
  covers: Counts
  /** The entry with that stamp, as `WRITER:NUMBER`: it stays until another writer stores something. */
  last: string
  /** The valid checkpoint, likewise; absent if it is missing. */
  checkpoint?: string | undefined
}

/** Stored content of an entry. */
interface Content {
  /**
   * Logical timestamp: one more than the highest stamp its writer had seen, so an entry sorts after all that its writer
   * saw.
   */
  stamp: number
  /** For a checkpoint: the entries that it replaces. */
  covers?: Counts | undefined
  entry: string
}

export interface StoredRecord extends Content {
  writer: string
  /** Number of the entry among its writer's, from 1. */
  number: number
}

// The record as a whole is not JSON: unstorage would parse it, and drop keys such as `__proto__` from a host's
// messages.
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
      // Reported below.
    }
  }
  throw unreadable(id, `entry ${number} of writer ${writer} was not written by this store`)
}

export function parseKnown(version: string): Known {
  try {
    return JSON.parse(checkVersion(version)) as Known
  } catch (error) {
    if (error instanceof SyntaxError)
      return refuse('version', 'the version that this store returned', version)
    throw error
  }
}

const inOrder = (a: StoredRecord, b: StoredRecord) => a.stamp - b.stamp || (a.writer < b.writer ? -1 : 1)

const nameOf = ({ writer, number }: StoredRecord) => `${writer}:${number}`

/** Session built from records. */
export interface LiveRecords extends Pick<StoredSession, 'entries' | 'unmerged'> {
  hasRemains: boolean
  known: Known
  missing: MissingParts
}

/**
 * Builds a session from its records: the last checkpoint, and the entries that it did not replace, in an order that
 * depends on the records alone.
 */
export function liveRecords(records: readonly StoredRecord[]): LiveRecords {
  const sorted = [...records].sort(inOrder)
  const checkpoint = sorted.findLast((record) => record.covers !== undefined)
  const covers = checkpoint?.covers ?? {}
  const live = sorted.filter((record) => record.number > (covers[record.writer] ?? 0))
  const others = live.filter((record) => record !== checkpoint)
  const appended = others.filter((record) => record.covers === undefined)
  const last = sorted.at(-1)
  const covered = coveredBy(live, covers)
  return {
    entries: [...(checkpoint === undefined ? [] : [checkpoint]), ...appended].map(({ entry }) => entry),
    unmerged: others.filter((record) => record.covers !== undefined).map(({ entry }) => entry),
    hasRemains: live.length < sorted.length,
    known: {
      stamp: last?.stamp ?? 0,
      seen: highest(live, covered),
      covers,
      last: last === undefined ? '' : nameOf(last),
      checkpoint: checkpoint && nameOf(checkpoint),
    },
    missing: missingOf(live, checkpoint, covered),
  }
}

/**
 * What the valid checkpoint or one that was made at the same time replaced, of each writer. The other one may have
 * erased entries that the valid one did not know: they are in its session, and not lost.
 */
function coveredBy(live: readonly StoredRecord[], covers: Counts): Counts {
  const replaced = live.flatMap((record) => Object.entries(record.covers ?? {}))
  return highest(
    replaced.map(([writer, number]) => ({ writer, number })),
    covers,
  )
}

function missingOf(
  live: readonly StoredRecord[],
  checkpoint: StoredRecord | undefined,
  covered: Counts,
): MissingParts {
  const entries = gaps(live, covered)
  const named = entries.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  // Without the checkpoint it is unknown which entries it replaced.
  const others = checkpoint === undefined ? 0 : Math.max(0, stampsLeftOut(live, checkpoint.stamp) - named)
  return { checkpoint: checkpoint === undefined, entries, others }
}

/**
 * Counts stamps missing after the checkpoint's. A stamp is one more than the highest that its writer saw, so stamps
 * have no gaps unless an entry is missing.
 */
function stampsLeftOut(live: readonly StoredRecord[], from: number): number {
  const stamps = new Set(live.map(({ stamp }) => stamp).filter((stamp) => stamp > from))
  let last = from
  for (const stamp of stamps) last = Math.max(last, stamp)
  return last - from - stamps.size
}

/** Highest entry number of each writer, of entries and of those that were replaced. */
function highest(records: readonly Pick<StoredRecord, 'writer' | 'number'>[], covered: Counts): Counts {
  const counts: Record<string, number> = { ...covered }
  for (const { writer, number } of records) counts[writer] = Math.max(counts[writer] ?? 0, number)
  return counts
}

/** Finds missing entries: each writer numbers its entries consecutively, so a gap is an entry that was stored. */
function gaps(live: readonly StoredRecord[], covers: Counts): MissingParts['entries'] {
  const found: MissingParts['entries'] = []
  const seen: Record<string, number> = { ...covers }
  for (const { writer, number } of [...live].sort((a, b) => a.number - b.number)) {
    const from = (seen[writer] ?? 0) + 1
    if (number > from) found.push({ writer, from, to: number - 1 })
    seen[writer] = Math.max(number, seen[writer] ?? 0)
  }
  return found
}
