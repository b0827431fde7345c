import { readSync } from 'node:fs'
import { TrimtabError } from '../base/error.js'
import { type FormatReadOptions, formatRead } from '../files/index.js'
import { expand, type FileView, type ReadMode, readFile } from '../reading/index.js'
import { READ_MODES } from '../reading/thresholds.js'
import { help, type Output, onlyFile, parse, whole } from './arguments.js'
import { Failure } from './failure.js'
import { READ_HELP } from './help.js'
import { inWords, nameOf, readBytes, readPipe, readSource, type SourceFile } from './input.js'
import { withFile } from './open-file.js'
import { asPrinted, oneLine } from './text.js'

const OPTIONS = {
  help,
  offset: { type: 'string' },
  limit: { type: 'string' },
  column: { type: 'string' },
  mode: { type: 'string' },
  about: { type: 'string' },
  expand: { type: 'string' },
} as const

/** The options that select a part of a file. */
const SLICE = ['offset', 'limit', 'column'] as const
type Slice = Pick<FormatReadOptions, (typeof SLICE)[number]>

/** `trimtab read`: lines of a file, a view of it, or one of its folded sections. */
export async function run(args: string[]): Promise<Output> {
  const { values, positionals } = parse('read', args, OPTIONS)
  if (values.help === true) return { stdout: READ_HELP }
  const { about, expand: section } = values
  const mode = modeNamed(values.mode ?? (about === undefined ? 'full' : 'auto'))
  if (about !== undefined && (section !== undefined || mode === 'full' || mode === 'structure'))
    throw new Failure(`--about has no effect with ${section === undefined ? `--mode ${mode}` : '--expand'}`)
  const slice = sliceOf(values)
  const isSlice = mode === 'full' && section === undefined
  if (!isSlice && Object.keys(slice).length > 0)
    throw new Failure('--offset, --limit and --column go with --mode full')
  const file = onlyFile('read', positionals)
  if (isSlice) return { stdout: asPrinted(`${await linesOf(file, slice)}\n`) }
  // Views exist of text only.
  const source = { ...(await readSource(file, 'lines')), path: oneLine(nameOf(file)) }
  const conversation = about === undefined ? [] : [{ role: 'user', text: about }]
  const view =
    section === undefined
      ? await readFile({ ...source, mode, conversation })
      : await sectionOf({ ...source, section })
  return { stdout: asPrinted(`${view.text}\n`) }
}

function modeNamed(name: string): ReadMode {
  const mode = READ_MODES.find((each) => each === name)
  if (mode === undefined) throw new Failure(`--mode ${name}: one of ${READ_MODES.join(', ')}`)
  return mode
}

function sliceOf(values: Readonly<Partial<Record<keyof Slice, string>>>): Slice {
  const slice: Slice = {}
  for (const name of SLICE) {
    const number = whole(`--${name}`, values[name], name === 'offset')
    if (number === 0 && name === 'offset')
      throw new Failure('--offset 0: lines count from 1, and -N from the end')
    if (number !== undefined) slice[name] = number
  }
  return slice
}

/** Formats lines of a file. Of a large file only the shown part is held in memory. */
async function linesOf(file: string, slice: Slice): Promise<string> {
  const path = nameOf(file)
  const show = (content: FormatReadOptions['content']) => formatRead({ path, content, ...slice }).text
  if (file === '-') return show(await readBytes(file))
  return inWords(file, () =>
    withFile(file, (descriptor, stat) =>
      show(
        stat.size === 0
          ? readPipe(file, descriptor)
          : (target, at) => readSync(descriptor, target, 0, target.length, at),
      ),
    ),
  )
}

/** Shows a section: the one with the name, or around the line. */
async function sectionOf({ section, ...file }: SourceFile & { section: string }): Promise<FileView> {
  try {
    return await expand({ ...file, section: /^\d+$/.test(section) ? Number(section) : section })
  } catch (error) {
    if (!(error instanceof TrimtabError) || error.code !== 'not_found') throw error
    throw new Failure(`--expand: ${error.message}`)
  }
}
