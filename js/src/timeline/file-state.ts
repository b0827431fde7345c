import { checkOptions, DATA, isWhole, refuse } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { Origin } from '../generated/types.js'
import { neutralHistory } from '../history/read-messages.js'
import type { FormatOptions } from '../history/types.js'
import { type Change, changesOf, patchOf } from './changes.js'
import { contradicts } from './figures.js'
import { namedFiles, PathAliases } from './paths.js'
import { parseRead } from './read-text.js'
import { afterChanges, afterRead, fragmentsOf, type Known, NOTHING } from './replay.js'
import { type Effect, effectOf, isFailure } from './result-text.js'
import { keepsRunning, mayChangeAnything, tellsOfChange } from './side-effects.js'
import { type Event, eventsOf, type ToolUse, type UsedResult } from './tool-uses.js'

/**
 * A moment in a history: after a turn (a number from 1; a turn begins with a prompt of the user), after a step, or
 * before a message, given its position.
 */
export type Moment = number | { step: number } | { message: number }

/** Options of {@link fileStateAt}. */
export interface FileStateOptions extends FormatOptions {
  /** Moment of the state. Default: the end of the history. */
  moment?: Moment | undefined
}

/** Known lines of a file. */
export interface KnownLines {
  /** First line, from 1. */
  start: number
  /** Last line, inclusive. */
  end: number
  text: string
}

/** State of a file, as far as a history shows it. */
export interface FileState {
  path: string
  /**
   * `exact`: the whole file was read or written in the same turn, and every change since was followed. `assumed`: the
   * same, but something ran since that could have changed it: a command, also one that still runs in the background, an
   * unknown tool, the user between two turns, or a call that names it by a relative path instead of the absolute one.
   * `partial`: some lines are known. `unknown`: no lines are known.
   */
  certainty: 'exact' | 'assumed' | 'partial' | 'unknown'
  /**
   * The content if it is `exact` or `assumed`, else `null`. Numbered reads do not show line ends: each line ends with a
   * line feed here, including the last.
   */
  content: string | null
  /** Whether the last line has a line end; `null` if the history does not show it. */
  finalLineEnd: boolean | null
  /** Known lines, in order. */
  lines: KnownLines[]
  /** Messages that the state is derived from. */
  sources: number[]
  /** Message since which the state is uncertain; `null` if it is certain, or nothing is known. */
  doubtfulSince: number | null
}

/**
 * Reconstructs the content of a file at some moment from the reads, writes and edits in the history. A change made by
 * another program is not seen until a read shows it. Ephemeral reads are not used.
 *
 * @throws {TrimtabError} `invalid_option`; as `project`.
 */
export function fileStateAt(
  messages: readonly object[],
  path: string,
  options: FileStateOptions = {},
): FileState {
  options = checkOptions(options, { moment: DATA, format: FORMAT }, 'fileStateAt')
  const { moment, format } = options
  if (typeof path !== 'string' || path === '') {
    refuse('path', 'the name of a file', path)
  }
  const isBefore = beforeMoment(moment)
  const events = eventsOf(neutralHistory(messages, format))
  const replays = new Replays()
  const aliases = new PathAliases(events)
  const replay = replays.begin(aliases.of(path))
  for (const event of events)
    if (isBefore(event) && resultBefore(event, moment)) replays.add(happeningOf(event, aliases))
  return replays.state(replay, path)
}

/**
 * Reconstructs all files in a history at its end, named by the first path that a call uses. Files of which nothing is
 * known are left out.
 *
 * @throws {TrimtabError} As `project`.
 */
export function fileStates(messages: readonly object[], options: FormatOptions = {}): FileState[] {
  options = checkOptions(options, { format: FORMAT }, 'fileStates')
  const events = eventsOf(neutralHistory(messages, options.format))
  const aliases = new PathAliases(events)
  const replays = new Replays()
  const opened = new Map<string, Replay>()
  for (const event of events) {
    const happening = happeningOf(event, aliases)
    if (event.kind === 'use' && OPENING.has(event.origin))
      for (const path of happening.files)
        if (!replays.has(path)) opened.set(path, replays.begin(aliases.of(path)))
    replays.add(happening)
  }
  const states = [...opened].map(([path, replay]) => replays.state(replay, path))
  return states.filter(({ certainty }) => certainty !== 'unknown')
}

