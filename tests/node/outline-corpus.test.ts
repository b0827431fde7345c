// Real files in every language, whole and cut off anywhere: every line that an outline shows is in the file.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type Grammar, loadGrammar, type Outline, outlineLanguages } from 'trimtab/outline'
import { describe, expect, test } from 'vitest'
import { linesIn, numbered, readLines } from './outlined-lines.js'
import { runs } from './random.js'
import { realFiles } from './real-files.js'

const ENDS: Readonly<Record<(typeof outlineLanguages)[number], string[]>> = {
  bash: ['.sh', '.bash'],
  c: ['.c', '.h'],
  cpp: ['.cc', '.cpp', '.hpp'],
  csharp: ['.cs'],
  css: ['.css'],
  go: ['.go'],
  html: ['.html'],
  java: ['.java'],
  javascript: ['.js', '.mjs', '.cjs'],
  json: ['.json'],
  markdown: ['.md'],
  python: ['.py'],
  ruby: ['.rb', '.podspec'],
  rust: ['.rs'],
  text: ['.txt'],
  toml: ['.toml'],
  tsx: ['.tsx'],
  typescript: ['.ts', '.mts', '.cts'],
  yaml: ['.yaml', '.yml'],
  zig: ['.zig'],
}

/** Checks an outline against its content. */
function check(outline: Outline, content: string): void {
  const lines = readLines(content)
  const shown = numbered(outline.text)
  const wrong = [...shown].filter(([line, text]) => lines.get(line) !== text)
  expect(wrong).toEqual([])
  expect(outline.totalLines).toBe(lines.size)
  expect(linesIn(outline.shown)).toEqual([...shown.keys()])
  const outside = outline.sections.filter(
    ({ startLine, endLine }) => startLine < 1 || endLine < startLine || endLine > lines.size,
  )
  expect(outside).toEqual([])
}

describe.each(outlineLanguages)('outline of %s', (language) => {
  const files = realFiles(ENDS[language])
  const load = (): Promise<Grammar> =>
    loadGrammar(language === 'markdown' || language === 'text' ? 'text' : language)

  test.skipIf(files.length === 0)('shows the exact lines of real files', async () => {
    const grammar = await load()
    for (const path of files) {
      const content = readFileSync(path, 'utf8')
      check(grammar.outline(content, {}, language), content)
    }
  })

  test.skipIf(files.length === 0)('shows the exact lines of files cut at any byte', async () => {
    const grammar = await load()
    const cuts = fc.tuple(fc.constantFrom(...files), fc.double({ min: 0, max: 1, noNaN: true }))
    fc.assert(
      fc.property(cuts, fc.option(fc.nat(200)), ([path, part], lines) => {
        const bytes = readFileSync(path)
        const content = bytes.subarray(0, Math.floor(bytes.length * part)).toString()
        const budget = lines === null ? {} : { budget: { lines } }
        check(grammar.outline(content, budget, language), content)
      }),
      { numRuns: Math.ceil(runs.numRuns / 20) },
    )
  })
})
