import { readable } from '../base/check.js'
import { reasonOf, TrimtabError } from '../base/error.js'
import { given, recordsOf } from '../base/json.js'
import { beforeWriting } from '../workspace/write-failure.js'
import { appendEntry, type Content, checkpointEntry } from './entries.js'
import { withoutEphemeral, withoutEphemeralIn } from './ephemeral.js'
import { type Attempt, type Basis, type Known, memoryOf, type Remembered } from './known.js'
import { knownOf, readStored } from './load.js'
import { isMarked } from './marks.js'
import { migrateSession } from './migrate.js'
import { isSame, type Json, type JsonObject, toPlain } from './plain.js'
import { conflict, notLoaded, storeFailed } from './stores/errors.js'
import type { UsedStore } from './stores/guarded.js'
import type { SessionStore, Stored } from './stores/store.js'
import type { SavedSession, SaveResult } from './types.js'

/**
 * Saves a session. If its history continues what was last saved or loaded, only the new part is written; if messages
 * changed or were removed (edited, compacted), the whole session is. Tool results marked as ephemeral are not saved.
 *
 * Never overwrites another writer's data: data that was not loaded with this store object causes a `conflict`. Without
 * loading, a save can only add messages and fields to what is stored. A session without anything new that the storage no
 * longer has is a `conflict` too. In that case load the session, add your new messages to it, and save again.
 *
 * @throws {TrimtabError} `conflict`, `store_failed`, `invalid_session` (not representable in JSON),
 * `unsupported_session`, and errors of `cleanupEphemeralMessages`. Nothing was saved then, except for a `store_failed`
 * whose `isWritten` is `true` (only a later step failed, see its message) or absent (unknown). Saving again is correct
 * in every case: it continues from what is stored.
 */
export async function saveSession<M extends object>(
  store: SessionStore,
  id: string,
  session: SavedSession<M>,
): Promise<SaveResult> {
  const memory = memoryOf(store, id, true)
  const isSeen = memory.get(id) !== undefined
  return memory.turns.run(id, async () => {
    const before = memory.get(id)
    const remembered = before && (await settled(memory.store, id, before))
    const known = remembered ?? (await beforeWriting(() => storedAs(memory.store, id)))
    const next = readable('session', () => comparedWith(session, known), 'invalid_session')
    const messages = readable('session', () => recordsOf(session.history), 'invalid_session')
    const bases = memory.basesOf(id, messages, known?.version)
    const seen = { bases, isLoaded: remembered !== undefined, isSeen }
    if (known !== undefined && losesOthers(next, known, seen))
      throw seen.isLoaded ? conflict(id) : notLoaded(id)
    const isUnchecked = known !== undefined && known === before?.known && !isNew(next, known)
    if (isUnchecked && !(await beforeWriting(() => isStored(memory.store, id, known)))) throw conflict(id)
    const saved = await writeDurably(memory.store, id, next, known).catch((error: unknown) => {
      const { version = '' } = known ?? {}
      const mark = () => memory.mark(id, messages, { version, messages: next.messages })
      if (!isUnwritten(error))
        memory.set(id, known, attemptOf(next, known === remembered ? mark() : undefined))
      else if (remembered !== undefined) memory.set(id, { ...remembered, hasRemains: true })
      throw error
    })
    const isWorthIt = !saved.result.concurrent && isMostlyReplaced(saved.known)
    const kept = isWorthIt ? await withoutReplaced(memory.store, id, saved.known) : { known: saved.known }
    memory.set(id, kept.known)
    memory.mark(id, messages, kept.known ?? saved.known)
    return kept.warning === undefined ? saved.result : { ...saved.result, warning: kept.warning }
  })
}

/** What is known of a history's writer. */
interface SeenByWriter {
  /** What its messages were loaded or saved with. */
  bases: readonly Basis[]
  /** Whether the session was loaded or saved with this store object. */
  isLoaded: boolean
  /** Whether it was so when the save was called: others may have created it while the save waited for its turn. */
  isSeen: boolean
}

/**
 * Whether a save would undo what another writer has saved: the session does not continue the stored one, and was never
 * loaded, or was loaded before the other writer's save. If others have removed or changed messages since, it may look
 * like a continuation.
 */
function losesOthers(next: Comparison, known: Known, { bases, isLoaded, isSeen }: SeenByWriter): boolean {
  const isLost = next.same < known.messages.length
  if (bases.length === 0) return (isLost || replacesFields(next.changes, known)) && !(isLoaded && isSeen)
  if (bases.some(({ version }) => version === known.version)) return isLost && !isLoaded
  if (isLost || next.changes !== undefined) return true
  return next.fresh.length > 0 && !bases.every((basis) => isContinued(basis.messages, known.messages))
}

/** Whether stored fields get other values, or are removed. New fields replace nothing. */
const replacesFields = (changes: ChangedFields | undefined, { fields }: Known): boolean =>
  changes?.unset !== undefined || Object.keys(changes?.set ?? {}).some((name) => Object.hasOwn(fields, name))

