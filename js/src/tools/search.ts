import { TrimtabError } from '../base/error.js'
import { globMatcher } from '../files/glob.js'
import { LineSearch } from '../files/line-search.js'
import type { FoundLine } from '../generated/types.js'
import type { FileInfo } from '../workspace/files.js'
import type { Workspace } from '../workspace/workspace.js'
import { parametersOf } from './arguments.js'
import { defineTool } from './define.js'
import { SEARCH_DESCRIPTION } from './descriptions.js'
import { walkFolder } from './folder-walk.js'
import { done, failed, type Tool } from './tool.js'

const DEFAULT_LIMIT = 100
/** Larger files are data: they are named, not searched. */
const LARGEST_BYTES = 8 * 1024 * 1024

/** `search`: the lines that hold a text or match an expression. */
export function searchTool(workspace: Workspace, ignore: readonly string[]): Tool {
  return defineTool({
    name: 'search',
    description: SEARCH_DESCRIPTION,
    parameters: parametersOf(
      {
        pattern: {
          type: 'string',
          description: 'The text, or with regex the regular expression (RE2 syntax).',
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
      const isMeant = glob === undefined ? () => true : globMatcher(glob)
      const wanted = understood(args as unknown as SearchArguments)
      if (typeof wanted === 'string') return failed(wanted)
      const found = new Matches(limit)
      try {
        for await (const file of filesBelow(workspace, path, ignore)) {
          signal?.throwIfAborted()
          if (!isMeant(file.path)) continue
          if (file.size > LARGEST_BYTES) found.tooLarge.push(file.path)
          else found.addFile(file.path, (await workspace.readFile(file.path, { track: false })).bytes, wanted)
        }
      } finally {
        wanted.free()
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

/** What is looked for, or why that is not possible. */
function understood({ pattern, regex = false, ignore_case = false }: SearchArguments): LineSearch | string {
  try {
    return new LineSearch(pattern, regex, ignore_case)
  } catch (error) {
    if (error instanceof TrimtabError && error.code === 'invalid_option') return error.message
    throw error
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

  addFile(path: string, bytes: Uint8Array, wanted: LineSearch): void {
    const room = this.#limit - this.#lines.length
    const found = wanted.file(bytes, room)
    if (found === undefined || found.lines === 0) return
    this.#total += found.lines
    this.#files++
    this.#lines.push(...found.first.map((line) => `${path}:${shown(line)}`))
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

function shown({ number, text, part }: FoundLine): string {
  const columns = part === null ? '' : ` [columns ${part[0]}-${part[1]} of ${part[2]}]`
  return `${number}: ${text}${columns}`
}
