import { readSync } from 'node:fs'
import { TrimtabError } from '../base/error.js'
import { type FormatReadOptions, formatRead } from '../files/index.js'
import { expand, type ReadMode, readFile } from '../reading/index.js'
import { READ_MODES } from '../reading/thresholds.js'
import { help, type Output, onlyFile, parse, whole } from './arguments.js'
import { Failure } from './failure.js'
import { READ_HELP } from './help.js'
import { nameOf } from './input.js'
import { withFile } from './open-file.js'
import { inWords, readBytes, readPipe } from './source-file.js'
import { oneLine } from './text.js'

export async function run(given: string[]): Promise<Output> {
  const args = joinNegatives(given)
  const options = {
    help,
    offset: { type: 'string' },
    limit: { type: 'string' },
    column: { type: 'string' },
    mode: { type: 'string' },
    about: { type: 'string' },
    expand: { type: 'string' },
  } as const
  const { values, positionals } = parse('read', args, options)
  if (values.help === true) return { stdout: READ_HELP }
  const { about, expand } = values
  const mode = (values.mode ?? (about === undefined ? 'full' : 'auto')) as ReadMode
  if (!READ_MODES.includes(mode)) throw new Failure(`--mode ${mode}: one of ${READ_MODES.join(', ')}`)
  const offset = whole('--offset', values.offset, true)
  const limit = whole('--limit', values.limit)
  const column = whole('--column', values.column)
  if ((mode !== 'full' || expand !== undefined) && (offset ?? limit ?? column) !== undefined) {
    throw new Failure('--offset, --limit and --column go with --mode full')
  }
  const file = onlyFile('read', positionals)
  return { stdout: await readCommand({ file, mode, about, expand, offset, limit, column }) }
}

export interface ReadArguments {
  file: string
  mode: ReadMode
  /** Topic of interest: its sections are unfolded. */
  about: string | undefined
  /** Section to show instead: its name, or a line in it. */
  expand: string | undefined
  offset: number | undefined
  limit: number | undefined
  /** First character to show of the first line, from 1: continues in a very long line. */
  column?: number | undefined
}

/** Output of `trimtab read`. Of a large file only the shown part is held in memory. */
export async function readCommand(args: ReadArguments): Promise<string> {
  const { file, mode, offset, limit, column } = args
  if (mode !== 'full' || args.expand !== undefined) return viewCommand(args)
  const slice = {
    ...(offset !== undefined && { offset }),
    ...(limit !== undefined && { limit }),
    ...(column !== undefined && { column }),
  }
  const show = (content: FormatReadOptions['content']) =>
    `${formatRead({ path: file, content, ...slice }).text}\n`
  if (file === '-') return show(await readBytes(file))
  try {
    return withFile(file, (descriptor, stat) =>
      show(
        stat.size === 0
          ? readPipe(file, descriptor)
          : (target, at) => readSync(descriptor, target, 0, target.length, at),
      ),
    )
  } catch (error) {
    throw inWords(file, error)
  }
}

/** Formats a view of a file, or one folded section of it. */
async function viewCommand({ file, mode, about, expand: section }: ReadArguments): Promise<string> {
  const content = await readBytes(file)
  const path = oneLine(nameOf(file))
  const { binary } = formatRead({ path, content, limit: 1 })
  if (binary !== null) throw new Failure(`${path}: a binary file (${binary}) has no lines`)
  const conversation = about === undefined ? [] : [{ role: 'user', text: about }]
  try {
    const named = section !== undefined && /^\d+$/.test(section) ? Number(section) : section
    const view =
      named === undefined
        ? await readFile({ path, content, mode, conversation })
        : await expand({ path, content, section: named })
    return `${view.text}\n`
  } catch (error) {
    if (!(error instanceof TrimtabError) || error.code !== 'not_found') throw error
    throw new Failure(`--expand: ${error.message}`)
  }
}

function joinNegatives(args: readonly string[]): string[] {
  const isValue = (at: number) => args[at - 1] === '--offset' && /^-\d+$/.test(args[at] ?? '')
  return args.flatMap((arg, at) => {
    if (isValue(at)) return []
    return isValue(at + 1) ? [`${arg}=${args[at + 1]}`] : [arg]
  })
}
