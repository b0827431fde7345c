// How much of the page changes while an answer streams.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../chat/model-server.js'
import { pages } from './browser.js'
import { chooseModel } from './talk.js'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())

// The browser logs messages about the endpoint.
const openPage = pages((complaint) => complaint.includes(server.origin))

const CODE = `\`\`\`ts\n${'export const one = 1\n'.repeat(30)}\`\`\`\n\n`

test.each([
  ['a list', '- an item with `code` and *emphasis*\n'.repeat(120)],
  ['a table', `| a | b |\n| - | - |\n${'| one | **two** |\n'.repeat(120)}`],
  ['words after code', `${CODE}${'Some words of a **paragraph**. '.repeat(40)}`],
])(
  'each element of a streaming answer is made once: %s',
  async (_, text) => {
    server.next({ kind: 'answers', said: { text }, pause: 4 })
    const { page } = await openPage({ width: 1280, height: 860, path: '/' })
    await page.waitForSelector('#composer')
    await chooseModel(page, server.origin)
    await page.evaluate(() => {
      const made = { elements: 0, changes: 0 }
      Object.assign(globalThis, { made })
      new MutationObserver((changes) => {
        made.changes += 1
        for (const { addedNodes, target } of changes) {
          if (!(target instanceof Element) || target.closest('.prose') === null) continue
          for (const node of addedNodes)
            if (node instanceof Element) made.elements += 1 + node.querySelectorAll('*').length
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    await page.fill('#composer', 'why?')
    await page.press('#composer', 'Enter')
    await page.waitForSelector('.row-text', { timeout: 60_000 })
    const { elements, changes } = await page.evaluate(
      () => (globalThis as unknown as { made: { elements: number; changes: number } }).made,
    )
    const shown = await page.locator('.row-text .prose *').count()
    expect(changes).toBeGreaterThan(20)
    expect(shown).toBeGreaterThan(20)
    // Colours of code arrive more than once, and so may the element that is not finished.
    expect(elements).toBeLessThan(3 * shown + changes)
  },
  60_000,
)
