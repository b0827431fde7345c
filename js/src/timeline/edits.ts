import { checkOptions, TEXT } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { asString } from '../base/json.js'
import { linesOf } from '../base/lines.js'
import { grouped } from '../base/lists.js'
import { oneLine, shortened, wellFormed } from '../base/text.js'
import { neutralHistory } from '../history/read-messages.js'
import type { FormatOptions } from '../history/types.js'
import { type Change, changesOf } from './changes.js'
import { namedFiles, PathAliases } from './paths.js'
import { effectOf } from './result-text.js'
import { type Event, eventsOf, type ToolUse } from './tool-uses.js'

/** A change of a file in a history. */
export interface FileEdit {
  /** Path as in the call, in its usual form: `src/a.ts` for `./src//a.ts`. */
  path: string
  tool: string
  /** Purpose stated by the model (`intent`, or `explanation`, `description`); `null` if there is none. */
  intent: string | null
  /** Short description of the change, derived from the call. */
  what: string
  /** Position of the call's message. */
  message: number
  /** Turn, from 1. */
  turn: number
}

const OPTIONS = { path: TEXT, format: FORMAT }

/** Options of {@link fileEdits} and {@link compressEdits}. */
export interface FileEditsOptions extends FormatOptions {
  /** Limits the result to one file. */
  path?: string | undefined
}

/**
 * Returns the file changes in a history, in order. Failed changes are left out, and those that may not have
 * been made, as their results tell.
 *
 * @throws {TrimtabError} As `project`.
 */
export function fileEdits(messages: readonly object[], options: FileEditsOptions = {}): FileEdit[] {
  options = checkOptions(options, OPTIONS, 'fileEdits')
  return editsIn(eventsOf(neutralHistory(messages, options.format)), options.path)
}

/** Returns the file changes among the events of a history. */
export function editsIn(events: readonly Event[], path?: string): FileEdit[] {
  const names = path === undefined ? undefined : new PathAliases(events).of(path)
  return events.flatMap((event) => {
    if (event.kind === 'prompt' || (event.origin !== 'edit' && event.origin !== 'write')) return []
    if (effectOf(event) === 'open') return []
    const files = namedFiles(event).filter((file) => names?.has(file) !== false)
    return files.map((file) => editOf(event, file))
  })
}

function editOf(use: ToolUse, path: string): FileEdit {
  const { args, message, tool, turn } = use
  const keys = ['intent', 'explanation', 'description']
  const said = typeof args === 'string' ? [] : keys.map((key) => asString(args[key])?.trim())
  const intent = said.find((text) => text !== undefined && text !== '') ?? null
  return {
    path,
    tool,
    intent: intent === null ? null : oneLine(intent),
    what: whatOf(use, path),
    message,
    turn,
  }
}

function whatOf(use: ToolUse, path: string): string {
  const changes = changesOf(use, [path])
  const [only] = changes ?? []
  if (changes === undefined || only === undefined) return `Changed by ${use.tool}`
  return changes.length === 1 ? words(only) : `${changes.length} replacements`
}

function words(change: Change): string {
  switch (change.kind) {
    case 'write':
      return `Written, ${countOf(change.text)}`
    case 'append':
      return `Appended ${countOf(change.text)}`
    case 'prepend':
      return `Prepended ${countOf(change.text)}`
    case 'insert':
      return `Inserted ${countOf(change.text)} after line ${change.line}`
    case 'section':
      return `Updated section ${change.header}`
    case 'patch':
      return change.hunks.length === 1 ? 'Patched at 1 place' : `Patched at ${change.hunks.length} places`
    case 'replace':
      return `Replaced ${countOf(change.old)} by ${countOf(change.new)} at ${quoted(change.old)}`
  }
}

function countOf(text: string): string {
  const count = linesOf(text).length
  return count === 1 ? '1 line' : `${count} lines`
}

const LONGEST_QUOTE = 60

function quoted(text: string): string {
  const line = oneLine(text.split('\n').find((each) => each.trim() !== '') ?? '')
  return `"${shortened(line, LONGEST_QUOTE)}"`
}

/**
 * Returns a changelog from the intents that the edits state: one line each, `- core/agent.py: Increased tool retention
 * for better context`. Repeated lines for the same file are merged. Empty if no edit states an intent.
 */
export function changelog(messages: readonly object[], options: FormatOptions = {}): string {
  options = checkOptions(options, { format: FORMAT }, 'changelog')
  const edits = fileEdits(messages, options).filter(({ intent }) => intent !== null)
  return counted(edits.map(({ intent, path }) => `- ${path}: ${intent}`)).join('\n')
}

/**
 * Summarises the edits of each file, in the form of document "Smart Tool History": `[Edits to config.py: 12 changes
 * between turns 10-50]`, a line for each intent (or for what was done, if no intent was stated), `[Full diff available
 * in ground truth]`. The history, which is the ground truth, is unchanged. Files are separated by blank lines, in the
 * order of their first edits.
 *
 * @throws {TrimtabError} As `project`.
 */
export function compressEdits(messages: readonly object[], options: FileEditsOptions = {}): string {
  options = checkOptions(options, OPTIONS, 'compressEdits')
  const byPath = grouped(fileEdits(messages, options), ({ path }) => wellFormed(options.path ?? path))
  return [...byPath].map(([name, edits]) => compressed(name, edits)).join('\n\n')
}

function compressed(path: string, edits: readonly FileEdit[]): string {
  const turns = edits.map(({ turn }) => turn)
  const [first, last] = [Math.min(...turns), Math.max(...turns)]
  const when = first === last ? `in turn ${first}` : `between turns ${first}-${last}`
  const changes = edits.length === 1 ? '1 change' : `${edits.length} changes`
  const lines = counted(edits.map(({ intent, what }) => `- ${intent ?? what}`))
  return [`[Edits to ${path}: ${changes} ${when}]`, ...lines, '[Full diff available in ground truth]'].join(
    '\n',
  )
}

/** Returns each line once, with its number of occurrences. */
function counted(lines: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, count]) => (count === 1 ? line : `${line} ${count}x`))
}
