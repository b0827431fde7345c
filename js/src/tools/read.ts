import { check, checkOptions, FUNCTION, kind, OBJECT, SWITCH, TEXT, withMethods } from '../base/check.js'
import { askable, reasonOf, TrimtabError } from '../base/error.js'
import { asRecord, given, type MaybeGiven } from '../base/json.js'
import { EPHEMERAL_DESCRIPTION, warned } from '../base/seed-texts.js'
import type { TextCounter } from '../base/text-counter.js'
import { type FileToRead, formatReads, readTokenLimit } from '../files/format-read.js'
import { LIMITS } from '../files/limits.js'
import type { ReadLimits } from '../generated/types.js'
import type { FileReader } from '../reading/file-reader.js'
import { INDEX, type ReadIndex } from '../reading/read-index.js'
import { READ_MODES, type ReadMode } from '../reading/thresholds.js'
import { escaped } from '../workspace/paths.js'
import type { Workspace } from '../workspace/workspace.js'
import { type ArgumentsOf, parametersOf } from './arguments.js'
import { defineTool } from './define.js'
import { READ_LINES_DESCRIPTION } from './descriptions.js'
import { type EncodingOf, toldBy } from './encoding.js'
import { reworded } from './failure-words.js'
import { Indexer, type SeenFile, withNotIndexed } from './indexer.js'
import { readFileDescription } from './read-description.js'
import { readViews, refusedAs } from './read-views.js'
import { TokenBudget } from './token-budget.js'
import { done, failed, shortenedBy, type Tool, type ToolResult } from './tool.js'

/** The part of a {@link Workspace} that the read tools need; any storage works. */
export interface ReadSource {
  /** Returns the content of a file, or an object that holds its bytes, as a workspace does. */
  readFile(
    path: string,
    options?: { track: false },
  ): Promise<string | Uint8Array | { bytes: Uint8Array; path?: string; digest?: string }>
  /** Describes what is at a path. If absent, every path is assumed to be a file. */
  stat?(path: string): Promise<{ kind?: string; size: number } | undefined>
}

/** Options of {@link createReadTool} and {@link createReadLinesTool}. */
export interface ReadToolOptions {
  /** Name of the tool. Default `read_file`, `read_lines`. */
  name?: string | undefined
  /**
   * Limits of one call. Default: 3000 tokens, as in the document, and 0.9 of a context window of 200,000 tokens for
   * ephemeral reads; also for what is absent. `false`: no limits.
   */
  limits?: MaybeGiven<Partial<ReadLimits>> | false | undefined
  /** Whether the model may request reads that leave the conversation after the turn. Default true. */
  ephemeral?: boolean | undefined
  /**
   * Shows larger files by relevance (`createFileReader` of `trimtab/reading`): the model may then pass a mode, and a
   * section to expand. Default: files are shown in full.
   */
  reader?: FileReader | undefined
  /**
   * Index that every file read is added to, whole, unless the read is ephemeral: `createIndex()` of `trimtab/index`. An
   * index error never fails a read; it is reported in the result (`notIndexed`).
   */
  index?: ReadIndex | undefined
  /**
   * Returns the encoding of a file without a byte order mark: `(path) => path.endsWith('.properties') ? 'latin-1' :
   * undefined`. Default: UTF-8.
   */
  encodingOf?: EncodingOf | undefined
  /** Counts the tokens of slices. Default: the estimate, UTF-8 bytes / 3.5. */
  counter?: TextCounter | undefined
}

/** Context size assumed if the host sets none. */
const DEFAULT_LIMITS: ReadLimits = { contextSize: 200_000 }
/** Larger files can never be shown, so they are not loaded only to report that. */
const LARGEST_BYTES = 256 * 1024 * 1024

const FILE_PATHS = {
  type: 'array',
  items: { type: 'string' },
  description: 'Array of file paths to read',
} as const
const LIMIT = {
  type: 'integer',
  description: 'Maximum lines to read per file (0 = all lines)',
  minimum: 0,
} as const
const OFFSET = {
  type: 'integer',
  description: 'Start reading from this line number (1-based)',
} as const
const COLUMN = {
  type: 'integer',
  description: 'The first character of the first line, from 1: to read on in a very long line.',
  minimum: 1,
} as const
const MODE = {
  type: 'string',
  enum: READ_MODES,
  description:
    'auto: small files in full, others by what is relevant. full: everything, up to the limit of a read. curated: what the conversation is about. structure: imports, types, signatures. Default auto. Lines named by limit or offset, and ephemeral reads, are shown as they are.',
} as const
const EXPAND = {
  type: 'string',
  description: 'Shows only this folded section, in full: its name, or the number of a line in it.',
} as const
const EPHEMERAL = { type: 'boolean', description: EPHEMERAL_DESCRIPTION } as const

