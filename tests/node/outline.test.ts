import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { detectLanguage, loadGrammar, type OutlineLanguage, outline, outlineLanguages } from 'trimtab/outline'
import { describe, expect, test } from 'vitest'
import { linesIn, numbered, readLines } from './outlined-lines.js'
import { runs } from './random.js'
import { realFiles } from './real-files.js'

/** Definitions at the top level by the look of their line, written independently of the grammars. */
const DEFINITIONS: Partial<Record<OutlineLanguage, { ends: string[]; pattern: RegExp }>> = {
  python: { ends: ['.py'], pattern: /^(?:async )?(?:def|class) \w+/ },
  rust: {
    ends: ['.rs'],
    pattern: /^(?:pub(?:\([\w ]+\))? )?(?:unsafe )?(?:fn|struct|enum|trait|impl|mod|union)\b[ <]\w*/,
  },
  typescript: {
    ends: ['.ts', '.mts', '.cts'],
    pattern: /^(?:export )?(?:declare )?(?:abstract )?(?:function|class|interface|enum|type) \w+/,
  },
  javascript: { ends: ['.js', '.mjs', '.cjs'], pattern: /^(?:export )?(?:async )?(?:function|class) \w+/ },
  c: { ends: ['.c'], pattern: /^(?:struct|union|enum) \w+ \{/ },
  csharp: {
    ends: ['.cs'],
    pattern: /^ {0,4}(?:public|internal) (?:\w+ )*(?:class|struct|interface|enum) \w+/,
  },
  java: {
    ends: ['.java'],
    pattern: /^(?:public )?(?:final |abstract )*(?:class|interface|enum|@interface) \w+/,
  },
  zig: { ends: ['.zig'], pattern: /^(?:pub )?(?:inline )?(?:fn|const|var) \w+/ },
  go: { ends: ['.go'], pattern: /^(?:func|type) / },
  ruby: { ends: ['.rb'], pattern: /^(?:class|module|def) / },
  bash: { ends: ['.sh', '.bash'], pattern: /^(?:function )?\w+ ?\(\) ?\{/ },
  toml: { ends: ['.toml'], pattern: /^\[{1,2}[\w."-]+\]{1,2}$/ },
  markdown: { ends: ['.md'], pattern: /^##? \w/ },
}

/** With fewer files, the median depends on the particular files. */
const FILES_WITH_A_MEDIAN = 20

describe.each(Object.entries(DEFINITIONS))('outline of real files in %s', (language, { ends, pattern }) => {
  const files = realFiles(ends)

  test.skipIf(files.length === 0)('shows every top-level definition in a quarter of the size', async () => {
    const sizes: number[] = []
    const missing: string[] = []
    for (const file of files) {
      const content = readFileSync(file, 'utf8')
      const { text, malformed, complete } = await outline(file, content, {
        language: language as OutlineLanguage,
      })
      expect(Buffer.byteLength(text), file).toBeLessThanOrEqual(Buffer.byteLength(content) / 2)
      // Half of a file is shown if it has little else than definitions.
      if (!complete) expect(text.length, file).toBeGreaterThan(0.4 * content.length)
      sizes.push(text.length / content.length)
      const lines = readLines(content)
      const shown = numbered(text)
      for (const [line, shownText] of shown) expect(shownText, `${file}:${line}`).toBe(lines.get(line))
      if (malformed || !complete) continue
      for (const [line, source] of lines) {
        if (pattern.test(source) && !shown.has(line)) missing.push(`${file}:${line}: ${source}`)
      }
    }
    // The look of a line can be wrong: text in a string or comment may look like a definition.
    expect(missing.filter((each) => !isQuoted(each))).toEqual([])
    const median = sizes.sort((a, b) => a - b)[sizes.length >> 1] as number
    if (sizes.length >= FILES_WITH_A_MEDIAN) expect(median).toBeLessThanOrEqual(0.25)
  })
})

/** Whether the line is within a multi-line string or comment: an odd number of delimiters precedes it. */
function isQuoted(place: string): boolean {
  const [, file = '', line = ''] = /^(.*?):(\d+): /.exec(place) ?? []
  const before = readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, Number(line) - 1)
    .join('\n')
  const odd = (mark: RegExp) => (before.match(mark) ?? []).length % 2 === 1
  return (
    isInHeredoc(before) ||
    odd(/"""/g) ||
    odd(/'''/g) ||
    odd(/`/g) ||
    odd(/```/g) ||
    before.lastIndexOf('/*') > before.lastIndexOf('*/') ||
    before.lastIndexOf('<!--') > before.lastIndexOf('-->') ||
    before.lastIndexOf('r#"') > before.lastIndexOf('"#')
  )
}

/** Whether a heredoc of Ruby or a shell is open: `<<~WORD`. */
function isInHeredoc(before: string): boolean {
  const [, word = '', rest] = /^[\s\S]*<<[~-]?["']?(\w+)["']?([\s\S]*)$/.exec(before) ?? []
  return rest !== undefined && !new RegExp(`^\\s*${word}$`, 'm').test(rest)
}

const PYTHON = `import os

def first(a,
          b):
    """Says what it does.

    At length.
    """
    return a


class Second:
    def _hidden(self):
        return 1

    def shown(self):
        return 2
`

/** A small file in each language that may lack real files here, and the names of its sections, in order. */
test.each([
  ['a.java', 'package a;\nclass A {\n  private int x;\n  int f(int a) {\n    return a;\n  }\n}\n', 'A f'],
  [
    'a.cs',
    'using System;\nnamespace N {\n  class A {\n    int F() {\n      return 1;\n    }\n  }\n}\n',
    'N A F',
  ],
  [
    'a.cpp',
    'namespace n {\ntemplate <class T>\nclass A {\n  int f() {\n    return 1;\n  }\n};\n}\nint A::g() { return 2; }\n',
    'n A f A::g',
  ],
  [
    'a.h',
    '#ifdef __cplusplus\nextern "C" {\n#endif\nAPI int f(void);\nAPI STACK_OF(X) *g(int);\n#ifdef __cplusplus\n}\n#endif\n',
    'f g',
  ],
  ['a.hpp', 'class API_EXPORT A : public B {\n public:\n  int f();\n};\n', 'A f'],
  [
    'a.js',
    'var f = function () {\n    return 1\n  },\n  x, y,\n  g = function () {}\nif (x) {\n  h = () => {}\n} else {\n  function i() {}\n}\n',
    'f x y g h i',
  ],
  ['a.ts', 'try {\n  class A {}\n} catch {\n  let b = 1,\n    c = {}\n}\n', 'A b c'],
  ['a.cjs', 'exports.f = function () {\n  return 1\n}\nA.b = class {}\nx.y = 1\n', 'exports.f A.b'],
  ['b.zig', 'test "first" {\n  const x = 1;\n}\n', 'first'],
  ['a.c', 'struct s {\n  int x;\n};\nstatic int *f(int a) {\n  return 0;\n}\nint g(void);\n', 's f g'],
  ['a.zig', 'const S = struct {\n  x: u8,\n  pub fn f() void {}\n};\npub fn main() void {}\n', 'S f main'],
  ['a.go', 'package a\n\ntype T struct {\n\tX int\n}\n\nfunc (t T) F() int {\n\treturn 1\n}\n', 'T F'],
  ['a.rb', 'module M\n  class A\n    def f(x)\n      x\n    end\n  end\nend\n', 'M A f'],
  ['a.sh', 'f() {\n  echo 1\n}\nfunction g {\n  echo 2\n}\n', 'f g'],
  ['a.d.ts', 'declare global {\n  interface A {\n    x: 1\n  }\n}\n', 'global A'],
  ['a.tsx', 'export const A = () => {\n  return <b>x</b>\n}\nexport default class B {}\n', 'A B'],
  ['a.json', '{\n  "a": {\n    "b": 1\n  },\n  "c": []\n}\n', 'a b c'],
  ['a.yaml', 'a:\n  b: 1\nc:\n  - d\n', 'a b c'],
  ['a.toml', 'v = 0\n[a]\nx = 1\n\n[b.c]\ny = 2\n', 'v a x b.c y'],
  [
    'a.css',
    '.a {\n  color: red;\n}\n@media print {\n  .b {\n    color: blue;\n  }\n}\n',
    '.a|@media print|.b',
  ],
  ['a.html', '<html>\n<body>\n<p>x</p>\n</body>\n</html>\n', 'html body'],
  ['a.md', '# A\n\ntext\n\n## B\n\n```\n# no\n```\n', 'A B'],
  ['a.txt', 'first:\n  second\nthird\n', 'first:'],
])('outline lists the sections of %s', async (path, content, names) => {
  const { sections, malformed } = await outline(path, content)
  const separator = names.includes('|') ? '|' : ' '
  expect(sections.map(({ name }) => name).join(separator)).toBe(names)
  expect(malformed).toBe(false)
})

describe('outline', () => {
  test('keeps signatures, and folds bodies', async () => {
    const { text, sections } = await outline('a.py', PYTHON)
    expect(text).toBe(`     1\timport os
     3\tdef first(a,
     4\t          b):
     5\t    """Says what it does.
\t... 6 lines
    12\tclass Second:
    13\t    def _hidden(self):
\t... 2 lines
    16\t    def shown(self):
\t... 1 line
`)
    expect(
      sections.map(({ name, kind, startLine, endLine, depth }) => [name, kind, startLine, endLine, depth]),
    ).toEqual([
      ['first', 'function', 3, 9, 0],
      ['Second', 'class', 12, 17, 0],
      ['_hidden', 'function', 13, 14, 1],
      ['shown', 'function', 16, 17, 1],
    ])
  })

  test('folds deeper to fit its budget, and reports if the top level does not fit', async () => {
    const fitted = await outline('a.py', PYTHON, { budget: { lines: 6 } })
    expect([...numbered(fitted.text).keys()].slice(0, 1)).toEqual([3])
    expect(fitted.text.split('\n').length - 1).toBeLessThanOrEqual(6)
    expect(fitted.complete).toBe(true)
    const tiny = await outline('a.py', PYTHON, { budget: { lines: 1 } })
    expect(tiny).toMatchObject({ complete: false })
  })

  const source = fc.string({
    unit: fc.constantFrom(
      'def f(',
      '):',
      'class A',
      '\n',
      '    ',
      '\r\n',
      '{',
      '}',
      'x',
      '"',
      'é',
      '\t',
      '# ',
      '\r',
      '=',
      '//',
      '/*',
    ),
    maxLength: 200,
  })
  const names = outlineLanguages.filter((name) =>
    ['python', 'javascript', 'rust', 'cpp', 'markdown', 'text', 'yaml', 'ruby'].includes(name),
  )

  test('shows lines of the file byte for byte, whatever the file holds', async () => {
    const grammars = new Map(
      await Promise.all(names.map(async (name) => [name, await loadGrammar(name)] as const)),
    )
    fc.assert(
      fc.property(fc.constantFrom(...names), source, fc.nat(30), (name, content, lines) => {
        const made = grammars.get(name)?.outline(content, { budget: { lines } }, name)
        const own = readLines(content)
        for (const [line, text] of numbered(made?.text ?? '')) expect(text).toBe(own.get(line))
        expect((made?.text.split('\n').length ?? 1) - 1).toBeLessThanOrEqual(Math.max(lines, 1))
        expect(made?.totalLines).toBe(own.size)
        expect(linesIn(made?.shown ?? [])).toEqual([...numbered(made?.text ?? '').keys()])
        expect(made?.shownLines).toBe(linesIn(made?.shown ?? []).length)
        for (const { startLine, endLine } of made?.sections ?? []) {
          expect(1 <= startLine && startLine <= endLine && endLine <= own.size).toBe(true)
        }
      }),
      runs,
    )
  })

  test.each(outlineLanguages)('accepts an empty file in %s', async (language) => {
    expect(await outline('x', '', { language })).toMatchObject({ text: '', sections: [], totalLines: 0 })
  })
})

test('the language of a header is found in linear time', () => {
  const start = performance.now()
  for (const blank of ['\n', '\r', ' ', '\u2028', '\t\n'])
    expect(detectLanguage('a.h', blank.repeat(100_000))).toBe('c')
  expect(performance.now() - start).toBeLessThan(2_000)
})

test.each([
  ['src/a.ts', '', 'typescript'],
  ['a.d.mts', '', 'typescript'],
  ['A.TSX', '', 'tsx'],
  ['lib\\b.py', '', 'python'],
  ['a.h', 'int f(void);\n', 'c'],
  ['a.h', '#include <stdio.h>\nclass_t *f(void);\n', 'c'],
  ['a.h', '#pragma once\nnamespace a {\n}\n', 'cpp'],
  ['a.h', '#pragma once\ninline namespace a {\n}\n', 'cpp'],
  ['a.h', '#pragma once\nclass A {\n};\n', 'cpp'],
  ['a.h', '#include <vector>\n', 'cpp'],
  ['a.h', 'struct A : B\n{\n};\n', 'cpp'],
  ['a.h', 'struct A {\n#ifdef __cplusplus\n\n  A() : a(1) {}\n#endif\n};\n', 'cpp'],
  ['a.h', 'struct A {\n  virtual int f();\n};\n', 'cpp'],
  ['a.h', 'struct A {\n  int b : 2;\n};\n#ifdef __cplusplus\n}\n#endif\n', 'c'],
  ['Gemfile', '', 'ruby'],
  ['run', '#!/usr/bin/env -S python3 -u\n', 'python'],
  ['run', '#!/bin/sh\n', 'bash'],
  ['run', '#!/usr/local/bin/node\n', 'javascript'],
  ['notes', 'hello', 'text'],
  ['.py/notes', '', 'text'],
  ['constructor', '', 'text'],
])('detectLanguage recognizes the language of %s with the content %s', (path, content, language) => {
  expect(detectLanguage(path, content)).toBe(language)
})

test('outline names the argument that it refuses', async () => {
  await expect(outline('a', '', { language: 'cobol' as 'c' })).rejects.toMatchObject({
    code: 'unknown_language',
    argument: 'language',
  })
  await expect(outline('a', '', { budget: { lines: -1 } })).rejects.toMatchObject({ argument: 'budget' })
  await expect(outline('a', 7 as unknown as string)).rejects.toMatchObject({ argument: 'content' })
  await expect(outline(7 as unknown as string, '')).rejects.toMatchObject({ argument: 'path' })
})

describe('decorators and attributes', () => {
  test.each<[string, string, [string, number, number][]]>([
    [
      'a.ts',
      'class A {\n  @seen\n  one() {\n  }\n\n  @Get()\n  @Code(204)\n  two() {\n  }\n}\n',
      [
        ['one', 2, 4],
        ['two', 6, 9],
      ],
    ],
    [
      'a.rs',
      '#![allow(x)]\nfn one() {\n}\n#[derive(Debug)]\n#[serde(x)]\nstruct Two {\n}\n\n/// Doc.\n#[inline]\n// c\nfn three() {\n}\n',
      [
        ['one', 2, 3],
        ['Two', 4, 7],
        ['three', 10, 13],
      ],
    ],
    ['a.py', '@dec\ndef one():\n    pass\n', [['one', 1, 3]]],
    ['a.cs', 'class A {\n  [Test]\n  public void One() {\n  }\n}\n', [['One', 2, 4]]],
    ['a.java', 'class A {\n  @Override\n  public void one() {\n  }\n}\n', [['one', 2, 4]]],
  ])('are lines of what they stand above in %s', async (path, text, expected) => {
    const sections = (await outline(path, text))?.sections ?? []
    const found = sections.map(({ name, startLine, endLine }) => [name, startLine, endLine])
    expect(found).toEqual(expect.arrayContaining(expected))
  })
})

test.each(["# responds to '<<'", "X = '<<'", '# `<<` z'])('Ruby with %s keeps its methods', async (line) => {
  const methods = Array.from({ length: 5 }, (_, i) => `  def m${i}(a)\n    if a\n      1\n    end\n  end\n`)
  const made = await outline('a.rb', `class A\n  ${line}\n${methods.join('\n')}end\n`)
  expect(made?.language).toBe('ruby')
  expect(made?.sections.filter(({ kind }) => kind === 'function')).toHaveLength(5)
})
