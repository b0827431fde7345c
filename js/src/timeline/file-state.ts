import { checkOptions, isWhole, refuse } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { Origin } from '../generated/types.js'
import { neutralHistory } from '../history/read-messages.js'
import type { FormatOptions } from '../history/types.js'
import { changesOf, patchIn } from './changes.js'
import { readsOnly } from './commands.js'
import { namedFiles, PathAliases } from './paths.js'
import { parseRead } from './read-text.js'
import { afterChange, afterRead, fragmentsOf, type Known, NOTHING } from './replay.js'
import { type Event, eventsOf, type ToolUse } from './tool-uses.js'

/**
 * When to look: after a turn (a number; a turn begins with a prompt of the user's, from 1), after a step, or before a
 * message by its position.
 */
export type Moment = number | { step: number } | { message: number }

/** Options of {@link fileStateAt}. */
export interface FileStateOptions extends FormatOptions {
  /** When to look. Default: at the end of the history. */
  moment?: Moment
}

/** Lines of a file that are known. */
export interface KnownLines {
  /** The first line, from 1. */
  start: number
  /** The last line, itself included. */
  end: number
  text: string
}

/** A file as a history tells it. */
export interface FileState {
  path: string
  /**
   * `exact`: all of it was read or written in the same turn, and every change since was followed. `assumed`: the same, but
   * something ran since that could have changed it: a command, a tool that is not known, the user between two turns.
   * `partial`: some lines are known. `unknown`: none.
   */
  certainty: 'exact' | 'assumed' | 'partial' | 'unknown'
  /**
   * The content where it is `exact` or `assumed`, else `null`. Reads with line numbers do not say how lines end: they
   * end with line feeds here, the last one too.
   */
  content: string | null
  /** Whether the last line has an end; `null` where the history does not tell. */
  finalLineEnd: boolean | null
  /** What is known, in order. */
  lines: KnownLines[]
  /** The messages that it was put together from. */
  sources: number[]
  /** The message since which it is not certain any more; `null` where it is, or nothing is known. */
  doubtfulSince: number | null
}

/**
 * What was in a file at some moment, put together from the reads, writes and edits of the history. Only what the
 * history shows can be known: a change that another program made in between is not, until a read shows it. Ephemeral
 * reads are not used.
 *
 * @throws {TrimtabError} `invalid_option`; as `project`.
 */
export function fileStateAt(
  messages: readonly object[],
  path: string,
  options: FileStateOptions = {},
): FileState {
  options = checkOptions(options, { moment: null, format: FORMAT }, 'fileStateAt')
  const { moment, format } = options
  if (typeof path !== 'string' || path === '') {
    refuse('path', 'the name of a file', path)
  }
  const isBefore = beforeMoment(moment)
  const events = eventsOf(neutralHistory(messages, format))
  const names = new PathAliases(events).of(path)
  const replay = new Replay(names)
  for (const event of events) if (isBefore(event)) replay.add(happeningOf(event), resultBefore(event, moment))
  return replay.state(path)
}

/**
 * All files of a history as it tells them at its end, by the first path that a call names each by; those of which nothing
 * is known are left out.
 *
 * @throws {TrimtabError} As `project`.
 */
export function fileStates(messages: readonly object[], options: FormatOptions = {}): FileState[] {
  options = checkOptions(options, { format: FORMAT }, 'fileStates')
  const events = eventsOf(neutralHistory(messages, options.format))
  const aliases = new PathAliases(events)
  const known = new Set<string>()
  const replays = new Map<string, Replay>()
  for (const event of events) {
    const happening = happeningOf(event)
    const opened = event.kind === 'use' && OPENING.has(event.origin) ? happening.files : []
    for (const path of opened) {
      if (known.has(path)) continue
      const names = aliases.of(path)
      for (const name of names) known.add(name)
      replays.set(path, new Replay(names))
    }
    for (const replay of replays.values()) replay.add(happening, true)
  }
  const states = [...replays].map(([path, replay]) => replay.state(path))
  return states.filter(({ certainty }) => certainty !== 'unknown')
}

/** What tools do whose paths are files. */
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
  return (event) => event.kind === 'prompt' || event.step <= limit
}

/** Whether a call's result is there at the moment: before it, what the call does has not been done. */
function resultBefore(event: Event, moment: Moment | undefined): boolean {
  if (event.kind === 'prompt' || typeof moment !== 'object' || !('message' in moment)) return true
  return event.result === undefined || event.result.message < moment.message
}

/** What reads like a failure without being marked as one: whether anything was done is not known. */
const FAILURE = /^\s*(?:<?error\b|failed\b|fatal\b|traceback\b)/i
/** The same in the first line of what a change was answered with. */
const NOT_MADE =
  /^.*\b(?:denied|rejected|refused|declined|cancell?ed|aborted|interrupted|skipped|timed out|not (?:made|found|allowed|applied|permitted|executed|unique)|no (?:match|changes?|such)|does not exist|could not|couldn't|cannot|can't|unable|doesn't|didn't)\b/i

/** An event with what it says of files, worked out once for all of them. */
interface Happening {
  event: Event
  files: readonly string[]
  /** Whether files that it does not name may be changed by it. */
  mayChangeAnything: boolean
}

function happeningOf(event: Event): Happening {
  // Between turns the user has the files in hand: undoes, edits, pulls.
  if (event.kind === 'prompt') return { event, files: [], mayChangeAnything: true }
  return { event, files: namedFiles(event), mayChangeAnything: mayChangeAnything(event) }
}