/** Checks for {@link ReadToolOptions}. */
export const READ_OPTIONS = {
  name: TEXT,
  limits: kind('false or an object of limits', (value) => value === false || OBJECT.is(value)),
  ephemeral: SWITCH,
  reader: withMethods<FileReader>('what createFileReader() gives', 'readFile', 'expand'),
  index: INDEX,
  encodingOf: FUNCTION,
  counter: FUNCTION,
}
const SOURCE = withMethods<ReadSource>('a workspace, or an object with readFile(path)', 'readFile')

function toolOptions(source: ReadSource, given: ReadToolOptions, where: string): ReadToolOptions {
  check('source', source, SOURCE)
  const options = checkOptions(given, READ_OPTIONS, where)
  if (options.limits === undefined || options.limits === false) return options
  return { ...options, limits: checkOptions(options.limits, LIMITS, `${where} limits`) }
}

/** Creates the read tool of document "ReadTool Improvements": several files, slices, token limits, ephemeral reads. */
export function createReadTool(source: ReadSource, options: ReadToolOptions = {}): Tool {
  return readTool(source, options, false)
}

/** {@link createReadTool}, which may know that the tool `read_lines` is there too. */
export function readTool(source: ReadSource, options: ReadToolOptions, hasReadLines: boolean): Tool {
  options = toolOptions(source, options, 'createReadTool')
  const { name = 'read_file', counter, reader, encodingOf } = options
  const limits = limitsFrom(options)
  const indexer = new Indexer(options.index)
  const mayBeEphemeral =
    options.ephemeral !== false && (limits === false || limits.ephemeralReadEnabled !== false)
  const shownLimits = limitsOf(limits, mayBeEphemeral)
  const budget = (isEphemeral: boolean) => budgetOf(shownLimits, isEphemeral, counter)
  const properties = {
    file_paths: FILE_PATHS,
    limit: LIMIT,
    offset: OFFSET,
    column: COLUMN,
    ...(reader && { mode: MODE, expand: EXPAND }),
    ...(mayBeEphemeral && { ephemeral: EPHEMERAL }),
  }
  const tool = defineTool({
    name,
    description: readFileDescription({ reader, hasIndex: options.index !== undefined, hasReadLines }),
    parameters: parametersOf(properties, ['file_paths']),
    mayMiss: ['file_paths'],
    async run(args, { signal }) {
      const { file_paths: paths = [], limit = 0, offset, column = 1 } = args
      const ephemeral = args.ephemeral === true
      const opened = await Promise.all(paths.map((path) => open(source, path, { indexer, encodingOf })))
      const view = viewAsked(args, ephemeral)
      if (reader !== undefined && view !== undefined && paths.length > 0) {
        const shared = {
          reader,
          ephemeral,
          signal,
          limits: shownLimits,
          budget: budget(ephemeral),
          tool: name,
        }
        const files = opened.map(({ file }) => file)
        const result = await readViews(files, { ...view, ...shared })
        return result.isError ? result : noted(result, opened, indexer)
      }
      const read = formatReads({
        files: opened.map(({ file }) => file),
        limit,
        column,
        ephemeral,
        tool: name,
        // No default offset of 1: an empty file has no line 1.
        ...given({ offset, counter, limits: shownLimits }),
      })
      if (read.isError) return refusedAs(read, budget(false))
      return noted(
        { content: warned(read.content, read._ephemeral_warning), isError: false, ephemeral, read },
        opened,
        indexer,
      )
    },
  })
  // Whatever else it answers, names of binary files or reasons of errors, is within the limit too.
  return shortenedBy(tool, (result) => budget(result.ephemeral))
}

function budgetOf(
  limits: ReadLimits | undefined,
  ephemeral: boolean,
  counter: TextCounter | undefined,
): TokenBudget {
  return new TokenBudget(limits && readTokenLimit(limits, { ephemeral }), counter)
}

/** The limits of a tool, with the default of what is absent. */
export const limitsFrom = ({ limits = {} }: ReadToolOptions): ReadLimits | false =>
  limits !== false && { ...DEFAULT_LIMITS, ...given(limits) }

/** The limits of a read; without ephemeral reads they are not proposed. */
const limitsOf = (limits: ReadLimits | false, mayBeEphemeral: boolean): ReadLimits | undefined =>
  limits === false ? undefined : mayBeEphemeral ? limits : { ...limits, ephemeralReadEnabled: false }