const isContinued = (before: readonly Json[], now: readonly Json[]) =>
  before.every((message, i) => isSame(message, now[i]))

const isUnwritten = (error: unknown): boolean =>
  error instanceof TrimtabError && (error.isWritten === false || error.code === 'conflict')

const attemptOf = ({ messages, fields, marked }: Comparison, basis: Basis | undefined): Attempt => ({
  messages,
  fields,
  marked,
  basis,
})

/**
 * Returns what this process knows of a stored session. After a failed save that may have been stored, that is what is
 * stored now, if it is either the old or the new content.
 */
async function settled(
  store: UsedStore,
  id: string,
  { known, attempted }: Remembered,
): Promise<Known | undefined> {
  if (attempted === undefined) return known
  const now = await storedAs(store, id)
  if (now === undefined && known === undefined) return undefined
  const isOf = (content: Content | undefined) =>
    now !== undefined &&
    content !== undefined &&
    isSame(now.messages, content.messages) &&
    isSame(now.fields, content.fields)
  const isStored = isOf(attempted)
  if (now === undefined || !(isStored || isOf(known))) throw conflict(id)
  if (attempted.basis !== undefined) attempted.basis.version = now.version
  else if (!isStored) return undefined
  // Before a first save there was nothing to erase.
  if (known === undefined) return now
  const marked = now.marked || known.marked || attempted.marked
  return { ...now, marked, mustErase: known.mustErase || attempted.marked }
}

/**
 * Whether the storage still has what is known, perhaps with what other writers added: others may have replaced it, and
 * a storage may forget.
 */
async function isStored(store: UsedStore, id: string, known: Known): Promise<boolean> {
  const stored = await readStored(store, id)
  if (stored === undefined || JSON.stringify(stored.missing) !== JSON.stringify(known.missing)) return false
  if (stored.version === known.version) return true
  const { messages } = knownOf(id, stored).known
  return isContinued(known.messages, messages)
}

/**
 * @throws {TrimtabError} `conflict` if there are checkpoints that could not be merged: a later one would replace them.
 */
async function storedAs(store: UsedStore, id: string): Promise<Known | undefined> {
  const stored = await readStored(store, id)
  if (stored !== undefined && stored.unmerged.length > 0) throw conflict(id)
  return stored && knownOf(id, stored).known
}

/** Content to save, compared with the saved one. */
interface Comparison extends Content {
  /** Number of messages at the start that are the same as saved. */
  same: number
  fresh: Json[]
  marked: boolean
  /** Whether ephemeral content is stored, or may be: in fields, or beside the session. */
  erases: boolean
  /** Fields that differ from the saved ones. */
  changes: ChangedFields | undefined
}

function comparedWith(session: SavedSession, known: Known | undefined): Comparison {
  const { history, version: _, ...fields } = migrateSession({ version: 1, ...given({ ...session }) })
  return compare(history, fields, known)
}

function compare(history: readonly object[], fields: object, known: Known | undefined): Comparison {
  const { fields: plainFields, marked: markedFields, erases } = plainOf(fields, known)
  const saved = known?.messages ?? []
  const compared = (messages: readonly object[]) => {
    let same = 0
    while (same < saved.length && same < messages.length && isSame(messages[same], saved[same])) same++
    return { same, fresh: toPlain(messages.slice(same), 'history', same) }
  }
  const clean = () => compared(withoutEphemeral(history, plainFields.format))
  let found = known?.marked ? clean() : compared(history)
  // If the session had no marks before, the first is in the new part.
  if (!known?.marked && found.fresh.marked) found = clean()
  const { same, fresh } = found
  const freshMessages = fresh.value as Json[]
  const marked = fresh.marked || (known?.marked ?? false)
  return {
    same,
    fresh: freshMessages,
    messages: [...saved.slice(0, same), ...freshMessages],
    fields: plainFields,
    marked,
    erases: erases || (known?.hasRemains === true && (marked || markedFields)),
    changes: known && changedFields(plainFields, known.fields),
  }
}

/** Whether there is anything to write. */
const isNew = ({ same, fresh, changes, erases }: Comparison, known: Known): boolean =>
  known.mustErase === true ||
  erases ||
  same < known.messages.length ||
  fresh.length > 0 ||
  changes !== undefined

/** @property marked Whether the fields have ephemeral content. @property erases Whether the stored fields have some. */
interface PlainFields {
  fields: JsonObject
  marked: boolean
  erases: boolean
}

