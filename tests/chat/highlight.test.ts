import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { languageOf } from '../../www/src/chat/highlight/highlighting.js'
import { readCode } from '../../www/src/chat/highlight/read-code.js'
import { coloredLines, piecesOf, type Token } from '../../www/src/chat/highlight/tokens.js'

const kindsIn = (text: string, language: string) =>
  Object.fromEntries(
    piecesOf(text, readCode(text, language)).flatMap(({ text: part, kind }) =>
      kind === null ? [] : [[part.trim(), kind]],
    ),
  )

describe('readCode', () => {
  test.each<[string, string, string, Record<string, string>]>([
    [
      'TypeScript',
      'a.ts',
      'const one = 1 // first',
      { const: 'keyword', 1: 'number', '// first': 'comment' },
    ],
    ['Python', 'tool.py', 'def run(): return "x"', { def: 'keyword', run: 'name', '"x"': 'string' }],
    ['Rust', 'lib.rs', 'fn run() -> u8 { 1 }', { fn: 'keyword', run: 'name', u8: 'type' }],
    ['a shell script', 'x.sh', 'if true; then echo "$A"; fi', { if: 'keyword', echo: 'type' }],
    ['a Dockerfile', 'Dockerfile', 'FROM node:20', { FROM: 'keyword' }],
    ['JSON', 'a.json', '{"a": true}', { '"a"': 'name', true: 'keyword' }],
    ['TOML', 'Cargo.toml', 'a = "b"', { a: 'name', '"b"': 'string' }],
    ['a diff', 'a.patch', '+in\n-out', { '+in': 'added', '-out': 'removed' }],
  ])('finds the tokens of %s', (_, path, text, wanted) => {
    expect(kindsIn(text, languageOf(path))).toMatchObject(wanted)
  })

  test('returns no tokens for an unknown language', () => {
    for (const language of ['', 'constructor', '__proto__', 'nothing', 'plaintext'])
      expect(readCode('const a = 1', language)).toEqual([])
  })

  test('reads an interpolation in a template as code, and a script in HTML as JavaScript', () => {
    expect(kindsIn('`a $' + '{b + 1} c`', 'ts')).toMatchObject({
      '`a': 'string',
      1: 'number',
      'c`': 'string',
    })
    expect(kindsIn('<script>const a = 1</script>', 'html')).toMatchObject({ const: 'keyword' })
  })

  test('returns tokens that cover any text', () => {
    const parts = fc.constantFrom(
      '`',
      '${',
      '}',
      '"',
      "'",
      '/*',
      '*/',
      '//',
      '\n',
      '\r\n',
      '<a ',
      '>',
      '\u{1f30a}',
      'if',
      '#{',
      '\\',
    )
    const languages = fc.constantFrom('ts', 'py', 'rs', 'html', 'md', 'php', 'ruby', 'sh', 'css', 'yaml')
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 60 }), languages, (list, language) => {
        const text = list.join('')
        const tokens = readCode(text, language)
        expect(tokens.reduce((sum, { length }) => sum + length, 0)).toBe(text.length)
        expect(
          piecesOf(text, tokens)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text)
        const lines = coloredLines(text, tokens)
        expect(lines.map((line) => line.map((piece) => piece.text).join('')).join('\n')).toBe(text)
      }),
      { numRuns: 500 },
    )
  })
})

test('piecesOf leaves text after the last token plain, and cuts a token at the end of the text', () => {
  const tokens: Token[] = [
    { length: 5, kind: 'keyword' },
    { length: 2, kind: null },
  ]
  expect(piecesOf('const a = 1', tokens)).toEqual([
    { text: 'const', kind: 'keyword' },
    { text: ' a', kind: null },
    { text: ' = 1', kind: null },
  ])
  expect(piecesOf('con', tokens)).toEqual([{ text: 'con', kind: 'keyword' }])
  expect(coloredLines('a\n\nb', [{ length: 4, kind: 'string' }])).toEqual([
    [{ text: 'a', kind: 'string' }],
    [],
    [{ text: 'b', kind: 'string' }],
  ])
})