/** Records what the model is shown now; refused files, or files not shown, are not recorded. */
async function noted(result: ToolResult, opened: readonly Opened[], indexer: Indexer): Promise<ToolResult> {
  for (const { note } of opened) note()
  if (result.ephemeral) return result
  // The first view of a path: later entries of a Map replace earlier ones.
  const views = new Map(result.views?.toReversed().map((view) => [view.path, view]))
  const sections = (path: string) => views.get(path)?.sections
  const seen = opened.flatMap(({ file, seen }) =>
    seen === undefined ? [] : [{ ...seen, sections: sections(file.path) }],
  )
  return withNotIndexed(result, await indexer.saw(seen))
}

type ViewArguments = ArgumentsOf<
  {
    mode: typeof MODE
    expand: typeof EXPAND
    limit: typeof LIMIT
    offset: typeof OFFSET
    column: typeof COLUMN
  },
  never
>

/** Returns the requested view, if a reader is to show the file; `undefined` if the call names lines. */
function viewAsked(
  { mode = 'auto', expand, limit = 0, offset = 1, column = 1 }: ViewArguments,
  ephemeral: boolean,
): { mode: ReadMode; expand: string | undefined } | undefined {
  const isSlice = limit !== 0 || offset !== 1 || column !== 1
  if (expand === undefined && (isSlice || ephemeral)) return undefined
  return { mode, expand }
}

/** Creates the tool of document "Unified read_file" that reads lines by number. */
export function createReadLinesTool(source: ReadSource, options: ReadToolOptions = {}): Tool {
  options = toolOptions(source, options, 'createReadLinesTool')
  const { name = 'read_lines', counter, encodingOf } = options
  const limits = limitsFrom(options)
  const indexer = new Indexer(options.index)
  const shownLimits = limitsOf(limits, false)
  const budget = () => budgetOf(shownLimits, false, counter)
  const tool = defineTool({
    name,
    description: READ_LINES_DESCRIPTION,
    parameters: parametersOf(
      {
        path: { type: 'string', description: 'The file, relative to the root.' },
        start: { type: 'integer', description: 'The first line, from 1; negative counts from the end.' },
        end: { type: 'integer', description: 'The last line, itself included.' },
        column: COLUMN,
      },
      ['path', 'start', 'end'],
    ),
    async run({ path, start, end, column }) {
      if (start > 0 && end > 0 && end < start) return failed(`end (${end}) is before start (${start})`)
      const opened = await open(source, path, { indexer, encodingOf })
      const { file } = opened
      if ('error' in file) {
        const { error } = file
        if (error instanceof TrimtabError) throw error
        return failed(`${escaped(path)}: ${reasonOf(error)}`)
      }
      const read = formatReads({
        files: [file],
        ranges: [{ start: start === 0 ? 1 : start, end }],
        tool: name,
        ...given({ column, counter, limits: shownLimits }),
      })
      if (read.isError) {
        const { suggestion: _, ...told } = read
        return { ...refusedAs(told, budget()), read }
      }
      return noted({ ...done(read.content), read }, [opened], indexer)
    },
  })
  return shortenedBy(tool, budget)
}

interface Opened {
  file: FileToRead
  /** Records the file as read. */
  note(): void
  /** The whole file, if it exists. */
  seen?: SeenFile
}

async function open(
  source: ReadSource,
  path: string,
  { indexer, encodingOf }: { indexer: Indexer; encodingOf: EncodingOf | undefined },
): Promise<Opened> {
  const without = (error: unknown): Opened => ({
    file: { path: escaped(path), error },
    note: () => undefined,
  })
  try {
    const info = await source.stat?.(path)
    if (info?.kind === 'folder') return without('it is a folder: use list_files')
    if (info !== undefined && info.size > LARGEST_BYTES)
      return without(`it has ${info.size} bytes, and no tool here reads more than ${LARGEST_BYTES}`)
    const found = await source.readFile(path, { track: false })
    const told = given({ encoding: toldBy(encodingOf, path) })
    if (typeof found === 'string' || found instanceof Uint8Array) {
      const file = { path, content: found, ...told }
      return { file, note: () => undefined, seen: file }
    }
    if (!(asRecord(found)?.bytes instanceof Uint8Array)) return without('the source gave no content')
    const { bytes, digest, path: real } = found
    const { reads } = source as Partial<Workspace>
    const note = () => {
      if (real !== undefined && digest !== undefined) reads?.set(real, digest)
    }
    const seen = { path: real ?? path, content: bytes, digest, ...told }
    return { file: { path, content: bytes, ...told }, note, seen }
  } catch (thrown) {
    // A source may reject with nothing, which would be no error.
    const error = askable(thrown) ?? reasonOf(thrown)
    if (isMissing(error)) await indexer.gone(path)
    return without(reworded(error))
  }
}

const isMissing = (error: unknown) =>
  error instanceof TrimtabError && error.code === 'not_found' && error.argument === 'path'
