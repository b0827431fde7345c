import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { circles, grouped, longestChain } from './graph.js'
import { typescriptGraph } from './typescript-graph.js'

const SRC = new URL('../../js/src', import.meta.url).pathname

/** What each room may import (docs/explain/architecture.md). Each may import `base` and the types that the engine declares. */
const allowed: Record<string, string[]> = {
  base: [],
  generated: [],
  engine: [],
  files: ['engine'],
  encodings: ['engine'],
  outline: ['engine'],
  workspace: [],
  formats: ['history'],
  prices: [],
  policy: ['engine', 'prices'],
  tokens: ['engine', 'formats', 'history'],
  history: ['engine', 'policy'],
  projection: ['history', 'policy', 'tokens'],
  adapters: ['history', 'projection', 'tokens'],
  'ai-sdk': ['adapters', 'history'],
  langchain: ['adapters', 'history'],
  mastra: ['adapters', 'history'],
  'openai-agents': ['adapters', 'history'],
  tanstack: ['adapters', 'history'],
  opencode: ['adapters', 'history'],
  pi: ['adapters', 'history'],
  cline: ['adapters', 'history'],
  'claude-agent': ['adapters', 'history'],
  copilot: ['adapters', 'history'],
  recipes: ['engine', 'formats', 'history', 'policy'],
  reading: ['engine', 'files', 'history', 'outline', 'tokens'],
  timeline: ['files', 'history', 'reading'],
  compaction: ['formats', 'history', 'policy', 'recipes', 'timeline'],
  index: ['engine', 'projection', 'reading', 'timeline', 'tokens'],
  money: ['history', 'policy', 'prices', 'tokens'],
  panel: ['projection'],
  'sessions/stores': ['workspace'],
  sessions: ['history', 'recipes', 'sessions/stores', 'workspace'],
  tools: [
    ...['files', 'formats', 'history', 'outline', 'projection', 'reading', 'timeline'],
    ...['tokens', 'workspace'],
  ],
  transcripts: ['formats', 'history', 'sessions', 'sessions/stores', 'tokens'],
  'index.ts': ['history', 'policy', 'projection', 'recipes', 'tokens'],
  'slim.ts': ['engine', 'index.ts'],
  // Its help names presets and prices, and loads no more than these.
  cli: [
    'engine',
    'files',
    'formats',
    'index.ts',
    'money',
    'outline',
    'policy',
    'prices',
    'reading',
    'tokens',
    'transcripts',
  ],
}

/** Written by the build, not by people. */
const isBuilt = (file: string) => /-bytes\.ts$|^(encodings|outline)\/(loaders|vocabularies)\b/.test(file)

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !isBuilt(file))
  .sort()
const text = (file: string) => readFileSync(join(SRC, file), 'utf8')

const graph = typescriptGraph(SRC, files)

/** The innermost room that a file is in; a file at the root is a room of its own. */
function roomOf(file: string): string {
  const [first, second] = file.split('/') as [string, ...string[]]
  const inner = `${first}/${second}`
  return inner in allowed ? inner : first
}

const rooms = grouped(graph, roomOf)

test('every room is known', () => {
  expect([...rooms.keys()].sort()).toEqual(Object.keys(allowed).sort())
})

test.each([...rooms])('js/src/%s imports only what it may', (room, imported) => {
  const permitted = ['base', 'generated', ...(allowed[room] ?? [])]
  expect([...imported].filter((other) => !permitted.includes(other))).toEqual([])
})

test('what a room may import it does import', () => {
  const unused = Object.entries(allowed).flatMap(([room, others]) =>
    others.filter((other) => !rooms.get(room)?.has(other)).map((other) => `${room} -> ${other}`),
  )
  expect(unused).toEqual([])
})

test('files import each other in no circle, and rooms do not', () => {
  expect(circles(graph)).toEqual([])
  expect(circles(rooms)).toEqual([])
})

test('rooms stand on at most ten floors', () => {
  expect(longestChain(rooms).length).toBeLessThanOrEqual(10)
})

test('nothing but entry points stands at the root', () => {
  expect(files.filter((file) => !file.includes('/'))).toEqual(['index.ts', 'slim.ts'])
})

test('no file has 500 lines', () => {
  const written = files.filter((file) => !file.startsWith('generated/'))
  expect(written.filter((file) => text(file).split('\n').length > 500)).toEqual([])
})

test('nothing runs at import, so that bundlers may leave out what is not used', () => {
  const { sideEffects } = JSON.parse(readFileSync(join(SRC, '../../package.json'), 'utf8'))
  expect(sideEffects).toBe(false)
  const runs = files.filter((file) => /^import '/m.test(text(file)) || /^\w+\.provide\(/m.test(text(file)))
  expect(runs).toEqual([])
})
