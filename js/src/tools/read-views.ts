import { TrimtabError } from '../base/error.js'
import { given } from '../base/json.js'
import { EPHEMERAL_WARNING, warned } from '../base/seed-texts.js'
import type { TextCounter } from '../base/text-counter.js'
import { binaryKind } from '../files/binary-kind.js'
import { type FileToRead, formatReads, readTokenLimit } from '../files/format-read.js'
import type { ReadLimits, ReadResult, TextEncoding } from '../generated/types.js'
import type { FileReader } from '../reading/file-reader.js'
import type { ReadMode } from '../reading/thresholds.js'
import type { FileView } from '../reading/view.js'
import { estimateByBytes } from '../tokens/byte-estimate.js'
import { failed, type ToolResult } from './tool.js'

/** How files are shown. */
export interface Views {
  reader: FileReader
  mode: ReadMode
  /** Name of a section, or the number of a line in it. */
  expand: string | undefined
  ephemeral: boolean
  signal: AbortSignal | undefined
  limits: ReadLimits | undefined
  counter: TextCounter | undefined
  /** Name of the tool, for examples. */
  tool: string
}

/**
 * Result of `read_file` with a reader: the reader's views of the files, and errors for the files without one. All of it
 * together is within the limits of a read.
 */
export async function readViews(files: readonly FileToRead[], views: Views): Promise<ToolResult> {
  const { limits, counter = estimateByBytes, tool, ephemeral } = views
  const most = limits === undefined ? undefined : readTokenLimit(limits, { ephemeral })
  const read = (list: readonly FileToRead[]) =>
    list.length === 0
      ? undefined
      : formatReads({ files: list, ephemeral, counter, tool, ...(limits && { limits }) })
  const hasLines = (file: FileToRead) =>
    'content' in file && binaryKind(file.content, file.encoding) === undefined
  const seen = most === undefined ? undefined : Math.max(Math.floor(most / LEAST_SHARE), 1)
  const viewed = files.filter(hasLines).slice(0, seen)
  const share = most === undefined ? undefined : Math.floor(most / Math.max(viewed.length, 1))
  const tried = await Promise.all(viewed.map((file) => viewOrError(file, share, views)))
  const shown = tried.filter((each): each is FileView => !('error' in each))
  const withoutView = tried.filter((each) => 'error' in each)
  if (withoutView.length > 0 && files.length === 1) throw withoutView[0]?.error
  const inFull = new Set(shown.filter(({ mode }) => mode === 'full').map(({ path }) => path))
  const limited = read(viewed.filter((file) => inFull.has(file.path)))
  if (limited?.isError) return refusedAs(limited)
  const without = [...withoutView, ...files.filter((file) => !hasLines(file))]
  const others = read(without)
  if (others?.isError && shown.length === 0) return refusedAs(others)
  const texts = shown.map(({ text }) => ({ text, files: 1 }))
  if (others !== undefined) texts.push({ text: textOf(others), files: without.length })
  const content = withinLimit(texts, files.length, most, counter).join('\n\n')
  const all = ephemeral ? warned(content, EPHEMERAL_WARNING) : content
  return { content: all, isError: false, ephemeral, views: shown }
}

/** Tokens of a file that are worth a view: fewer show its header and little else. Files beyond these are only counted. */
const LEAST_SHARE = 200

/** Text about some files. */
interface Shown {
  text: string
  files: number
}

/** Keeps the first texts that fit together, and adds a note with the number of the other files. */
function withinLimit(
  texts: readonly Shown[],
  files: number,
  most: number | undefined,
  counter: TextCounter,
): string[] {
  const first = (count: number): string[] => {
    const kept = texts.slice(0, count)
    const left = files - kept.reduce((sum, each) => sum + each.files, 0)
    const note = `[${left} more file${left === 1 ? ' does' : 's do'} not fit into ${most} tokens: read them in a call of their own, or by limit and offset]`
    return [...kept.map(({ text }) => text), ...(left === 0 ? [] : [note])]
  }
  if (most === undefined) return first(texts.length)
  let [fits, tooMany] = [0, texts.length + 1]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (counter(first(middle).join('\n\n')) <= most) fits = middle
    else tooMany = middle
  }
  return first(fits)
}

/** Result of a failed read, with a suggestion. */
export function refusedAs(read: Extract<ReadResult, { isError: true }>): ToolResult {
  const suggestion = read.suggestion === undefined ? '' : `\n${read.suggestion}`
  return { ...failed(read.error + suggestion), read }
}

/** A file of several that has no view, such as the section that another one has, does not take the others with it. */
async function viewOrError(
  file: FileToRead,
  maxTokens: number | undefined,
  views: Views,
): Promise<FileView | { path: string; error: TrimtabError }> {
  try {
    return await viewOf(file, maxTokens, views)
  } catch (error) {
    if (!(error instanceof TrimtabError)) throw error
    return { path: file.path, error }
  }
}

async function viewOf(
  file: FileToRead,
  maxTokens: number | undefined,
  { reader, mode, expand, signal }: Views,
): Promise<FileView> {
  const { path, content, encoding } = file as {
    path: string
    content: string | Uint8Array
    encoding?: TextEncoding
  }
  const shown = { path, content, ...given({ encoding, maxTokens }) }
  if (expand === undefined) return reader.readFile({ ...shown, mode, ...given({ signal }) })
  return reader.expand({ ...shown, section: expand })
}

const textOf = (read: ReadResult) => (read.isError ? `Error: ${read.error}` : read.content)
