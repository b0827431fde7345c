import { refuseWith } from '../base/check.js'
import { given } from '../base/json.js'
import { INTENT_DESCRIPTION } from '../base/seed-texts.js'
import { appendToFile, type EditResult, editFile, prependToFile, updateSection } from '../files/edit.js'
import type { TextEncoding } from '../generated/types.js'
import type { ReadFile, Workspace } from '../workspace/workspace.js'
import { type ArgumentsOf, type Properties, parametersOf } from './arguments.js'
import { defineTool } from './define.js'
import {
  APPEND_TO_FILE_DESCRIPTION,
  EDIT_FILE_DESCRIPTION,
  PREPEND_TO_FILE_DESCRIPTION,
  UPDATE_SECTION_DESCRIPTION,
} from './descriptions.js'
import { type EncodingOf, toldBy } from './encoding.js'
import { type Indexer, type SeenFile, withNotIndexed } from './indexer.js'
import type { TokenBudget } from './token-budget.js'
import { done, failed, type Tool, type ToolResult } from './tool.js'
import { inTurns, readIfThere } from './turns.js'

/** Argument from document "Smart Tool History": the model states the purpose of an edit. */
export const INTENT = { type: 'string', description: INTENT_DESCRIPTION } as const
const PATH = { type: 'string', description: 'The file, relative to the root.' } as const

export interface EditToolOptions {
  /**
   * Whether results show the change as a unified diff, as far as it fits into `limits`. Default false: the call contains
   * it already.
   */
  diffs?: boolean | undefined
}

/** Dependencies of the edit tools. */
interface Editing {
  workspace: Workspace
  indexer: Indexer
  diffs: boolean
  /** What an answer may hold. */
  budget: TokenBudget
  encodingOf: EncodingOf | undefined
}

export function editTools(editing: Editing): Tool[] {
  const tool = <const P extends Properties, R extends keyof P & string>(
    name: string,
    description: string,
    properties: P,
    required: R[],
    edit: Edit<ArgumentsOf<P, R>>,
  ): Tool =>
    defineTool({
      name,
      description,
      parameters: parametersOf<Properties, string>({ path: PATH, ...properties, intent: INTENT }, [
        'path',
        ...required,
      ]),
      run: (args) =>
        editInPlace(editing, args.path as string, (before, file) =>
          edit(before, file, args as ArgumentsOf<P, R>),
        ),
    })
  const adding = (name: string, description: string, add: typeof appendToFile & typeof prependToFile) =>
    tool(name, description, { content: text('to add') }, ['content'], (before, file, { content }) =>
      before === undefined
        ? add(before, { ...file, text: content })
        : add(before, { ...file, text: content }),
    )
  return [
    tool(
      'edit_file',
      EDIT_FILE_DESCRIPTION,
      {
        old_string: { type: 'string', description: 'The exact text to find.' },
        new_string: { type: 'string', description: 'The text to put in its place; empty to take it out.' },
        replace_all: { type: 'boolean', description: 'Replaces every place. Default false.' },
      },
      ['old_string', 'new_string'],
      (before, file, { old_string: oldString, new_string: newString, replace_all: replaceAll = false }) =>
        editFile(existing(before, file.path), { ...file, oldString, newString, replaceAll }),
    ),
    adding('append_to_file', APPEND_TO_FILE_DESCRIPTION, appendToFile),
    adding('prepend_to_file', PREPEND_TO_FILE_DESCRIPTION, prependToFile),
    tool(
      'update_section',
      UPDATE_SECTION_DESCRIPTION,
      {
        header: { type: 'string', description: 'The heading: "## Current State", or "Plan > Next".' },
        content: text('to stand under the heading, without the heading'),
      },
      ['header', 'content'],
      (before, file, { header, content }) =>
        updateSection(existing(before, file.path), { ...file, header, text: content }),
    ),
  ]
}

const text = (what: string) => ({ type: 'string', description: `The text ${what}.` }) as const

/** A pure edit function: `before` is `undefined` if the file does not exist. */
type Edit<A> = (before: Uint8Array | undefined, file: EditedFile, args: A) => EditResult

interface EditedFile {
  path: string
  encoding?: TextEncoding
}

function existing(before: Uint8Array | undefined, path: string): Uint8Array {
  if (before !== undefined) return before
  return refuseWith('path', `${path}: there is no such file`, 'not_found')
}

/** Reads, edits and writes a file atomically: if it changed meanwhile, it is read again. */
async function editInPlace(
  { workspace, indexer, diffs, budget, encodingOf }: Editing,
  path: string,
  edit: (before: Uint8Array | undefined, file: EditedFile) => EditResult,
): Promise<ToolResult> {
  const told = given({ encoding: toldBy(encodingOf, path) })
  return inTurns(workspace, async () => {
    const before = await readIfThere(workspace, path)
    if (before === undefined) await indexer.gone(path)
    const made = edit(before?.bytes, { path, ...told })
    if (made.isError) return failed(made.message)
    // Before the write: a counter of the host that fails must not make a change look like none.
    const result = done(diffs && made.diff !== '' ? withDiff(made, budget) : made.message)
    const written = { ...(await writeEdited(workspace, path, before, made.content)), ...told }
    // A file created by an addition was written entirely by the model.
    const notIndexed = before === undefined ? indexer.saw([written]) : indexer.changed(written)
    return withNotIndexed(result, await notIndexed)
  })
}

/** The message and the diff, of which as many lines are shown as fit. */
function withDiff({ message, diff }: { message: string; diff: string }, budget: TokenBudget): string {
  const lines = diff.replace(/\n$/, '').split('\n')
  const textOf = (count: number) => {
    const left = lines.length - count
    const note = left === 0 ? [] : [`[${count} of ${lines.length} lines of the diff shown: read the file]`]
    return [message, '', ...lines.slice(0, count), ...note].join('\n')
  }
  return budget.longest(budget.atMost(lines), textOf)
}

/**
 * Writes an edited file and updates the record of reads: a file the model had not read still counts as unread, and a
 * file read before stays as up to date as it was.
 */
async function writeEdited(
  workspace: Workspace,
  path: string,
  before: ReadFile | undefined,
  content: string | Uint8Array,
): Promise<SeenFile> {
  const known = before === undefined ? undefined : workspace.reads.digest(before.path)
  const { path: written, digest } = await workspace.writeFile(path, content, {
    expectedDigest: before?.digest ?? null,
  })
  if (before !== undefined && known === undefined) workspace.reads.delete(written)
  else if (before !== undefined && known !== undefined && known !== before.digest) {
    workspace.reads.set(written, known)
  }
  return { path: written, content, digest }
}
