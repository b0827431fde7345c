import { readFileSync } from 'node:fs'
import { readMessages } from 'trimtab'
import { readFile } from 'trimtab/reading'
import { createTools, runToolCall } from 'trimtab/tools'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { memoryPlace } from '../../www/src/chat/agent/places.js'
import { piecesOf } from '../../www/src/chat/content/folded.js'
import { readFilesOf } from '../../www/src/chat/content/read-files.js'

const sample = readTranscript(readFileSync(new URL('../../examples/session.jsonl', import.meta.url), 'utf8'))
const history = readMessages(sample.messages, { format: sample.format })

describe('readFilesOf', () => {
  test('returns each read of a recorded session as one part with its first line', () => {
    const reads = history.blocks().filter(({ kind, origin }) => kind === 'tool-result' && origin === 'read')
    expect(reads.length).toBeGreaterThan(10)
    for (const read of reads) {
      const text = history.textOf(read)
      const [part, ...others] = readFilesOf(text, read.files)
      expect(others).toEqual([])
      expect(part?.path).toBe(read.path)
      expect(part?.first).toBe(read.startLine ?? 1)
      const again = part?.lines.map((line, at) => `${String(part.first + at).padStart(6)}→${line}`)
      expect(again?.join('\n')).toBe(text)
    }
  })

  test('returns each file of a call that read several, with its path', async () => {
    const { workspace } = memoryPlace()
    const paths = ['src/app.ts', 'src/zone.ts']
    const call = { id: 'one', name: 'read_file', arguments: JSON.stringify({ file_paths: paths }) }
    const { content } = await runToolCall(createTools(workspace), call)
    const parts = readFilesOf(
      String(content),
      paths.map((path) => ({ path })),
    )
    expect(parts.map(({ path }) => path)).toEqual(paths)
    for (const { path, first, lines } of parts) {
      const text = new TextDecoder().decode((await workspace.readFile(path)).bytes)
      expect(first).toBe(1)
      expect(lines.join('\n')).toBe(text.replace(/\n$/, ''))
    }
  })

  test('returns nothing for shortened, short, huge and unrelated results', () => {
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\tline`).join('\n')
    const [one] = [[{ path: 'a.ts' }]]
    expect(readFilesOf(lines(1, 30), one)).toHaveLength(1)
    expect(readFilesOf(`${lines(1, 30)}\n${lines(90, 120)}`, one)).toEqual([])
    expect(readFilesOf(lines(1, 3), one)).toEqual([])
    expect(readFilesOf(lines(1, 30), [])).toEqual([])
    expect(readFilesOf('no such file', one)).toEqual([])
    expect(readFilesOf(`${lines(1, 30)}${'x'.repeat(150_000)}`, one)).toEqual([])
  })
})

describe('piecesOf', () => {
  const content = Array.from({ length: 12 }, (_, at) => [
    `/** Number ${at}. */`,
    `export function f${at}(): number {`,
    ...Array.from({ length: 9 }, (_, line) => `  const a${line} = ${line}`),
    `  return a0 + ${at}`,
    '}',
    '',
  ])
    .flat()
    .join('\n')

  test.each(['structure', 'full'] as const)(
    'covers every line once, in order, and shows the lines of the view, in mode %s',
    async (mode) => {
      const view = await readFile({ path: 'f.ts', content, mode })
      const lines = content.split('\n')
      const pieces = piecesOf(view, lines.slice(0, view.totalLines))
      let next = 1
      for (const { start, end } of pieces) {
        expect(start).toBe(next)
        expect(end).toBeGreaterThanOrEqual(start)
        next = end + 1
      }
      expect(next).toBe(view.totalLines + 1)
      const linesOf = (ranges: readonly { start: number; end: number }[]) =>
        ranges.flatMap(({ start, end }) => lines.slice(start - 1, end)).filter((line) => line !== '')
      expect(linesOf(pieces.filter(({ isShown }) => isShown))).toEqual(linesOf(view.ranges))
      const folded = pieces.filter(({ isShown }) => !isShown)
      expect(folded.length > 0).toBe(mode === 'structure')
      for (const { start, name } of folded)
        if (name !== '') expect(content.split('\n').slice(0, start).join('\n')).toContain(`function ${name}(`)
      expect(folded.some(({ name }) => name === 'f3')).toBe(mode === 'structure')
    },
  )

  test('returns nested sections as separate pieces', () => {
    const section = { kind: 'class' as const, depth: 0, name: 'A', startLine: 1, endLine: 10 }
    const inner = { ...section, depth: 1, name: 'm', startLine: 4, endLine: 6 }
    const view = { ranges: [{ start: 1, end: 1 }], sections: [section, inner] } as Parameters<
      typeof piecesOf
    >[0]
    expect(piecesOf(view, Array(12).fill('x')).map(({ start, end, name }) => [start, end, name])).toEqual([
      [1, 1, ''],
      [2, 3, 'A'],
      [4, 6, 'm'],
      [7, 10, 'A'],
      [11, 12, ''],
    ])
  })
})
