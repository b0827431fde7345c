import * as engine from '../../../pkg/files.js'
import { TrimtabError } from '../base/error.js'
import { checkIsFunction, checkIsObject } from '../base/options.js'
import { refuseOption } from '../base/refuse.js'
import { files } from '../engine/files.js'
import type { FileRead, ReadLimits, ReadOptions, ReadResult } from '../generated/types.js'
import { type CountTokens, FileSources, type ReadContent } from './content-source.js'

/** A file to format, and which part of it. */
export interface FormatReadOptions extends ReadOptions {
  /** The path as the header shows it. Nothing is opened. */
  path: string
  content: ReadContent
}

/** One of several files: its content, or why there is none. */
export type FileToRead = { path: string; content: ReadContent } | { path: string; error: unknown }

/** Several files, which part of each, and how much may be read. */
export interface FormatReadsOptions extends ReadOptions {
  files: readonly FileToRead[]
  /** Whether the content is to leave the conversation after the turn. Default false. */
  ephemeral?: boolean
  /** How much may be read. Default: any. */
  limits?: ReadLimits
  /** Counts what a slice shows. Default: the estimate, UTF-8 bytes / 3.5. Whole files are estimated by their size. */
  countTokens?: CountTokens
}

/**
 * Formats a file for the model: a header, the lines that were asked for with their numbers, and notices that say exactly
 * how to go on. Content in bytes is scanned in pieces; only the lines that are shown become text.
 *
 * @throws {TrimtabError} `invalid_option`, and whatever a reading function throws.
 */
export function formatRead(options: FormatReadOptions): FileRead {
  checkIsObject('options', options)
  const { path, content, ...rest } = options
  checkPath(path)
  checkContent(content)
  const sources = new FileSources([content])
  return guarded(sources, () => engine.formatRead(sources, path, part(rest))) as FileRead
}

/**
 * Reads several files as the read tool answers: joined by blank lines, a file that failed beside those that did not. Too
 * much, or no files, is a result with `success: false` and words for the model, not an error.
 *
 * @throws {TrimtabError} As {@link formatRead}.
 */
export function formatReads(options: FormatReadsOptions): ReadResult {
  checkIsObject('options', options)
  checkIsFunction('countTokens', options.countTokens)
  const { files: list, ephemeral = false, limits, countTokens, ...rest } = options
  if (!Array.isArray(list)) {
    const message = `files must be an array of {path, content} or {path, error}, found ${typeof list}`
    throw new TrimtabError('invalid_option', message, { argument: 'files' })
  }
  const entries = list.map(entry)
  const request = JSON.stringify({
    files: entries.map(({ path, error }) => ({ path, error })),
    options: JSON.parse(part(rest)) as ReadOptions,
    ephemeral: ephemeral === true,
    limits: limits === undefined ? undefined : checkedLimits(limits),
  })
  const sources = new FileSources(
    entries.map(({ content }) => content),
    countTokens,
  )
  return guarded(sources, () => engine.readFiles(sources, request)) as ReadResult
}

/**
 * The most tokens that a read may take: the smaller of `readMaxTokens` and a fifth of the context; 0.9 of the context for
 * an ephemeral read, 0.95 for a file that the user named, 0.4 for files that the host puts in by itself.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function readTokenLimit(limits: ReadLimits, options: { ephemeral?: boolean } = {}): number {
  const json = JSON.stringify(checkedLimits(limits))
  return files.enter(() => engine.readTokenLimit(json, options.ephemeral === true))
}

/** What the host's own functions threw comes before what came of it. */
function guarded<T>(sources: FileSources, call: () => T): T {
  const result = files.enter(call)
  if (sources.failure !== undefined) throw sources.failure.thrown
  return result
}

interface Entry {
  path: string
  content: ReadContent | undefined
  error: string | undefined
}

function entry(file: FileToRead, index: number): Entry {
  const argument = `files[${index}]`
  if (typeof file !== 'object' || file === null) {
    const message = `${argument} must be {path, content} or {path, error}, found ${file === null ? 'null' : typeof file}`
    throw new TrimtabError('invalid_option', message, { argument })
  }
  checkPath(file.path, `${argument}.path`)
  if ('error' in file && file.error !== undefined) {
    const { error } = file
    const text = error instanceof Error ? error.message : String(error)
    // Its path stands before it already.
    const own = `${file.path}: `
    return {
      path: file.path,
      content: undefined,
      error: text.startsWith(own) ? text.slice(own.length) : text,
    }
  }
  const { content } = file as { content: ReadContent }
  checkContent(content, `${argument}.content`)
  return { path: file.path, content, error: undefined }
}

function checkPath(path: unknown, argument = 'path'): void {
  if (typeof path === 'string') return
  throw new TrimtabError('invalid_option', `${argument} must be a string, found ${typeof path}`, { argument })
}

function checkContent(content: unknown, argument = 'content'): void {
  const isReadable = typeof content === 'string' || typeof content === 'function'
  if (isReadable || content instanceof Uint8Array) return
  const expected = 'a string, a Uint8Array or a function that reads bytes'
  const message = `${argument} must be ${expected}, found ${content === null ? 'null' : typeof content}`
  throw new TrimtabError('invalid_option', message, { argument })
}

/** The JSON of the part that is asked for. JSON has no `NaN`: what it would turn into `null` is refused here. */
function part(options: ReadOptions): string {
  for (const name of ['limit', 'column', 'maxLineLength'] as const) checkWhole(name, options[name], 0)
  checkWhole('offset', options.offset)
  if (options.ranges !== undefined && !Array.isArray(options.ranges)) {
    const message = `ranges must be an array of {start, end}, found ${typeof options.ranges}`
    throw new TrimtabError('invalid_option', message, { argument: 'ranges' })
  }
  for (const range of options.ranges ?? []) {
    checkWhole('ranges', range?.start ?? Number.NaN)
    checkWhole('ranges', range?.end)
  }
  return JSON.stringify(options)
}

function checkWhole(argument: string, value: unknown, least = Number.MIN_SAFE_INTEGER): void {
  if (value === undefined || value === null) return
  if (Number.isSafeInteger(value) && (value as number) >= least) return
  const kind = least === 0 ? 'a whole number from 0 on' : 'a whole number'
  refuseOption(argument, kind, value)
}

function checkedLimits(limits: ReadLimits): ReadLimits {
  if (typeof limits !== 'object' || limits === null) {
    const message = `limits must be an object with contextSize, found ${limits === null ? 'null' : typeof limits}`
    throw new TrimtabError('invalid_option', message, { argument: 'limits' })
  }
  checkWhole('contextSize', limits.contextSize ?? Number.NaN, 0)
  checkWhole('readMaxTokens', limits.readMaxTokens, 0)
  return limits
}
