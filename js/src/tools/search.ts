import { globMatcher } from '../files/glob.js'
import type { FileInfo } from '../workspace/files.js'
import type { Workspace } from '../workspace/workspace.js'
import { parametersOf } from './arguments.js'
import { cut } from './cut.js'
import { defineTool } from './define.js'
import { SEARCH_DESCRIPTION } from './descriptions.js'
import { walkFolder } from './folder-walk.js'
import { done, failed, type Tool } from './tool.js'

const DEFAULT_LIMIT = 100
/** Larger files are data: they are named, not searched. */
const LARGEST_BYTES = 8 * 1024 * 1024
/** What is looked at, and shown, of a line: a minified file is one line. */
const LONGEST_LINE = 2000
const SHOWN_OF_LINE = 300
/** A NUL in its first bytes makes a file binary, as in git. */
const BINARY_HEAD = 8000

/** `search`: the lines that hold a text or match an expression. */
export function searchTool(workspace: Workspace, ignore: readonly string[]): Tool {
  return defineTool({
    name: 'search',
    description: SEARCH_DESCRIPTION,
    parameters: parametersOf(
      {
        pattern: {
          type: 'string',
          description: 'The text, or with regex the regular expression (JavaScript).',
        },
        regex: { type: 'boolean', description: 'Takes pattern as a regular expression. Default false.' },
        ignore_case: { type: 'boolean', description: 'Takes A for a. Default false.' },
        path: { type: 'string', description: 'The folder or file to search. Default: the root.' },
        glob: { type: 'string', description: 'Only files that match: "*.ts", "src/**/*.md".' },
        limit: { type: 'integer', description: `The most lines. Default ${DEFAULT_LIMIT}.`, minimum: 1 },
      },
      ['pattern'],
    ),
    async run(args, { signal }) {
      const { path = '.', glob, limit = DEFAULT_LIMIT } = args as unknown as SearchArguments
      const matcher = matcherOf(args as unknown as SearchArguments)
      if (typeof matcher === 'string') return failed(matcher)
      const isMeant = glob === undefined ? () => true : globMatcher(glob)
      const found = new Matches(limit)
      for await (const file of filesBelow(workspace, path, ignore)) {
        signal?.throwIfAborted()
        if (!isMeant(file.path)) continue
        if (file.size > LARGEST_BYTES) found.tooLarge.push(file.path)
        else found.addFile(file.path, (await workspace.readFile(file.path, { track: false })).bytes, matcher)
      }
      return done(found.text())
    },
  })
}

interface SearchArguments {
  pattern: string
  regex?: boolean
  ignore_case?: boolean
  path?: string
  glob?: string
  limit?: number
}

/** The question asked of each line, or why there is none. */
function matcherOf({
  pattern,
  regex = false,
  ignore_case = false,
}: SearchArguments): ((line: string) => boolean) | string {
  if (pattern === '') return 'pattern is empty: give the text to look for'
  if (!regex && !ignore_case) return (line) => line.includes(pattern)
  const source = regex ? pattern : pattern.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
  try {
    const expression = new RegExp(source, ignore_case ? 'i' : '')
    return (line) => expression.test(line)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `pattern is no regular expression (${reason}): leave regex out to look for the text itself`
  }
}

async function* filesBelow(
  workspace: Workspace,
  path: string,
  ignore: readonly string[],
): AsyncGenerator<FileInfo> {
  const info = await workspace.stat(path)
  if (info?.kind === 'file') yield info
  else for await (const entry of walkFolder(workspace, path, ignore)) if (entry.kind === 'file') yield entry
}

class Matches {
  readonly tooLarge: string[] = []
  readonly #limit: number
  readonly #lines: string[] = []
  #total = 0
  #files = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  addFile(path: string, bytes: Uint8Array, matches: (line: string) => boolean): void {
    if (bytes.subarray(0, BINARY_HEAD).includes(0)) return
    const before = this.#total
    const lines = new TextDecoder().decode(bytes).split(/\r?\n/)
    lines.forEach((line, i) => {
      if (!matches(line.slice(0, LONGEST_LINE))) return
      this.#total++
      if (this.#lines.length < this.#limit) this.#lines.push(`${path}:${i + 1}: ${shownOf(line)}`)
    })
    if (this.#total > before) this.#files++
  }

  text(): string {
    const notes: string[] = []
    const shown = this.#lines.length
    if (this.#total > shown)
      notes.push(
        `[${shown} of ${this.#total} matches in ${this.#files} files shown: narrow it by path, glob or pattern]`,
      )
    if (this.tooLarge.length > 0) notes.push(`[Not searched, over 8 MB: ${this.tooLarge.join(', ')}]`)
    if (this.#total === 0) notes.unshift('No matches.')
    return [...this.#lines, ...notes].join('\n')
  }
}

function shownOf(line: string): string {
  if (line.length <= SHOWN_OF_LINE) return line
  return `${cut(line, SHOWN_OF_LINE)} [${line.length} characters]`
}
