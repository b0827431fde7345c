import { expect, test } from 'vitest'
import { pages } from './browser.js'
import { say } from './talk.js'

const openPage = pages()

test('the composer shows the size of the next request while a message is written', async () => {
  const { page } = await openPage({ width: 1280, height: 800, path: '/' })
  await page.waitForSelector('#composer')
  const next = page.locator('.next-size')
  expect(await next.count()).toBe(0)
  await page.fill('#composer', 'list files')
  await expect.poll(() => next.textContent()).toMatch(/^next ~\d+$/)
  await say(page, 'run the long log')
  await next.waitFor()
  const tokens = async () => {
    const text = /~([\d.]+)(k?)/.exec((await next.textContent()) ?? '')
    return Number(text?.[1]) * (text?.[2] === 'k' ? 1000 : 1)
  }
  const before = await tokens()
  expect(before).toBeGreaterThan(500)
  await page.fill('#composer', 'list files, please. '.repeat(400))
  await expect.poll(tokens).toBeGreaterThan(before + 1000)
  await page.fill('#composer', 'word '.repeat(60_000))
  await expect.poll(() => next.textContent()).toContain('over the window')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)

  await page.fill('#composer', '')
  await say(page, 'list files')
  await next.waitFor()
  const said = await next.textContent()
  await say(page, 'list files')
  // The size announced before sending, compared with the panel's.
  const sum = Number.parseFloat((await page.textContent('.context-sum b')) ?? '')
  expect(Math.abs(Number.parseFloat(/~([\d.]+)/.exec(said ?? '')?.[1] ?? '') - sum)).toBeLessThan(0.3)
})