/** Effects of tools whose paths are files. */
const OPENING: ReadonlySet<Origin> = new Set<Origin>(['read', 'edit', 'write'])

function beforeMoment(moment: Moment | undefined): (event: Event) => boolean {
  if (moment === undefined) return () => true
  const [name, value] =
    typeof moment === 'number' ? ['turn', moment] : (Object.entries(moment ?? {})[0] ?? [])
  if (!isWhole(value) || !['turn', 'step', 'message'].includes(name as string)) {
    const allowed = 'the number of a turn, {step: number} or {message: number}, all whole numbers'
    return refuse('moment', allowed, moment)
  }
  const limit = value
  if (name === 'turn') return (event) => event.turn <= limit
  if (name === 'message') return (event) => event.message < limit
  return (event) => event.step <= limit
}

/** Whether a call's result is before the moment; if not, the call has had no effect yet. */
function resultBefore(event: Event, moment: Moment | undefined): boolean {
  if (event.kind === 'prompt' || typeof moment !== 'object' || !('message' in moment)) return true
  return event.result === undefined || event.result.message < moment.message
}

/** An event with its effects on files, computed once for all files. */
interface Happening {
  event: Event
  files: ReadonlySet<string>
  /** Whether it may change files that it does not name. */
  mayChangeAnything: boolean
  /** Whether it may still do so after its result. */
  keepsRunning: boolean
  /** Whether its result tells of a change by another: of the file that it names, or of any. */
  tellsOfChange: boolean
  /** The result of a read that shows files. */
  shown?: UsedResult
  /** What became of a change. */
  effect?: Effect
}

function happeningOf(event: Event, aliases: PathAliases): Happening {
  // Between turns the user may change any file: undo, edit, pull.
  if (event.kind === 'prompt')
    return { event, files: new Set(), mayChangeAnything: true, keepsRunning: false, tellsOfChange: false }
  const { origin, result } = event
  const isShown =
    origin === 'read' && result && !result.isError && !result.ephemeral && !isFailure(result.text)
  const isChange = origin === 'edit' || origin === 'write'
  const files = new Set(namedFiles(event))
  const mayBeAnother = () =>
    isChange && !result?.isError && [...files].some((file) => aliases.isAmbiguous(file))
  const [changesAnything, tells] = [mayChangeAnything(event), tellsOfChange(event)]
  return {
    event,
    files,
    mayChangeAnything: changesAnything || tells || mayBeAnother(),
    keepsRunning: changesAnything && keepsRunning(event),
    tellsOfChange: tells,
    ...(isShown && { shown: result }),
    ...(isChange && { effect: effectOf(event) }),
  }
}

