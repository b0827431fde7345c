import { firstText, NEW_TEXT, OLD_TEXT } from '../base/edit-arguments.js'
import { asString, type JsonRecord, recordsOf } from '../base/json.js'
import { FILES_ARGUMENTS, PATH_ARGUMENTS } from '../generated/arguments.js'
import { changeIn, type Hunk, type Patch, parsePatch } from './patch.js'
import type { ToolUse } from './tool-uses.js'

/** A change that a call makes to a file, according to its arguments. */
export type Change =
  | { kind: 'write'; text: string }
  | { kind: 'replace'; old: string; new: string; all: boolean }
  | { kind: 'append'; text: string }
  | { kind: 'prepend'; text: string }
  | { kind: 'section'; header: string; text: string }
  | { kind: 'insert'; line: number; text: string }
  | { kind: 'patch'; hunks: Hunk[] }

const CONTENT = ['content', 'contents', 'file_text', 'fileText', 'text', 'code_content']
const ALL = ['replace_all', 'replaceAll', 'allow_multiple']

/**
 * Returns the changes that a call makes to a file, in order; `undefined` if its arguments do not determine them.
 *
 * @param names All names of the file, as normal paths: a patch can contain several files.
 */
export function changesOf(
  use: Pick<ToolUse, 'args' | 'origin' | 'tool'>,
  names: Iterable<string>,
): Change[] | undefined {
  const { args, origin, tool } = use
  const patch = patchOf(use)
  if (patch !== null) return patched(patch, names)
  if (typeof args === 'string' || !isUnderstood(args)) return undefined
  const name = tool.toLowerCase().replace(/[_\-. ]/g, '')
  const content = firstText(args, CONTENT)
  if (origin === 'write') return content === undefined ? undefined : [{ kind: 'write', text: content }]
  if (/appendtofile$/.test(name))
    return content === undefined ? undefined : [{ kind: 'append', text: content }]
  if (/prependtofile$/.test(name))
    return content === undefined ? undefined : [{ kind: 'prepend', text: content }]
  if (/updatesection$/.test(name)) return sectionOf(args)
  if (args.command === 'insert' || typeof args.insert_line === 'number') return insertOf(args)
  if (args.edits !== undefined) {
    const edits = recordsOf(args.edits).map((edit) => (isUnderstood(edit) ? replaceOf(edit) : undefined))
    return edits.length > 0 && edits.every((edit) => edit !== undefined) ? edits : undefined
  }
  const edit = replaceOf(args)
  return edit === undefined ? undefined : [edit]
}

/** Arguments that say what is changed, and where. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  ...PATH_ARGUMENTS,
  ...FILES_ARGUMENTS,
  ...'edits command insert_text insert_line'.split(' '),
  ...'header section_header section new_content'.split(' '),
  ...CONTENT,
  ...OLD_TEXT,
  ...NEW_TEXT,
  ...ALL,
])
/** Arguments that change nothing: what the model says of the call, and what the host does around it. */
const ASIDE =
  /intent|explanation|description|instruction|reason|summary|thought|title|comment|timeout|permission|progress|sandbox|create_?(?:dirs?|directories|parents)|message/i
/** Values with which an argument means what its absence does. */
const PLAIN = /^(?:utf-?8|rewrite|overwrite|write|w|create|update|edit|text|)$/i

/**
 * Whether all arguments are known. Another may be a dry run, a pattern, a place in the file or a way to write, so that
 * the call's effect is open.
 */
function isUnderstood(args: JsonRecord): boolean {
  return Object.entries(args).every(([name, value]) => {
    if (UNDERSTOOD.has(name) || ASIDE.test(name) || value === undefined || value === null) return true
    if (name === 'overwrite') return value === true
    return value === false || value === 0 || (typeof value === 'string' && PLAIN.test(value))
  })
}

function patchIn(args: ToolUse['args']): string | undefined {
  const text = typeof args === 'string' ? args : (asString(args.input) ?? asString(args.patch))
  return text?.includes('*** Begin Patch') ? text : undefined
}

/** The patches of calls; `null` for calls without one. Each is parsed once, whatever the number of its files. */
const patches = new WeakMap<object, Patch | null>()

/** Returns a call's patch in the form of the Codex agent, which may contain several files. */
export function patchOf(use: Pick<ToolUse, 'args'>): Patch | null {
  const known = patches.get(use)
  if (known !== undefined) return known
  const text = patchIn(use.args)
  const patch = text === undefined ? null : parsePatch(text)
  patches.set(use, patch)
  return patch
}

function patched(patch: Patch, names: Iterable<string>): Change[] | undefined {
  const found = changeIn(patch, names)
  if (found === undefined) return undefined
  return [typeof found === 'string' ? { kind: 'write', text: found } : { kind: 'patch', hunks: found }]
}

function replaceOf(args: JsonRecord): Change | undefined {
  const old = firstText(args, OLD_TEXT)
  const text = firstText(args, NEW_TEXT)
  if (old === undefined || text === undefined) return undefined
  // Some tools write the whole file if the text to find is empty.
  if (old === '') return { kind: 'write', text }
  return { kind: 'replace', old, new: text, all: ALL.some((key) => args[key] === true) }
}

function sectionOf(args: JsonRecord): Change[] | undefined {
  const header = firstText(args, ['header', 'section_header', 'section'])
  const text = firstText(args, ['content', 'new_content', 'text'])
  return header === undefined || text === undefined ? undefined : [{ kind: 'section', header, text }]
}

function insertOf(args: JsonRecord): Change[] | undefined {
  const text = firstText(args, ['insert_text', ...NEW_TEXT, 'text'])
  const line = args.insert_line
  return text === undefined || typeof line !== 'number' ? undefined : [{ kind: 'insert', line, text }]
}
