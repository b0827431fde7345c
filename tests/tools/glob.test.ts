import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createTools, runToolCall, TOOL_SELECTION_GUIDE, WORKSPACE_TEMPLATE_LINE } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { expect, test } from 'vitest'

const paths = [
  'a.ts',
  'b.tsx',
  'c+(1).md',
  'src/a.ts',
  'src/deep/x.js',
  'src/deep/[y].ts',
  'src/{z}.ts',
  'über/ä.ts',
]

test.each<[glob: string, matches: string[]]>([
  ['*.ts', ['a.ts', 'src/a.ts', 'src/deep/[y].ts', 'src/{z}.ts', 'über/ä.ts']],
  ['./*.ts', ['a.ts', 'src/a.ts', 'src/deep/[y].ts', 'src/{z}.ts', 'über/ä.ts']],
  ['src/*.ts', ['src/a.ts', 'src/{z}.ts']],
  ['src/**', ['src/a.ts', 'src/deep/[y].ts', 'src/deep/x.js', 'src/{z}.ts']],
  ['**/a.ts', ['a.ts', 'src/a.ts']],
  ['src/**/x.js', ['src/deep/x.js']],
  ['*.{ts,tsx}', ['a.ts', 'b.tsx', 'src/a.ts', 'src/deep/[y].ts', 'src/{z}.ts', 'über/ä.ts']],
  ['{a,b}.ts*', ['a.ts', 'b.tsx', 'src/a.ts']],
  ['?.ts', ['a.ts', 'src/a.ts', 'über/ä.ts']],
  ['[ab].*', ['a.ts', 'b.tsx', 'src/a.ts']],
  ['[!a].tsx', ['b.tsx']],
  ['c+(1).md', ['c+(1).md']],
  ['[[]y].ts', ['src/deep/[y].ts']],
  ['a.t', []],
  ['A.ts', []],
  [`${'*a'.repeat(20)}b`, []],
  [`${'**/'.repeat(15)}b`, []],
])('the glob %s matches the expected files', async (glob, matches) => {
  const workspace = createWorkspace({ memory: Object.fromEntries(paths.map((path) => [path, ''])) })
  const { content } = await runToolCall(createTools(workspace), {
    name: 'list_files',
    arguments: JSON.stringify({ glob }),
  })
  expect(content).toBe(matches.length === 0 ? `No file matches ${glob}.` : matches.join('\n'))
})

test.each([
  ['{a', 'a { of it is not closed'],
  ['[', 'a [ of it is not closed'],
  ['\\', 'it ends with a single \\'],
  ['[z-a].ts', 'a range of it ends before it begins'],
  [`${'{*,*}'.repeat(12)}b`, 'its braces have too many choices'],
])('the malformed glob %s is refused by every tool', async (glob, problem) => {
  const tools = createTools(createWorkspace({ memory: { 'a.ts': 'a' } }))
  for (const [name, args] of [
    ['list_files', { glob }],
    ['search', { pattern: 'a', glob }],
  ] as const) {
    const { content, isError } = await runToolCall(tools, { name, arguments: JSON.stringify(args) })
    expect([content, isError]).toEqual([
      `Error: the glob ${JSON.stringify(glob)} is malformed: ${problem}`,
      true,
    ])
  }
})

test('a glob that is too long is refused, and not repeated', async () => {
  const tools = createTools(createWorkspace({ memory: { 'a.ts': 'a' } }))
  for (const letter of ['a', '*a', '[', '{', 'é']) {
    for (const [name, args] of [
      ['list_files', { glob: letter.repeat(1001) }],
      ['search', { pattern: 'a', glob: letter.repeat(1001) }],
    ] as const) {
      const { content, isError } = await runToolCall(tools, { name, arguments: JSON.stringify(args) })
      expect(isError).toBe(true)
      expect(content).toMatch(
        /^Error: the glob ".{100}\.\.\." is malformed: it is longer than 1000 characters$/,
      )
    }
  }
  const arguments_ = JSON.stringify({ glob: 'b'.repeat(1000) })
  const { content } = await runToolCall(tools, { name: 'list_files', arguments: arguments_ })
  expect(content).toBe(`No file matches ${'b'.repeat(100)}....`)
})

const SEEDS = new URL('../../../shared/seeds/', import.meta.url)

test.skipIf(!existsSync(SEEDS))('the guides equal those of the document word for word', () => {
  const name = readdirSync(SEEDS).find((file) => file.startsWith('003')) as string
  const document = readFileSync(new URL(name, SEEDS), 'utf8')
  expect(document).toContain(TOOL_SELECTION_GUIDE)
  expect(document).toContain(WORKSPACE_TEMPLATE_LINE)
})