class Replay {
  readonly #names: ReadonlySet<string>
  #known: Known = NOTHING
  #sources = new Set<number>()
  #doubtfulSince: number | null = null

  constructor(names: ReadonlySet<string>) {
    this.#names = names
  }

  add({ event, files, mayChangeAnything }: Happening, isAnswered: boolean): void {
    if (!isAnswered) return
    const own = files.filter((file) => this.#names.has(file))
    const origin = event.kind === 'use' && own.length > 0 ? event.origin : undefined
    if (event.kind === 'use' && origin === 'read') this.#addRead(event, own)
    else if (event.kind === 'use' && (origin === 'edit' || origin === 'write'))
      this.#addChange(event, files.length === 1)
    else if (mayChangeAnything) this.#doubt(event.message)
  }

  #addRead(use: ToolUse, names: readonly string[]): void {
    const { result } = use
    if (result === undefined || result.isError || result.ephemeral || FAILURE.test(result.text)) return
    const read = names
      .map((file) => parseRead(result.text, { ...use, path: file }))
      .find((found) => found !== undefined)
    if (read === undefined) return
    const { known, agrees } = afterRead(this.#known, read)
    this.#known = known
    if (!agrees) this.#sources.clear()
    if (read.isWhole || !agrees) this.#doubtfulSince = null
    this.#sources.add(result.message)
  }

  #addChange(use: ToolUse, isOnly: boolean): void {
    const { result } = use
    if (result?.isError === true) return
    const isMade = result !== undefined && !FAILURE.test(result.text) && !NOT_MADE.test(result.text)
    const isCertain = isMade && (isOnly || patchIn(use.args) !== undefined)
    const changes = isCertain ? changesOf(use, (path) => this.#names.has(path)) : undefined
    let known: Known | undefined = changes === undefined ? undefined : this.#known
    for (const change of changes ?? []) if (known !== undefined) known = afterChange(known, change)
    if (known === undefined || changes?.[0]?.kind === 'write') {
      this.#sources.clear()
      this.#doubtfulSince = null
    }
    this.#known = known ?? NOTHING
    if (known !== undefined) this.#sources.add(use.message)
  }

  #doubt(message: number): void {
    const isAnything = this.#known.whole || this.#known.fragments.length > 0
    if (isAnything) this.#doubtfulSince ??= message
  }

  state(path: string): FileState {
    const known = this.#known
    const lines = fragmentsOf(known).map((fragment) => ({
      start: fragment.start,
      end: fragment.start + fragment.lines.length - 1,
      text: fragment.lines.join('\n'),
    }))
    const isCertain = this.#doubtfulSince === null
    const partial = lines.length === 0 ? 'unknown' : 'partial'
    return {
      path,
      certainty: known.whole ? (isCertain ? 'exact' : 'assumed') : partial,
      content: known.whole ? known.text : null,
      finalLineEnd: known.whole ? known.finalLineEnd : null,
      lines,
      sources: [...this.#sources].sort((a, b) => a - b),
      doubtfulSince: this.#doubtfulSince,
    }
  }
}

/** Whether a tool may have changed files that its call does not name. */
function mayChangeAnything({ args, origin, path, result, tool }: ToolUse): boolean {
  if (origin === 'read' || origin === 'search' || origin === 'list') return false
  if (origin === 'edit' || origin === 'write') return path === null && result?.isError !== true
  if (origin === 'other' || OTHER_SHELLS.test(tool)) return true
  return !commandsOf(args)?.every(readsOnly)
}

/** Shells that take quotes and escapes otherwise than those of POSIX do. */
const OTHER_SHELLS = /power_?shell|pwsh|cmd/i

/** What runs, one after the other, where the arguments say all of it. */
function commandsOf(args: ToolUse['args']): readonly string[] | undefined {
  if (typeof args === 'string') return [args]
  const [command, ...others] = Object.entries(args).filter(([name]) => !BESIDE_A_COMMAND.has(name))
  if (command === undefined || others.length > 0) return undefined
  const [name, value] = command
  if (name === 'commands') return isListOfTexts(value) ? value : undefined
  if (name !== 'command' && name !== 'cmd') return undefined
  if (typeof value === 'string') return [value]
  return isListOfTexts(value) ? scriptIn(value) : undefined
}

/** The script of a shell that is started with it, as `["bash", "-lc", "ls"]`. */
function scriptIn([shell = '', option = '', script, ...rest]: readonly string[]):
  | readonly string[]
  | undefined {
  const isShell = /^(?:\/bin\/)?(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(option)
  return isShell && script !== undefined && rest.length === 0 ? [script] : undefined
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string')

/** Arguments of shell tools that say nothing of what runs. Any other may do so: input, more arguments, a file to write. */
const BESIDE_A_COMMAND: ReadonlySet<string> = new Set([
  ...['description', 'explanation', 'goal', 'justification', 'intent'],
  ...['timeout', 'timeout_ms', 'timeoutMs', 'yield_time_ms', 'max_output_tokens'],
  ...['cwd', 'workdir', 'working_directory', 'directory', 'dir_path', 'session_id', 'sessionId'],
  ...['run_in_background', 'is_background', 'isBackground', 'mode', 'login', 'tty'],
  ...['requires_approval', 'require_user_approval', 'with_escalated_permissions', 'sandbox_permissions'],
])