/** The files that are followed through a history. */
class Replays {
  readonly #byName = new Map<string, Replay>()
  /**
   * Messages that may have changed files that they do not name. A file looks at those since its last event when it is
   * named again, so that the work for an event does not depend on the number of files.
   */
  readonly #doubts: number[] = []
  /** The first message that started something that may go on changing files. */
  #running: number | null = null

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  begin(names: ReadonlySet<string>): Replay {
    const replay = new Replay(names, this.#doubts)
    for (const name of names) if (!this.has(name)) this.#byName.set(name, replay)
    return replay
  }

  /** Returns what is known of a file at the end. */
  state(replay: Replay, path: string): FileState {
    return replay.state(path, this.#running)
  }

  add(happening: Happening): void {
    const named = new Set([...happening.files].flatMap((file) => this.#byName.get(file) ?? []))
    for (const replay of named) replay.add(happening)
    if (happening.mayChangeAnything) this.#doubts.push(happening.event.message)
    if (happening.keepsRunning) this.#running ??= happening.event.message
  }
}

/**
 * Whether a change may be of a text with half of a surrogate pair, which is read as U+FFFD here: tools write U+FFFD, `?` or
 * nothing.
 */
const mayHoldHalves = (changes: readonly Change[] = []) => JSON.stringify(changes).includes('\ufffd')

class Replay {
  readonly #names: ReadonlySet<string>
  readonly #doubts: readonly number[]
  /** Number of doubts that were considered. */
  #considered = 0
  #known: Known = NOTHING
  #sources = new Set<number>()
  #doubtfulSince: number | null = null

  constructor(names: ReadonlySet<string>, doubts: readonly number[]) {
    this.#names = names
    this.#doubts = doubts
  }

  /** Adds an event that names the file. */
  add({ effect, event, files, mayChangeAnything, shown, tellsOfChange }: Happening): void {
    if (event.kind !== 'use' || !OPENING.has(event.origin)) return
    this.#doubt()
    if (shown !== undefined) this.#addRead(event, shown, files)
    else if (event.origin !== 'read') this.#addChange(event, effect === 'made', files)
    // What the event did to this file is known: it is no doubt itself. What its result tells of others is one.
    if (mayChangeAnything && !tellsOfChange) this.#considered++
  }

  /** Whether one of the names is the file's own; its other name is only probably one. */
  #isOwn(names: ReadonlySet<string>): boolean {
    const [own = ''] = this.#names
    return names.has(own)
  }

  #addRead(use: ToolUse, result: UsedResult, files: ReadonlySet<string>): void {
    const isOneOfSeveral = files.size > 1
    const read = [...this.#names]
      .filter((name) => files.has(name))
      .map((file) => parseRead(result, { ...use, path: file, isOneOfSeveral }))
      .find((found) => found !== undefined)
    if (read === undefined) return
    const isOwn = this.#isOwn(files)
    const { known, agrees } = afterRead(this.#known, read)
    const isNews = known !== this.#known
    this.#known = known
    if (!agrees) this.#sources.clear()
    if ((read.isWhole && isOwn) || !agrees) this.#doubtfulSince = null
    if (isNews && !isOwn) this.#doubtfulSince ??= result.message
    this.#sources.add(result.message)
  }

  #addChange(use: ToolUse, isMade: boolean, files: ReadonlySet<string>): void {
    if (use.result?.isError === true) return
    const isCertain = isMade && (files.size === 1 || patchOf(use) !== null)
    const made = isCertain ? changesOf(use, this.#names) : undefined
    const changes = mayHoldHalves(made) ? undefined : made
    const followed = changes === undefined ? undefined : afterChanges(this.#known, changes)
    const known = followed === undefined || contradicts(use, followed) ? undefined : followed.after
    if (known === undefined || changes?.[0]?.kind === 'write') {
      this.#sources.clear()
      this.#doubtfulSince = null
    }
    this.#known = known ?? NOTHING
    if (known === undefined) return
    this.#sources.add(use.message)
    if (!this.#isOwn(files)) this.#doubtfulSince ??= use.message
  }

  #doubt(): void {
    const first = this.#doubts[this.#considered]
    this.#considered = this.#doubts.length
    const isAnything = this.#known.whole || this.#known.fragments.length > 0
    if (isAnything && first !== undefined) this.#doubtfulSince ??= first
  }

  /** The message since which the state is in doubt: with something still running, since it was known. */
  #since(running: number | null): number | null {
    const [source] = this.#sources
    if (source === undefined || running === null) return this.#doubtfulSince
    return this.#doubtfulSince ?? Math.max(running, source)
  }

  /** @param running First message that started something that may go on changing files. */
  state(path: string, running: number | null): FileState {
    this.#doubt()
    const known = this.#known
    const lines = fragmentsOf(known).map((fragment) => ({
      start: fragment.start,
      end: fragment.start + fragment.lines.length - 1,
      text: fragment.lines.join('\n'),
    }))
    const doubtfulSince = this.#since(running)
    const isCertain = doubtfulSince === null
    const partial = lines.length === 0 ? 'unknown' : 'partial'
    return {
      path,
      certainty: known.whole ? (isCertain ? 'exact' : 'assumed') : partial,
      content: known.whole ? known.text : null,
      finalLineEnd: known.whole ? known.finalLineEnd : null,
      lines,
      sources: [...this.#sources].sort((a, b) => a - b),
      doubtfulSince,
    }
  }
}
