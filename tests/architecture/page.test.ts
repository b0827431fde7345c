import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { at } from '../../scripts/lib/project.mjs'
import { circles } from './graph.js'
import { typescriptGraph } from './typescript-graph.js'

const SRC = at('www', 'src')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).sort()
const graph = typescriptGraph(
  SRC,
  files.filter((file) => /\.tsx?$/.test(file)),
)

test('the import graph of the page contains static and dynamic imports', () => {
  expect(graph.get('chat/main.tsx')).toContain('chat/ui/app.tsx')
  expect(graph.get('chat/sessions.ts')).toContain('chat/kept.ts')
})

test('the modules of the page have no circular imports', () => {
  expect(circles(graph)).toEqual([])
})

test('no source file or style sheet of the page has more than 500 lines', () => {
  const written = files.filter((file) => /\.(tsx?|css)$/.test(file))
  const lines = (file: string) => readFileSync(join(SRC, file), 'utf8').split('\n').length
  expect(written.filter((file) => lines(file) > 500)).toEqual([])
})
