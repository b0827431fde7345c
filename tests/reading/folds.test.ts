// A fold counts the definitions that it hides: those whose line with the name is in it.

import fc from 'fast-check'
import { type ReadMode, readFile } from 'trimtab/reading'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'

const PYTHON = {
  path: 'a.py',
  above: ['@app.route(\n    "/step",\n    methods=["GET"],\n)', '@cached', '# A step.', '@app.route("f1")'],
  definition: (name: string) => `def ${name}(value):`,
  body: ['    first = value', '    return first'],
  end: '',
}
const RUST = {
  path: 'a.rs',
  above: ['#[cfg(all(\n    unix,\n    feature = "step"\n))]', '#[inline]', '/// A step.', '// f1'],
  definition: (name: string) => `pub fn ${name}(value: u32) -> u32 {`,
  body: ['    let first = value;', '    first'],
  end: '}',
}
type Language = typeof PYTHON

interface Item {
  above: number[]
  lines: number
}

function written(language: Language, items: readonly Item[]): string[] {
  const written = items.flatMap(({ above, lines }, i) => [
    ...above.map((at) => language.above[at] as string),
    language.definition(`f${i}`),
    ...Array.from({ length: lines }, (_, at) => language.body[at % 2] as string),
    language.end,
    '',
  ])
  return written.join('\n').split('\n')
}

const FOLD = /^\.\.\. (\d+) definitions?, lines? (\d+)(?:-(\d+))?$/gm

/** Checks the number of each fold, and returns how many it finds. */
async function checkFolds(language: Language, lines: string[], mode: ReadMode, maxTokens: number) {
  const conversation = mode === 'curated' ? [{ role: 'user', text: 'what does f1 do?' }] : []
  const { text } = await readFile({
    path: language.path,
    content: lines.join('\n'),
    mode,
    maxTokens,
    conversation,
  })
  const folds = [...text.matchAll(FOLD)]
  for (const [fold, count, from, to = from] of folds) {
    const hidden = lines.slice(Number(from) - 1, Number(to))
    const named = hidden.filter((line) => /^(?:def|pub fn) f\d+\(/.test(line))
    expect([fold, named.length]).toEqual([fold, Number(count)])
  }
  return folds.length
}

const item = fc.record({
  above: fc.array(fc.nat({ max: 3 }), { maxLength: 3 }),
  lines: fc.integer({ min: 2, max: 12 }),
})
const modes = fc.constantFrom<ReadMode>('structure', 'curated')

describe.each([PYTHON, RUST])('$path', (language) => {
  test('a definition whose name is shown below its decorators is not counted', async () => {
    const lines = written(language, Array(40).fill({ above: [0, 1], lines: 5 }))
    const { text } = await readFile({
      path: language.path,
      content: lines.join('\n'),
      mode: 'structure',
    })
    expect(text).toContain(`| ${language.definition('f1')}`)
    expect(text).not.toMatch(/definitions?, lines/)
  })

  test('folds count the definitions whose names they hide', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { minLength: 12, maxLength: 40 }),
        modes,
        fc.constantFrom(150, 300, 1000, 3000),
        async (items, mode, most) => {
          found += await checkFolds(language, written(language, items), mode, most)
        },
      ),
      { ...runs, numRuns: Math.min(runs.numRuns ?? 100, 60) },
    )
    expect(found).toBeGreaterThan(0)
  })
})

test('a method whose class seems to begin elsewhere is counted beside the function above it', async () => {
  // The class is taken to begin with the brackets that are never closed, so that its method lies in no counted section.
  const above =
    '    if (a) { if (a) { \ndef x0(value):\n    first = value\n    return first\n\n## 0\n\nUnder.\n'
  const outer = 'class Outer {\n  inner = class {\n    a() {}\n  }\n  static a() {}\n}\n'
  const content = `${outer}\n${above}\nexport function a0(a: number) {\n  return a\n}\n\n${outer}`
  const { text } = await readFile({ path: 'a.ts', content, mode: 'structure', maxTokens: 100 })
  expect(text).toContain('\n... 2 definitions, lines 12-26\n')
})
