import * as engine from '../../../pkg/files.js'
import {
  called,
  check,
  checkOptions,
  checkText,
  dataKind,
  FUNCTION,
  kind,
  LIST,
  OBJECT,
  readable,
  refuse,
  SWITCH,
  TEXT,
} from '../base/check.js'
import { BYTES, ENCODING } from '../base/content.js'
import type { MaybeGiven } from '../base/json.js'
import { wellFormed } from '../base/text.js'
import type { TextCounter } from '../base/text-counter.js'
import { files } from '../engine/files.js'
import type {
  FileRead,
  LineRange,
  ReadLimits,
  ReadOptions,
  ReadResult,
  TextEncoding,
} from '../generated/types.js'
import { FileSources, type ReadContent } from './content-source.js'
import { ownReason } from './failed-read.js'
import { LIMITS, orNull, SIZE } from './limits.js'

/** The part of a file to show. */
export interface ReadPart extends MaybeGiven<Omit<ReadOptions, 'ranges'>> {
  /** Several parts, instead of `offset` and `limit`. */
  ranges?: readonly MaybeGiven<LineRange>[] | undefined
}

/** A file to format, and the part to show. */
export interface FormatReadOptions extends ReadPart {
  /** The path to show in the header. Nothing is opened. */
  path: string
  content: ReadContent
  /** The encoding of bytes without a byte order mark. Default UTF-8. */
  encoding?: TextEncoding | undefined
}

/** One of several files: its content, or the error that prevented reading it. */
export type FileToRead =
  | { path: string; content: ReadContent; encoding?: TextEncoding | undefined }
  | { path: string; error: unknown }

/** Several files, the part of each to show, and limits. */
export interface FormatReadsOptions extends ReadPart {
  files: readonly FileToRead[]
  /** Whether to mark the content as ephemeral, to be removed after the turn. Default false. */
  ephemeral?: boolean | undefined
  /** Limits of the read. Default: none. */
  limits?: MaybeGiven<ReadLimits> | undefined
  /**
   * Counts the tokens of what is shown. Default: the estimate, UTF-8 bytes / 3.5. Whole files are first
   * estimated by their size, before they are read.
   */
  counter?: TextCounter | undefined
  /** The tool's name in the examples of an error text. Default `read`, and `read_lines` for ranges. */
  tool?: string | undefined
}

const CONTENT = kind<ReadContent>(
  'a string, a Uint8Array or a function that reads bytes',
  (value) => typeof value === 'string' || typeof value === 'function' || BYTES.is(value),
)
const FILE_FIELDS = { path: null, content: null, error: null, encoding: null }
const FILE = called(OBJECT, '{path, content} or {path, error}')
const FILES = dataKind<readonly FileToRead[]>('an array of {path, content} or {path, error}', LIST.is)
const WHOLE = kind<number>('a whole number', Number.isSafeInteger)

const RANGE_OBJECT = called(OBJECT, 'an array of {start, end}')
const RANGE = { start: WHOLE, end: orNull(WHOLE) }
/** The part of a file. JSON has no `NaN` and would turn it into `null`, so such values are rejected. */
const SLICE = {
  offset: WHOLE,
  limit: SIZE,
  column: SIZE,
  maxLineLength: SIZE,
  ranges: dataKind('an array of {start, end}', LIST.is),
}
const READS = { ...SLICE, files: FILES, ephemeral: SWITCH, limits: null, counter: FUNCTION, tool: TEXT }

/**
 * Formats a file for the model: a header, the requested lines with their numbers, and notices that say
 * exactly how to continue. Bytes are scanned in pieces; only the lines that are shown are decoded.
 *
 * @throws {TrimtabError} `invalid_option`, and any error of a reading function.
 */
export function formatRead(options: FormatReadOptions): FileRead {
  options = checkOptions(options, { ...SLICE, path: TEXT, content: null, encoding: ENCODING }, 'formatRead')
  const { path, content, encoding, ...rest } = options
  checkText('path', path)
  check('content', content, CONTENT)
  const sources = new FileSources([content])
  return guarded(sources, () =>
    engine.formatRead(sources, path, told(content, encoding), engineJson(part(rest))),
  ) as FileRead
}

