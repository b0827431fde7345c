// One token limit for reads of several files, listings, searches, and reads of files without lines: whatever
// does not fit is counted, and whatever is reported exists. `npm run laws -- --only reading` tries more.
import fc from 'fast-check'
import { createFileReader } from 'trimtab/reading'
import { createTools, type ToolResult } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { callsIn } from './calls-in.js'
import { linesByNumber } from './numbered.js'

const name = fc.constantFrom(
  'a.py',
  'b.md',
  'sub/c.ts',
  'sub/d "e".json',
  'sub/deep/f\\g.txt',
  'ünï/漢.py',
  `${'folder/'.repeat(20)}h.md`,
)
const line = fc.constantFrom(
  'def limit(a):',
  '    return limit',
  '# Limit',
  '## 2020',
  '',
  'x = "limit"',
  'word '.repeat(60),
  '漢'.repeat(700),
  'x'.repeat(9000),
  'plain',
)
const text = fc
  .tuple(
    fc.array(line, { maxLength: 30 }),
    fc.constantFrom(1, 1, 1, 5, 30),
    fc.constantFrom('\n', '\r\n', '\r'),
  )
  .map(([lines, times, end]) =>
    Array.from({ length: times }, () => lines)
      .flat()
      .join(end),
  )
const utf16 = (content: string) => {
  const bytes = new Uint8Array(2 + content.length * 2)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, 0xfeff, true)
  for (let at = 0; at < content.length; at++) view.setUint16(2 + 2 * at, content.charCodeAt(at), true)
  return bytes
}
const content: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 1, arbitrary: text.map(utf16) },
  { weight: 1, arbitrary: fc.constantFrom('', '\0\x01', '%PDF-1.7\n', new Uint8Array([0x89, 0x50, 0, 0])) },
)
const setting = fc.record({
  files: fc.uniqueArray(fc.tuple(name, content), { minLength: 1, maxLength: 7, selector: ([path]) => path }),
  missing: fc.subarray(['none.py', `gone/${'x'.repeat(300)}.md`]),
  limit: fc.constantFrom(400, 1000, 3000),
  hasReader: fc.boolean(),
  mode: fc.constantFrom(undefined, 'full', 'structure'),
  offset: fc.constantFrom(1, 2, 50, 100, 100_000, -1, -7, -100_000),
  most: fc.constantFrom(0, 1, 3, 100, 100_000),
  pattern: fc.constantFrom('limit', 'x', '漢', 'word', 'nowhere', 'i'),
})

/** What the notice of a read beyond the end proposes: first line, limit if another one is needed, and which end. */
const BEYOND_HINT = /offset=(-?\d+)(?:, limit=(\d+))? to (start|read)/g

const tokensOf = (text: string) => Buffer.byteLength(text) / 3.5

type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never

class Folder {
  readonly #setting: Setting
  readonly #call: (name: string, args: object) => Promise<ToolResult>