/** Converts the fields other than the history to plain JSON, without ephemeral content of messages in them. */
function plainOf(fields: object, known: Known | undefined): PlainFields {
  const { format } = fields as { format?: unknown }
  const before = known?.fields ?? {}
  const shows = Object.keys(before).filter((name) => {
    const saved = before[name] as Json
    return isMarked(saved) && !isSame(withoutEphemeralIn(saved, format), saved)
  })
  let erases = shows.length > 0
  let marked = erases
  const plain = Object.entries(fields).flatMap(([name, value]): [string, Json][] => {
    const saved = before[name]
    if (value === undefined) return []
    if (saved !== undefined && isSame(value, saved) && !shows.includes(name)) return [[name, saved]]
    const copy = toPlain(value, `session.${name}`)
    if (!copy.marked) return [[name, copy.value]]
    marked = true
    const kept = withoutEphemeralIn(copy.value, format)
    // It may have been stored before it was marked.
    erases ||= saved !== undefined && !isSame(kept, saved)
    return [[name, kept]]
  })
  return { fields: Object.fromEntries(plain), marked, erases }
}

/**
 * Writes, and syncs what it continues if this process has only read it: the writer of that may have been killed before
 * it was synced.
 */
async function writeDurably(
  store: UsedStore,
  id: string,
  next: Comparison,
  known: Known | undefined,
): Promise<{ known: Known; result: SaveResult }> {
  const saved = await write(store, id, next, known)
  if (known !== undefined && !known.isDurable) await store.sync(id)
  return { known: { ...saved.known, isDurable: true }, result: saved.result }
}

async function write(
  store: UsedStore,
  id: string,
  next: Comparison,
  known: Known | undefined,
): Promise<{ known: Known; result: SaveResult }> {
  const { messages, fields, marked, changes } = next
  if (known !== undefined && !isNew(next, known)) {
    return { known, result: { written: 'nothing', concurrent: false } }
  }
  if (known === undefined || known.mustErase || next.erases || next.same < known.messages.length) {
    const entry = checkpointEntry(next)
    const erase = marked || next.erases
    const answer = storedBy(id, await store.replace(id, entry, known?.version, { erase }))
    const { version, concurrent, hasRemains = false } = answer
    const now = { messages, fields, marked, version, stored: entry.length, replaced: 0, hasRemains }
    return { known: now, result: { written: 'checkpoint', concurrent } }
  }
  const entry = appendEntry({ from: next.same, messages: next.fresh, ...changes })
  const { version, concurrent } = storedBy(id, await store.append(id, entry, known.version))
  const stored = known.stored + entry.length
  // The rest of the entry is fields; they are not serialised again to be measured.
  const ofFields = changes?.set === undefined ? 0 : entry.length - JSON.stringify(next.fresh).length
  const replaced = known.replaced + ofFields
  const now = { ...known, messages, fields, marked, version, stored, replaced }
  return { known: now, result: { written: 'append', concurrent } }
}

/** Checks what a store answered to a write, which may be one of the host. */
function storedBy(id: string, answer: unknown): Stored {
  const isStored = readable('store', () => typeof (Object(answer) as Partial<Stored>).version === 'string')
  if (isStored) return answer as Stored
  const reason = 'append() and replace() of the store must return an object with version and concurrent'
  throw storeFailed(id, 'may not have been saved', reason)
}

/** In UTF-16 units: replacing less is not worth a checkpoint. */
const WORTH_LEAVING_OUT = 1 << 18

/** A field that changes with each turn (a state) is appended whole each time, and would outgrow the messages. */
const isMostlyReplaced = ({ replaced, stored }: Known) =>
  replaced > WORTH_LEAVING_OUT && replaced > stored / 4

/**
 * Replaces all entries with one checkpoint. The turn is saved already, so a failure only costs space, and is returned
 * as a warning.
 */
async function withoutReplaced(
  store: UsedStore,
  id: string,
  known: Known,
): Promise<{ known: Known | undefined; warning?: string }> {
  const entry = checkpointEntry(known)
  // After a failure, the next save reads what is stored.
  try {
    const answer = storedBy(id, await store.replace(id, entry, known.version, { erase: known.marked }))
    const { version, concurrent, hasRemains = false } = answer
    const { missing: _, ...content } = known
    const now = { ...content, version, stored: entry.length, replaced: 0, hasRemains }
    return { known: concurrent ? undefined : now }
  } catch (error) {
    // Another writer saved in between.
    if (error instanceof TrimtabError && error.code === 'conflict') return { known: undefined }
    return { known: undefined, warning: `what newer entries replaced stays: ${reasonOf(error)}` }
  }
}

interface ChangedFields {
  set?: JsonObject
  unset?: string[]
}

function changedFields(now: JsonObject, before: JsonObject): ChangedFields | undefined {
  const set = Object.entries(now).filter(([name, value]) => !isSame(value, before[name]))
  const unset = Object.keys(before).filter((name) => !Object.hasOwn(now, name))
  if (set.length === 0 && unset.length === 0) return undefined
  return {
    ...(set.length > 0 && { set: Object.fromEntries(set) }),
    ...(unset.length > 0 && { unset }),
  }
}
