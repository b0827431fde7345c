// A model that reads a file to its end by following the answers: it requests whatever an answer leaves out in
// the way that the answer proposes, and checks that it gets what was promised.
import { type Curator, createFileReader } from 'trimtab/reading'
import { createTools, type Tool, type ToolResult } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { callsIn } from './calls-in.js'
import { linesByNumber } from './numbered.js'

/** Result of reading a file. */
export interface Seen {
  faults: string[]
  answers: number
  hints: number
}

interface Setting {
  path: string
  content: string | Uint8Array
  /** Maximum tokens of one answer. */
  limit: number
  /** The host's counter. Default: none, so that the tools estimate. */
  counter?: (text: string) => number
  mode?: 'auto' | 'full' | 'curated' | 'structure'
  curator?: Curator
  conversation?: { role: string; text: string }[]
}

type Arguments = Record<string, unknown>

const tokensOf = (text: string) => Buffer.byteLength(text) / 3.5
const LONG =
  / \.\.\. \[line of (\d+) chars: read on with (?:offset=(\d+), limit=1|start=(\d+), end=\3), column=(\d+)\]$/
const NUMBERED = /^ *(\d+)(?:\t| \| )(.*)$/s
const GOES_ON =
  /^\[(?:Lines|Other lines) from (\d+) on do not fit: read on with offset=(\d+), limit=(\d+)\]$/m
const FOLDED = /^\.\.\. (\d+) definitions?, lines? (\d+)(?:-(\d+))?$/

/** Maximum answers for one file: enough for any generated file, and an end for reads that go in circles. */
const MOST_ANSWERS = 3000

/** Reads a whole file by following the answers. */
export async function readToItsEnd(setting: Setting): Promise<Seen> {
  const reader = new Reader(setting)
  await reader.all()
  return reader.seen
}

class Reader {
  readonly seen: Seen = { faults: [], answers: 0, hints: 0 }
  readonly #setting: Setting
  readonly #tools: Map<string, Tool>
  readonly #lines: Map<number, string[]>
  /** Number of leading characters shown of each line. */
  readonly #shown = new Map<number, number>()