  constructor(made: Setting) {
    this.#setting = made
    const workspace = createWorkspace({ memory: Object.fromEntries(made.files) })
    const tools = createTools(workspace, {
      ...(made.hasReader && { reader: createFileReader() }),
      limits: { contextSize: 200_000, readMaxTokens: made.limit },
    })
    this.#call = async (name, args) => {
      const answer = (await tools.find((tool) => tool.name === name)?.execute(args)) as ToolResult
      const what = `${name}(${JSON.stringify(args)}): ${answer.content.slice(0, 300)}`
      expect(tokensOf(answer.content), what).toBeLessThanOrEqual(made.limit)
      return answer
    }
  }

  /** Reads all files at once: each is shown, or reported as not shown. */
  async together(): Promise<void> {
    const { files, missing, hasReader, mode } = this.#setting
    const paths = [...files.map(([path]) => path), ...missing]
    const answer = await this.#call('read_file', { file_paths: paths, ...(hasReader && mode && { mode }) })
    if (answer.isError) return this.#follow(answer.content)
    const [, left = 0] = /^\[(\d+) more files? do(?:es)? not fit/m.exec(answer.content) ?? []
    const { content } = answer
    const isNamed = (path: string) =>
      [`File: ${path} (`, `=== ${path} ===`, `${path}: `].some((begin) => content.includes(begin))
    const named = paths.filter(isNamed)
    // A file that is empty or missing counts as one of those texts.
    if (Number(left) === 0) expect(named).toEqual(paths)
    else expect(named.length + Number(left)).toBeGreaterThan(0)
    for (const path of paths.filter((path) => !isNamed(path))) await this.#alone(path)
  }

  async #alone(path: string): Promise<void> {
    const answer = await this.#call('read_file', { file_paths: [path] })
    if (!answer.isError) return
    if (this.#setting.missing.includes(path)) expect(answer.content).toContain(path.slice(0, 100))
    else await this.#follow(answer.content)
  }

  /** Checks that every call proposed by a refusal succeeds. */
  async #follow(refusal: string): Promise<void> {
    const { files, missing } = this.#setting
    const calls = callsIn(refusal)
    const isAllMissing = files.length === 0 || refusal.startsWith('Error: Failed to read')
    if (!isAllMissing) expect(calls.length, `${refusal} ${missing.length}`).toBeGreaterThan(0)
    for (const [name, args] of calls) {
      const answer = await this.#call(name, args)
      expect(answer.isError, `${name} ${JSON.stringify(args)}: ${answer.content}`).toBe(false)
    }
  }

  /**
   * Reads any part of each file: the answer shows lines of the file, and an offset past its end leads to its
   * last lines.
   */
  async part(): Promise<void> {
    const { files, offset, most } = this.#setting
    for (const [path, content] of files) {
      const asked = { file_paths: [path], offset, limit: most }
      const answer = await this.#call('read_file', asked)
      if (answer.isError) {
        await this.#follow(answer.content)
        continue
      }
      const total = linesByNumber(content).size
      const isBehind = offset > Math.max(total, 1)
      if (isBehind && !answer.content.includes('[Binary file'))
        expect(answer.content).toContain(`[Cannot read from offset ${offset}: file only has ${total} line`)
      for (const [hint, from, limit, end] of answer.content.matchAll(BEYOND_HINT)) {
        const line = end === 'start' ? 1 : total
        const args = { ...asked, offset: Number(from), limit: Number(limit ?? most) }
        const followed = await this.#call('read_file', args)
        expect(followed.isError, `${hint}: ${followed.content}`).toBe(false)
        // With a reader and without a limit, a read from the first line on is a view of the file.
        const isView = args.limit === 0 && args.offset === 1 && followed.content.startsWith('File: ')
        if (!isView) expect(followed.content, hint).toMatch(new RegExp(`^ *${line}\t`, 'm'))
      }
    }
  }

  async listing(): Promise<void> {
    const { files } = this.#setting
    for (const args of [{ recursive: true }, { glob: '**/*' }, { recursive: true, limit: 2 }]) {
      const { content } = await this.#call('list_files', args)
      const rows = content.split('\n')
      const [, shown, total] = /^\[(\d+) of (\d+) shown/.exec(rows.at(-1) ?? '') ?? []
      const paths = shown === undefined ? rows : rows.slice(0, -1)
      if (shown !== undefined) expect(paths.length).toBe(Number(shown))
      if (!('recursive' in args)) expect(Number(total ?? paths.length)).toBe(files.length)
      const known = new Set<string>(files.map(([path]) => path))
      for (const path of paths.filter((path) => !path.endsWith('/'))) expect(known.has(path), path).toBe(true)
    }
  }

  async searching(): Promise<void> {
    const { files, pattern } = this.#setting
    const lines = new Map(files.map(([path, content]) => [path, linesByNumber(content)]))
    const wanted = [...lines.values()].flatMap((each) =>
      [...each.values()].filter((line) => line.includes(pattern)),
    )
    const { content } = await this.#call('search', { pattern })
    if (wanted.length === 0) return expect(content).toBe('No matches.')
    const rows = content.split('\n')
    const note = /^\[(\d+) of (\d+) matches/.exec(rows.at(-1) ?? '')
    const found = note === null ? rows : rows.slice(0, -1)
    expect(found.length).toBe(Number(note?.[1] ?? wanted.length))
    expect(Number(note?.[2] ?? found.length)).toBe(wanted.length)
    for (const row of found) {
      const file = files.find(([path]) => row.startsWith(`${path}:`))
      if (file === undefined) throw new Error(`the row names no file: ${row}`)
      const [path] = file
      const [, number, shown = ''] =
        /^(\d+): (.*?)(?: \[columns \d+-\d+ of \d+\])?$/s.exec(row.slice(path.length + 1)) ?? []
      expect(lines.get(path)?.get(Number(number)), row).toContain(shown)
    }
  }
}

test('reads, listings and searches stay within one limit and report what they leave out', async () => {
  await fc.assert(
    fc.asyncProperty(setting, async (made) => {
      const folder = new Folder(made)
      await folder.together()
      await folder.part()
      await folder.listing()
      await folder.searching()
    }),
    { ...runs, numRuns: Number(process.env.TRIMTAB_CASES ?? 200) },
  )
})
