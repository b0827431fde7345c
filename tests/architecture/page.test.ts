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

test('the graph is that of the sources, with what is loaded later', () => {
  expect(graph.get('chat/main.tsx')).toContain('chat/ui/app.tsx')
  expect(graph.get('chat/sessions.ts')).toContain('chat/kept.ts')
})

test('files of the page import each other in no circle', () => {
  expect(circles(graph)).toEqual([])
})

test('no file of the page has more than 500 lines, style sheets neither', () => {
  const written = files.filter((file) => /\.(tsx?|css)$/.test(file))
  const lines = (file: string) => readFileSync(join(SRC, file), 'utf8').split('\n').length
  expect(written.filter((file) => lines(file) > 500)).toEqual([])
})
