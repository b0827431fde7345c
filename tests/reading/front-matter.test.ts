// Headings of Markdown are found by two parsers' calls: that of outlines, and that of `updateSection` in the engine of
// files. Both have to find the same ones, front matter and rules included.
import fc from 'fast-check'
import { updateSection } from 'trimtab/files'
import { outline } from 'trimtab/outline'
import { expect, test } from 'vitest'
import { runs } from '../node/random.js'

const piece = fc.constantFrom('# h', '## h', 'word', '', '---', '+++', '...', 'a = 1', '***')
/** Each heading and word of the text has a number of its own. */
const markdown = fc
  .array(piece, { maxLength: 14 })
  .map((pieces) => pieces.map((text, i) => (/[hd]$/.test(text) ? `${text}${i}` : text)).join('\n'))

const isFound = (text: string, header: string) => {
  const { isError, message } = updateSection(text, { path: 'a.md', header, text: 'new' })
  return !isError || !message.includes('not found')
}

test('an outline has the headings that updateSection finds', async () => {
  const check = async (text: string) => {
    const { sections } = await outline('a.md', text)
    const names = sections.map(({ name }) => name)
    for (const name of names) expect([name, isFound(text, name)]).toEqual([name, true])
    for (const [, name = ''] of text.matchAll(/(\S*[hd]\d+)/g))
      if (!names.some((shown) => shown.includes(name)))
        expect([name, isFound(text, name)]).toEqual([name, false])
  }
  await fc.assert(fc.asyncProperty(markdown, check), { ...runs, numRuns: runs.numRuns * 4 })
  await check('# h0\n\n---\n## h1\n\nword2\n\n---\n## h3\n')
  await check('+++\n# h0\n+++\n# h1\n\n+++\n## h2\n\n+++\n')
})
