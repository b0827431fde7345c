// How much of the page changes while an answer streams.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../chat/model-server.js'
import { dropFile, pages } from './browser.js'
import { chooseModel } from './talk.js'
import { styledElements } from './tasks.js'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())

// The browser logs messages about the endpoint.
const openPage = pages((complaint) => complaint.includes(server.origin))

test.each([
  ['a list', '- an item with `code` and *emphasis*\n'.repeat(120)],
  ['a table', `| a | b |\n| - | - |\n${'| one | **two** |\n'.repeat(120)}`],
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
    // The element that is not finished may be made more than once.
    expect(elements).toBeLessThan(3 * shown + changes)
  },
  60_000,
)

test('at its end, an answer that streamed is not styled again', async () => {
  const rows = 150
  const text = `| a | b |\n| - | - |\n${'| one | **two** |\n'.repeat(rows)}`
  server.next({ kind: 'answers', said: { text }, pause: 4 })
  const { page } = await openPage({ width: 1280, height: 860, path: '/' })
  await page.waitForSelector('#composer')
  await chooseModel(page, server.origin)
  const styled = await styledElements(page)
  await page.fill('#composer', 'why?')
  await page.press('#composer', 'Enter')
  await page.waitForSelector('.row-text', { timeout: 60_000 })
  await page.waitForTimeout(500)
  expect(await page.locator('.row-text tr').count()).toBe(rows + 1)
  expect(await styled()).toBeLessThan(2 * rows)
}, 120_000)

test.each([
  ['', 0],
  [', also if the parser is loaded late', 1000],
])(
  'a long answer is rendered over several frames%s',
  async (_, delay) => {
    const { page } = await openPage({ width: 1280, height: 860, path: '/' })
    await page.route(/\/assets\/prose-/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, delay))
      await route.continue()
    })
    await page.waitForSelector('#composer')
    await page.evaluate(() => {
      const most = { parts: 0 }
      Object.assign(globalThis, { most })
      new MutationObserver((changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
        const elements = added.filter((node) => node instanceof Element)
        const parts = elements.filter((one) => one.matches('.prose')).length
        const within = elements.map((one) => one.querySelectorAll('.prose').length)
        most.parts = Math.max(most.parts, parts + within.reduce((sum, count) => sum + count, 0))
      }).observe(document.body, { subtree: true, childList: true })
    })
    const content = `${'Some words of a **paragraph**. '.repeat(70)}\n\n`.repeat(60)
    const session = [
      { role: 'user', content: 'why?' },
      { role: 'assistant', content },
    ]
    await dropFile(page, 'long.json', JSON.stringify(session))
    await expect.poll(() => page.locator('.row-text .prose').count(), { timeout: 20_000 }).toBe(60)
    const { parts } = await page.evaluate(() => (globalThis as unknown as { most: { parts: number } }).most)
    expect(parts).toBeGreaterThan(0)
    expect(parts).toBeLessThan(10)
  },
  60_000,
)
