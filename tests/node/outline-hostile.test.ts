import { loadGrammar, outline, outlineLanguages } from 'trimtab/outline'
import { describe, expect, test } from 'vitest'

/**
 * Texts that repeat a piece. At each of its errors the parser tried all reductions down a stack that grew with the text:
 * 4 KB took up to 8 s, and 20 KB minutes. Only in wasm is this work counted; pieces that are noticed by their shape are in
 * outline/tests/hostile.rs.
 */
const PIECES = [
  '!->',
  '%def ---\n}++',
  '&%',
  '*--',
  ',||not ',
  '- - :,\n',
  '---\n++=',
  '----+',
  '-as ',
  '...^~=',
  '..!,',
  '..::',
  ';..',
  '=>%mut ',
  '=>) ',
  '>??',
  '??%$',
  '@>==',
  '[&&struct ->',
  '\n||]',
  '^}+',
  'else ->',
  'go ??}',
  '{---\n*%',
  '|||)(',
  '}await ',
]

const LENGTH = 20_000

describe.each(outlineLanguages)('%s', (language) => {
  test('the outline of a text that repeats a piece is there at once', async () => {
    await loadGrammar(language)
    for (const piece of PIECES) {
      const text = `first\n\n${piece.repeat(LENGTH / piece.length)}`
      const { sections } = await outline('text', text, { language })
      expect(sections.length, piece).toBeLessThan(LENGTH)
    }
  })
})

/** The scanner of Ruby's grammar wrote past its buffer, so that the engine failed. */
test.each([200, 247, 248, 249, 250, 255, 256, 300, 1020])(
  'heredocs with identifiers of %i letters',
  async (length) => {
    const words = [...'ABCD'].map((letter) => letter.repeat(length))
    const bodies = words.map((word) => `text\n${word}\n`).join('')
    const code = `foo(${words.map((word) => `<<${word}`).join(', ')})\n${bodies}\ndef after\n  2\nend\n`
    const { text } = await outline('a.rb', code)
    expect(text).toContain('def after')
  },
)