/**
 * Reads several files as the read tool does: results are joined by blank lines, and a file that failed does
 * not affect the others. A read over the limits, or of no files, returns a result with `isError: true` and a
 * text for the model, not an error.
 *
 * @throws {TrimtabError} As {@link formatRead}.
 */
export function formatReads(options: FormatReadsOptions): ReadResult {
  options = checkOptions(options, READS, 'formatReads')
  const { files: list, ephemeral = false, limits, counter, tool, ...rest } = options
  check('files', list, FILES)
  const entries = list.map(entry)
  const request = engineJson({
    files: entries.map(({ path, error, encoding }) => ({ path, error, encoding: encoding || undefined })),
    options: part(rest),
    ephemeral: ephemeral === true,
    limits: limits === undefined ? undefined : checkedLimits(limits),
    tool,
  })
  const sources = new FileSources(
    entries.map(({ content }) => content),
    counter,
  )
  return guarded(sources, () => engine.readFiles(sources, request)) as ReadResult
}

/**
 * Returns the maximum tokens of a read: the smaller of `readMaxTokens` and a fifth of the context; 0.9 of the
 * context for an ephemeral read, 0.95 for a file that the user named, 0.4 for files that the host adds by
 * itself.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function readTokenLimit(
  limits: MaybeGiven<ReadLimits>,
  options: { ephemeral?: boolean | undefined } = {},
): number {
  const json = engineJson(checkedLimits(limits))
  options = checkOptions(options, { ephemeral: SWITCH }, 'readTokenLimit')
  return files.enter(() => engine.readTokenLimit(json, options.ephemeral === true))
}

/** Runs a call and throws an exception of the host's own functions instead of returning the result. */
function guarded<T>(sources: FileSources, call: () => T): T {
  const result = files.enter(call)
  if (sources.failure !== undefined) throw sources.failure.thrown
  return result
}

interface Entry {
  path: string
  content: ReadContent | undefined
  error: string | undefined
  encoding?: string
}

function entry(file: FileToRead, index: number): Entry {
  const argument = `files[${index}]`
  check(argument, file, FILE)
  file = checkOptions(file, FILE_FIELDS, argument)
  checkText(`${argument}.path`, file.path)
  if ('error' in file && file.error !== undefined) {
    return { path: file.path, content: undefined, error: ownReason(file.path, file.error) }
  }
  const { content } = file as { content: ReadContent }
  check(`${argument}.content`, content, CONTENT)
  const { encoding } = file as { encoding?: TextEncoding | undefined }
  if (encoding !== undefined) check(`${argument}.encoding`, encoding, ENCODING)
  return { path: file.path, content, error: undefined, encoding: told(content, encoding) }
}

/** A text has no encoding, whatever the caller passed. */
const told = (content: ReadContent, encoding: TextEncoding = 'utf-8'): string =>
  typeof content === 'string' ? '' : encoding

/** The requested part, checked. */
function part(options: ReadPart): ReadPart {
  const ranges = options.ranges?.map((given, at) => {
    check('ranges', given, RANGE_OBJECT)
    const range = checkOptions(given, RANGE, `ranges[${at}]`)
    if (range.start === undefined) refuse('ranges', RANGE_OBJECT.words, given)
    return range
  })
  return { ...options, ranges }
}

function checkedLimits(limits: MaybeGiven<ReadLimits>): ReadLimits {
  return readable('limits', () => {
    check('limits', limits, called(OBJECT, 'an object with contextSize'))
    limits = checkOptions(limits, LIMITS, 'limits')
    check('contextSize', limits.contextSize, SIZE)
    return limits as ReadLimits
  })
}

/** JSON for the engine, whose parser refuses half of a surrogate pair. Texts that are passed alone are U+FFFD there too. */
const engineJson = (request: object): string =>
  JSON.stringify(request, (_, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value))
