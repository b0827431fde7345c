import type { TextCounter } from '../base/text-counter.js'
import { type FileToRead, formatReads } from '../files/format-read.js'
import type { ReadLimits, ReadResult } from '../generated/types.js'
import { isBinary } from '../outline/content.js'
import type { FileReader } from '../reading/file-reader.js'
import type { ReadMode } from '../reading/thresholds.js'
import type { FileView } from '../reading/view.js'
import { failed, type ToolResult } from './tool.js'

/** How files are to be shown. */
export interface Views {
  reader: FileReader
  mode: ReadMode
  /** The name of a section, or the number of a line in it. */
  expand: string | undefined
  signal: AbortSignal | undefined
  limits: ReadLimits | undefined
  counter: TextCounter | undefined
}

/**
 * What `read_file` answers with a reader: the views of the files, as the reader makes them, and of those that have none
 * what is wrong. What is shown in full keeps to the limits of a read.
 */
export async function readViews(files: readonly FileToRead[], views: Views): Promise<ToolResult> {
  const { limits, counter } = views
  const read = (list: readonly FileToRead[]) =>
    list.length === 0
      ? undefined
      : formatReads({ files: list, ...(limits && { limits }), ...(counter && { counter }) })
  const hasLines = (file: FileToRead) => 'content' in file && !isBinary(file.content)
  const shown = await Promise.all(files.filter(hasLines).map((file) => viewOf(file, views)))
  const inFull = new Set(shown.filter(({ mode }) => mode === 'full').map(({ path }) => path))
  const limited = read(files.filter((file) => hasLines(file) && inFull.has(file.path)))
  if (limited?.isError) return refusedAs(limited)
  const others = read(files.filter((file) => !hasLines(file)))
  if (others?.isError && shown.length === 0) return refusedAs(others)
  const texts = [...shown.map(({ text }) => text), ...(others === undefined ? [] : [textOf(others)])]
  return { content: texts.join('\n\n'), isError: false, ephemeral: false, views: shown }
}

/** A read that failed, with what to do. */
export function refusedAs(read: Extract<ReadResult, { isError: true }>): ToolResult {
  const suggestion = read.suggestion === undefined ? '' : `\n${read.suggestion}`
  return { ...failed(read.error + suggestion), read }
}

async function viewOf(file: FileToRead, { reader, mode, expand, signal }: Views): Promise<FileView> {
  const { path, content } = file as { path: string; content: string | Uint8Array }
  if (expand === undefined) return reader.readFile({ path, content, mode, ...(signal && { signal }) })
  const section = /^\d+$/.test(expand.trim()) ? Number(expand) : expand
  return reader.expand({ path, content, section })
}

const textOf = (read: ReadResult) => (read.isError ? `Error: ${read.error}` : read.content)
