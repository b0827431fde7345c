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

/** Files of one unit many times, and the lines with which its definitions are counted. `N` is the unit's number. */
const UNITS = [
  { path: 'a.md', unit: '# TN\n\n[![x](y)](z)\n[![x](y)](z)\n\n## In N\n\ntext\n', signature: /^#/ },
  { path: 'a.toml', unit: '[[bin]]\nname = "eN"\npath = "eN.rs"\nharness = false\n', signature: /^[[\w]/ },
  {
    path: 'a.css',
    unit: '*,\n*::before {\n  color: red;\n}\n\n@media (width > Npx) {\n  p {\n  }\n}',
    signature: /^(?:\*,|@| {2}p)/,
  },
  {
    path: 'a.h',
    unit: '#  define zN(strm, level) \\\n    deN_((strm), (level))\n\n#[x]\n',
    signature: /define/,
  },
  {
    path: 'a.hpp',
    unit: 'template<typename T>\n  inline box<T>&\n  box<T>::addN(const box<T>& a)\n  {\n    x();\n  }\n\n[[nodiscard]]\nint sizeN()\n{\n  return N;\n}\n',
    signature: /addN|sizeN/,
  },
  {
    path: 'A.java',
    unit: '@Deprecated\n@Named("classN")\nclass CN {\n  @Override\n  public void run() {\n    x();\n  }\n}\n',
    signature: /class CN|void run/,
  },
  {
    path: 'a.cs',
    unit: '[Serializable]\n[Named("classN")]\nclass CN {\n  [Test(1,\n    2)]\n  public void Run() {\n    X();\n  }\n}\n',
    signature: /class CN|void Run/,
  },
  {
    path: 'a.ts',
    unit: '@Injectable({\n  a: [1],\n})\nexport class CN {\n  @Input() a(): void {\n    x()\n  }\n}\n',
    signature: /class CN|a\(\)/,
  },
  {
    path: 'a.go',
    unit: '// fN\nfunc fN(a int) int {\n\treturn a\n}\n',
    signature: /^func/,
    before: 'package a\n',
  },
]

test.each(UNITS)('folds count what they hide: $path', async ({ path, unit, signature, before = '' }) => {
  const numbered = (text: string, i: number) => text.replaceAll('N', String(100 + i))
  const units = Array.from({ length: 30 }, (_, i) => numbered(unit, i))
  const content = before + units.join('\n')
  const lines = content.split('\n')
  const own = new RegExp(signature.source.replaceAll('N', '1\\d\\d'))
  let shown = 0
  for (const maxTokens of [100, 200, 400, 800]) {
    const { text, sections } = await readFile({ path, content, mode: 'structure', maxTokens })
    for (const [fold, count, from, to = from] of text.matchAll(FOLD)) {
      // What is in a definition that is hidden is not counted beside it.
      const within = sections.filter(({ startLine }) => startLine >= Number(from) && startLine <= Number(to))
      const hidden = lines.slice(Number(from) - 1, Number(to)).filter((line) => own.test(line))
      const nested = within.filter((inner) =>
        within.some(
          (outer) =>
            outer.depth < inner.depth && outer.startLine <= inner.startLine && inner.endLine <= outer.endLine,
        ),
      )
      expect([maxTokens, fold, hidden.length - nested.length]).toEqual([maxTokens, fold, Number(count)])
      shown++
    }
  }
  expect(shown).toBeGreaterThan(0)
})
