import { counted, utf8Length } from '../base/text.js'
import { askedGlob, unlessInvalid } from '../files/glob.js'
import { LineSearch } from '../files/line-search.js'
import { BYTES_PER_TOKEN } from '../generated/protocol.js'
import type { FoundLine, TextEncoding } from '../generated/types.js'
import type { FileInfo } from '../workspace/files.js'
import type { Workspace } from '../workspace/workspace.js'
import { parametersOf } from './arguments.js'
import { defineTool } from './define.js'
import { SEARCH_DESCRIPTION } from './descriptions.js'
import { type EncodingOf, toldBy } from './encoding.js'
import { exceptFor, named, PassedOver, walkFolder } from './folder-walk.js'
import type { TokenBudget } from './token-budget.js'
import { done, failed, type Tool } from './tool.js'

const DEFAULT_LIMIT = 100
/** Larger files are data: listed by name, not searched. */
const LARGEST_BYTES = 8 * 1024 * 1024
/** Longest time that one search spends with matching, which blocks the process. */
const LONGEST_MS = 2000

interface SearchSettings {
  /** Maximum tokens of a result. */
  maxTokens: number
  budget: TokenBudget
  ignore: readonly string[]
  encodingOf: EncodingOf | undefined
}

/** `search`: finds the lines that contain a text or match a regular expression. */
export function searchTool(workspace: Workspace, settings: SearchSettings): Tool {
  const { ignore, encodingOf, maxTokens, budget } = settings
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
        ignore_case: { type: 'boolean', description: 'Takes A for a: only letters of ASCII. Default false.' },
        path: {
          type: 'string',
          description: `The folder or file to search. Default: the root.${exceptFor(ignore)}`,
        },
        glob: { type: 'string', description: 'Only files that match: "*.ts", "src/**/*.md".' },
        limit: { type: 'integer', description: `The most lines. Default ${DEFAULT_LIMIT}.`, minimum: 1 },
      },
      ['pattern'],
    ),
    async run(args, { signal }) {
      const { pattern, regex = false, ignore_case = false, ...rest } = args
      const { path = '.', glob, limit = DEFAULT_LIMIT } = rest
      const isMeant = askedGlob(glob)
      if (typeof isMeant === 'string') return failed(isMeant)
      const wanted = unlessInvalid(() => new LineSearch(pattern, regex, ignore_case))
      if (typeof wanted === 'string') return failed(wanted)
      const found = new Matches(limit, maxTokens, budget)
      const lookAt = async (file: FileInfo) => {
        if (file.size > LARGEST_BYTES) return void found.tooLarge.push(file.path)
        const { bytes } = await workspace.readFile(file.path, { track: false })
        found.addFile(file.path, bytes, wanted, toldBy(encodingOf, file.path))
      }
      try {
        const info = await workspace.stat(path)
        if (info?.kind === 'file') {
          if (isMeant(info.path)) await lookAt(info)
          return done(found.text())
        }
        for await (const file of walkFolder(workspace, path, ignore, found.passedOver)) {
          signal?.throwIfAborted()
          if (file.kind !== 'file' || !isMeant(file.path)) continue
          if (found.isOver) {
            found.skipped++
            continue
          }
          await found.passedOver.try(file.path, () => lookAt(file))
        }
        return done(found.text())
      } finally {
        wanted.free()
      }
    },
  })
}

class Matches {
  /** Number of files that were not searched because matching had taken too long. */
  skipped = 0
  readonly tooLarge: string[] = []
  readonly passedOver = new PassedOver()
  readonly #limit: number
  readonly #budget: TokenBudget
  /**
   * Bytes of lines to collect: the estimate of the limit. Lines are in the order of the walk: those after the first
   * that does not fit are only counted.
   */
  #bytesLeft: number
  readonly #lines: string[] = []
  #total = 0
  #files = 0
  #spent = 0
  /** Files with lines that were not searched. */
  readonly #partly: string[] = []
  #unsearched = 0

  constructor(limit: number, maxTokens: number, budget: TokenBudget) {
    this.#limit = limit
    this.#budget = budget
    this.#bytesLeft = maxTokens * BYTES_PER_TOKEN
  }

  addFile(path: string, bytes: Uint8Array, wanted: LineSearch, encoding: TextEncoding | undefined): void {
    const room = this.#bytesLeft < 0 ? 0 : this.#limit - this.#lines.length
    const start = performance.now()
    const spent = () => this.#spent + performance.now() - start
    const found = wanted.file(bytes, room, encoding, () => spent() > LONGEST_MS)
    this.#spent = spent()
    if (found === undefined) return
    this.#unsearched += found.unsearched
    if (found.unsearched > 0) this.#partly.push(path)
    if (found.lines === 0) return
    this.#total += found.lines
    this.#files++
    for (const line of found.first) {
      const text = `${path}:${shown(line)}`
      this.#bytesLeft -= utf8Length(text) + 1
      if (this.#bytesLeft < 0) break
      this.#lines.push(text)
    }
  }

  /** Whether matching has taken too long. Reading files does not count. */
  get isOver(): boolean {
    return this.#spent > LONGEST_MS
  }

  /** The first lines that fit, with the notes below them. */
  text(): string {
    return this.#budget.longest(this.#lines.length, (shown) => this.#textOf(shown))
  }

  #textOf(shown: number): string {
    const notes: string[] = []
    if (this.#total > shown)
      notes.push(
        `[${shown} of ${this.#total} matches in ${this.#files} files shown: narrow it by path, glob or pattern]`,
      )
    if (this.tooLarge.length > 0) notes.push(`[Not searched, over 8 MB: ${named(this.tooLarge)}]`)
    if (this.skipped + this.#unsearched > 0) notes.push(this.#slowNote())
    notes.push(...this.passedOver.failureNote('Not searched'))
    if (this.#total === 0) notes.unshift('No matches.', ...this.passedOver.ignoredNote())
    return [...this.#lines.slice(0, shown), ...notes].join('\n')
  }

  #slowNote(): string {
    const lines = `${counted(this.#unsearched, 'line')} of ${named(this.#partly)}`
    const left = [
      ...(this.#unsearched > 0 ? [lines] : []),
      ...(this.skipped > 0 ? [counted(this.skipped, 'file')] : []),
    ].join(', ')
    return `[Not searched, as matching takes too long: ${left}. Simplify the pattern, or narrow it by path or glob]`
  }
}

function shown({ number, text, part }: FoundLine): string {
  const columns = part === null ? '' : ` [columns ${part[0]}-${part[1]} of ${part[2]}]`
  return `${number}: ${text}${columns}`
}
