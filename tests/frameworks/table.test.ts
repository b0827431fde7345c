// The table of frameworks in docs/measurements.md agrees with the tests.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { at } from '../../scripts/lib/project.mjs'

const section =
  /## Frameworks\n([\s\S]*?)\n## /.exec(readFileSync(at('docs', 'measurements.md'), 'utf8'))?.[1] ?? ''
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('.test.ts'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

/** Pattern that a test file must contain if a column says yes. */
const SHOWN: [column: number, pattern: RegExp][] = [
  [1, /two threads at once/],
  [2, /stream/i],
  [3, /expectTurns\((?![\s\S]*failures: \[\])|failures\.push\(500/],
  [4, /expectTurnAfterAbort|by an abort/],
]

/** Test files that a column stands for, and how each framework is named in them. */
const ELSEWHERE: [column: number, title: RegExp, files: string[]][] = [
  [
    5,
    /bind|bound/i,
    [
      'frameworks/binding.test.ts',
      'hosts/openai-agents.test.ts',
      'hosts/mastra.test.ts',
      'hosts/deepagents.test.ts',
    ],
  ],
  [6, /image/, ['frameworks/images.test.ts', 'hosts/mastra.test.ts']],
]
const NAMES: Record<string, RegExp> = {
  'AI SDK 7 and 6': /'ai 6, |in AI SDK 6/,
  LangChain: /LangChain/,
  deepagents: /deepagents/,
  'OpenAI Agents': /OpenAI Agents|openai-agents/,
  'TanStack AI': /'TanStack AI'/,
  Mastra: /Mastra/,
  '`openai`, `@anthropic-ai/sdk`, `@google/genai`': /'@anthropic-ai\/sdk, streamed'/,
}

test.each(rows)('the row of %s agrees with its test file', (...cells) => {
  const file = /`(.*)`/.exec(cells.at(-1) ?? '')?.[1] ?? ''
  const source = readFileSync(at(file), 'utf8')
  expect(source).toMatch(/expectTurns?\(/)
  for (const [column, pattern] of SHOWN) {
    const says = cells[column] ?? ''
    expect(['two', 'yes', 'not tried']).toContain(says)
    expect(pattern.test(source), `${file}: ${says}, ${pattern}`).toBe(says !== 'not tried')
  }
  for (const [column, title, files] of ELSEWHERE) {
    const says = cells[column] ?? ''
    const sources = files.map((name) => readFileSync(at('tests', ...name.split('/')), 'utf8'))
    const isTried = sources.some((text) => title.test(text) && NAMES[cells[0] ?? '']?.test(text))
    expect(isTried ? 'yes' : 'not tried', `${cells[0]}: ${title}`).toBe(says)
  }
})

test('every tested framework has a row', () => {
  const tried = readdirSync(at('tests', 'frameworks')).filter(
    (name) =>
      name.endsWith('.test.ts') &&
      /expectTurns?\(/.test(readFileSync(at('tests', 'frameworks', name), 'utf8')) &&
      name !== 'table.test.ts',
  )
  for (const name of tried) expect(section).toContain(`tests/frameworks/${name}`)
})