  constructor(setting: Setting) {
    const { path, content, limit, counter, curator, conversation = [] } = setting
    this.#setting = setting
    const reader = createFileReader({
      conversation: () => conversation,
      ...(curator && { curator }),
    } as never)
    const workspace = createWorkspace({ memory: { [path]: content } })
    const limits = { contextSize: 200_000, readMaxTokens: limit }
    this.#tools = new Map(
      createTools(workspace, { reader, limits, ...(counter && { counter }) }).map((tool) => [
        tool.name,
        tool,
      ]),
    )
    this.#lines = new Map([...linesByNumber(content)].map(([number, line]) => [number, [...line]]))
  }

  async all(): Promise<void> {
    const { path, mode } = this.#setting
    const first = await this.#call('read_file', { file_paths: [path], ...(mode && { mode }) })
    if (this.#lines.size === 0) return
    if (first.isError) await this.#examples(first, 1)
    else await this.#view(first)
    for (const section of this.#sample(first.views?.[0]?.sections ?? [])) await this.#expanded(section)
    await this.#see(1, this.#lines.size)
    await this.#byLines()
    for (const [number, line] of this.#lines)
      if ((this.#shown.get(number) ?? -1) < line.length) this.#fault(`line ${number} was never shown whole`)
  }

  /** Reads lines that a view reports as left out. */
  async #view({ content, views }: ToolResult): Promise<void> {
    let next = 1
    let folded = 0
    const gaps: [number, number][] = []
    const rows = content.split('\n')
    for (const [at, row] of rows.entries()) {
      const fold = FOLDED.exec(row)
      if (fold !== null) {
        const [, count, first, last = first] = fold
        folded += Number(count)
        if (Number(first) !== next) this.#fault(`"${row}" stands where line ${next} does`)
        gaps.push([Number(first), Number(last)])
        continue
      }
      const number = Number(NUMBERED.exec(row)?.[1] ?? 0)
      if (number === 0) continue
      if (
        number > next &&
        !/^(\.\.\.|Lines )/.test(rows[at - 1] ?? '') &&
        !this.#saysNothing(next, number - 1)
      )
        this.#fault(`lines ${next}-${number - 1} are left out without a word`)
      next = number + 1
    }
    const sections = views?.[0]?.sections ?? []
    if (views?.[0]?.curatedBy === 'outline') this.#counted(sections, folded)
    for (const [first, last] of gaps.slice(0, 4)) await this.#see(first, last)
    await this.#goesOn(content)
  }

  /**
   * Checks that every hidden top-level definition is counted: its first line is shown, or it is part of a
   * fold.
   */
  #counted(sections: NonNullable<ToolResult['views']>[number]['sections'], folded: number): void {
    let end = 0
    let hidden = 0
    for (const { startLine, endLine } of sections) {
      if (startLine <= end) continue
      if (this.#shown.has(startLine)) continue
      hidden++
      end = endLine
    }
    if (hidden > folded) this.#fault(`${hidden} definitions are left out, ${folded} are counted`)
  }

  async #goesOn(content: string): Promise<void> {
    const more = GOES_ON.exec(content)
    if (more === null) return
    const [, line, offset, limit] = more.map(Number) as [number, number, number, number]
    if (line !== offset) this.#fault(`${more[0]} says two places`)
    this.seen.hints++
    const answer = await this.#call('read_file', { file_paths: [this.#setting.path], offset, limit })
    if (answer.isError) this.#fault(`refused after "${more[0]}": ${answer.content}`)
    else if (!this.#shown.has(offset)) this.#fault(`"${more[0]}" did not show line ${offset}`)
  }

  async #expanded({ name, startLine }: { name: string; startLine: number }): Promise<void> {
    const { path } = this.#setting
    const byName = name !== '' && name.trim() === name
    const answer = await this.#call('read_file', {
      file_paths: [path],
      expand: byName ? name : String(startLine),
    })
    this.seen.hints++
    if (answer.isError) return this.#fault(`expand ${JSON.stringify(name)}: ${answer.content}`)
    // A line that does not fit by itself is shown by the read that the answer proposes.
    await this.#goesOn(answer.content)
    if (!byName && !this.#shown.has(startLine)) this.#fault(`expand ${startLine} did not show it`)
  }

  /** Reads some lines, with the calls that refusals propose if there are too many. */
  async #see(first: number, last: number): Promise<void> {
    const { path } = this.#setting
    let from = first
    while (from <= last && this.seen.answers < MOST_ANSWERS) {
      if (this.#isWhole(from)) {
        from++
        continue
      }
      const answer = await this.#call('read_file', {
        file_paths: [path],
        offset: from,
        limit: last - from + 1,
      })
      if (answer.isError && !(await this.#examples(answer, from))) return
      if (!this.#shown.has(from)) return this.#fault(`line ${from} is not shown by a read from it`)
      // `#call` already follows the hints of truncated lines.
      if (!this.#isWhole(from))
        return this.#fault(`line ${from} is cut, and its hints do not lead to its end`)
      from++
    }
  }

  /** Reads the same with the tool for lines. */
  async #byLines(): Promise<void> {
    const { path } = this.#setting
    const end = this.#lines.size
    for (const [start, last] of [
      [1, end],
      [Math.ceil(end / 2), end],
    ]) {
      const answer = await this.#call('read_lines', { path, start, end: last })
      if (answer.isError) await this.#examples(answer, start as number)
    }
  }

  /** Checks that every call proposed by a refusal succeeds, from its first line on. */
  async #examples({ content }: ToolResult, from: number): Promise<boolean> {
    const examples = callsIn(content)
    if (examples.length === 0) {
      this.#fault(`nothing is proposed: ${content}`)
      return false
    }
    for (const [name, args] of examples) {
      const example = `${name}(${JSON.stringify(args)})`
      this.seen.hints++
      const answer = await this.#call(name, args)
      const line = Number(args.offset ?? args.start ?? 1)
      if (answer.isError) this.#fault(`${example} was refused: ${answer.content}`)
      else if (!this.#shown.has(line)) this.#fault(`${example} did not show line ${line}`)
    }
    if (!this.#shown.has(from)) this.#fault(`no example of a read from line ${from} shows it: ${content}`)
    return this.#shown.has(from)
  }

  async #call(name: string, args: Arguments): Promise<ToolResult> {
    this.seen.answers++
    const answer = (await this.#tools.get(name)?.execute(args as never)) as ToolResult
    const tokens = (this.#setting.counter ?? tokensOf)(answer.content)
    if (tokens > this.#setting.limit)
      this.#fault(`${Math.ceil(tokens)} tokens for ${JSON.stringify(args)}: ${answer.content.slice(0, 300)}`)
    for (const row of answer.content.split('\n')) await this.#row(name, row, Number(args.column ?? 1))
    return answer
  }

  /** Records a line that is shown, and reads on if it is truncated. */
  async #row(tool: string, row: string, column: number): Promise<void> {
    const [, digits, text = ''] = NUMBERED.exec(row) ?? []
    const number = Number(digits)
    const line = this.#lines.get(number)
    if (digits === undefined || line === undefined) return
    const long = LONG.exec(text)
    const named = Number(tool === 'read_lines' ? long?.[3] : long?.[2])
    const isCut = long !== null && Number(long[1]) === line.length && named === number
    const shown = [...(isCut ? text.slice(0, long.index) : text)]
    const wanted = line.slice(column - 1, column - 1 + shown.length)
    if (shown.join('') !== wanted.join(''))
      return this.#fault(`line ${number} is not what is shown: ${row.slice(0, 80)}`)
    const known = this.#shown.get(number) ?? 0
    if (column - 1 <= known) this.#shown.set(number, Math.max(known, column - 1 + shown.length))
    if (!isCut) return
    const next = Number(long[4])
    if (next !== column + shown.length)
      this.#fault(`column ${next} after ${column + shown.length - 1} characters`)
    // Each piece is read once.
    if ((this.#shown.get(number) ?? 0) > known || known === 0) {
      this.seen.hints++
      const { path } = this.#setting
      const lines =
        tool === 'read_lines'
          ? { path, start: number, end: number }
          : { file_paths: [path], offset: number, limit: 1 }
      await this.#call(tool, { ...lines, column: next })
    }
  }

  #isWhole(number: number): boolean {
    return (this.#shown.get(number) ?? -1) >= (this.#lines.get(number)?.length ?? 0)
  }

  /** Whether lines are blank or closing brackets, which may be left out silently. */
  #saysNothing(first: number, last: number): boolean {
    for (let number = first; number <= last; number++)
      if (!/^[\s})\],;]*(?:end)?\s*$/.test(this.#lines.get(number)?.join('') ?? '')) return false
    return true
  }

  #sample<T>(list: readonly T[]): T[] {
    return list.filter((_, i) => i % Math.ceil(list.length / 4) === 0)
  }

  #fault(text: string): void {
    if (this.seen.faults.length < 5) this.seen.faults.push(text)
  }
}
