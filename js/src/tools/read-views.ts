import { TrimtabError } from '../base/error.js'
import { given } from '../base/json.js'
import { EPHEMERAL_WARNING, warned } from '../base/seed-texts.js'
import { binaryKind } from '../files/binary-kind.js'
import { failedRead } from '../files/failed-read.js'
import { type FileToRead, formatReads, readTokenLimit } from '../files/format-read.js'
import type { ReadLimits, ReadResult, TextEncoding } from '../generated/types.js'
import type { FileReader } from '../reading/file-reader.js'
import type { ReadMode } from '../reading/thresholds.js'
import type { FileView } from '../reading/view.js'
import type { TokenBudget } from './token-budget.js'
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
  /** What the answer may hold. */
  budget: TokenBudget
  /** Name of the tool, for examples. */
  tool: string
}

/**
 * Result of `read_file` with a reader: in the order of the files, the reader's views and errors for the files without
 * one. All of it together is within the limits of a read.
 */
export async function readViews(files: readonly FileToRead[], views: Views): Promise<ToolResult> {
  const { limits, budget, tool, ephemeral } = views
  const most = limits === undefined ? undefined : readTokenLimit(limits, { ephemeral })
  const read = (list: readonly FileToRead[]) =>
    formatReads({ files: list, ephemeral, counter: budget.count, tool, ...(limits && { limits }) })
  const hasLines = (file: FileToRead) =>
    'content' in file && binaryKind(file.content, file.encoding) === undefined
  const seen = most === undefined ? undefined : Math.max(Math.floor(most / LEAST_SHARE), 1)
  const viewed = files.filter(hasLines).slice(0, seen)
  const share = most === undefined ? undefined : Math.floor(most / Math.max(viewed.length, 1))
  const tried = new Map(
    await Promise.all(viewed.map(async (file) => [file, await viewOrError(file, share, views)] as const)),
  )
  const shown = [...tried.values()].filter((each): each is FileView => !('error' in each))
  const refused = [...tried.values()].find((each) => 'error' in each)
  if (refused !== undefined && files.length === 1) throw refused.error
  const inFull = viewed.filter((file) => (tried.get(file) as Partial<FileView>).mode === 'full')
  const limited = inFull.length === 0 ? undefined : read(inFull)
  if (limited?.isError) return refusedAs(limited, budget)
  // Files with lines that were not tried are only counted.
  const answered = files.filter((file) => tried.has(file) || !hasLines(file))
  const answers = answered.map((file) => tried.get(file) ?? file)
  if (shown.length === 0) {
    const others = read(answers as FileToRead[])
    if (others.isError) return refusedAs(others, budget)
  }
  const texts = answers.map((answer) => ('text' in answer ? answer.text : withoutView(answer)))
  const textOf = (count: number) => {
    const content = firstOf(texts, count, files.length, most)
    return ephemeral ? warned(content, EPHEMERAL_WARNING) : content
  }
  return { content: budget.longest(texts.length, textOf), isError: false, ephemeral, views: shown }
}

/** What is said of a file that has no view. */
function withoutView(file: FileToRead): string {
  const read = formatReads({ files: [file] })
  return read.isError ? failedRead(file) : read.content
}

/**
 * Tokens of a file that are worth a view: fewer show its header and little else. Files beyond these are only counted.
 */
const LEAST_SHARE = 200

/** The first texts, and a note with the number of the other files. */
function firstOf(texts: readonly string[], count: number, files: number, most: number | undefined): string {
  const left = files - count
  const note = `[${left} more file${left === 1 ? ' does' : 's do'} not fit into ${most} tokens: read them in a call of their own, or by limit and offset]`
  return [...texts.slice(0, count), ...(left === 0 ? [] : [note])].join('\n\n')
}

/**
 * Result of a failed read, with a suggestion. If that is too long, what is said is shortened before the calls that it
 * proposes, and the first of them is kept longest.
 */
export function refusedAs(read: Extract<ReadResult, { isError: true }>, budget: TokenBudget): ToolResult {
  const { error, suggestion } = read
  const proposal = error.replace(ADVICE, '$1$2')
  const forms = [
    ...(suggestion === undefined ? [] : [`${error}\n${suggestion}`]),
    error,
    proposal,
    proposal.replace(SECOND_CALL, '$1'),
  ]
  const results = forms.map(failed)
  const result = results.find(({ content }) => budget.holds(content)) ?? (results.at(-1) as ToolResult)
  return { ...result, read }
}

/** A refusal: its first sentence, advice, examples. */
const ADVICE = /^(File\(s\) too large: \S+ \S+ tokens exceeds limit of \d+\.) .*?( Example: )/s
/** The first example and the others; a path is quoted. */
const SECOND_CALL = /( Example: \w+\((?:[^"()]|"(?:[^"\\]|\\.)*")*\)) or .*$/s

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
  { reader, mode, expand, signal, budget }: Views,
): Promise<FileView> {
  const { path, content, encoding } = file as {
    path: string
    content: string | Uint8Array
    encoding?: TextEncoding
  }
  const shown = { path, content, counter: budget.count, ...given({ encoding, maxTokens }) }
  if (expand === undefined) return reader.readFile({ ...shown, mode, ...given({ signal }) })
  return reader.expand({ ...shown, section: expand })
}
