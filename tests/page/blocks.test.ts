import { expect, test } from 'vitest'
import { dropFile, pages } from './browser.js'
import { longSession } from './sessions.js'

const openPage = pages()

/** 1,200 messages: more blocks than a page should hold. */
const LONG = longSession(400, 4)

test('the block list can be filtered, renders only the visible part of thousands of blocks, and keeps open blocks open', async () => {
  const { page } = await openPage({ width: 1280, height: 860, path: '/' })
  await page.waitForSelector('#composer')
  await dropFile(page, 'long.json', LONG)
  await page.locator('.transport', { hasText: 'Request 400 of 400' }).waitFor({ timeout: 60_000 })
  expect(await page.locator('.flash').count()).toBe(0)
  const items = page.locator('.blocks li')
  await expect.poll(() => items.count()).toBe(12)
  const filter = page.getByLabel('Filter blocks by tool, file or command')
  await filter.fill('user text')
  await expect.poll(() => items.locator('.block-name').first().textContent()).toContain('user text')
  expect(new Set(await items.locator('.block-name').allTextContents())).toEqual(new Set(['user text ']))
  await filter.fill('no such tool')
  await page.getByText('No block matches.').waitFor()
  await filter.fill('')
  await expect.poll(() => items.count()).toBe(12)
  await page.getByRole('button', { name: /^Show all [\d,]+ blocks$/ }).click()
  await expect.poll(() => items.count()).toBeGreaterThan(12)
  const total = Number(await items.first().getAttribute('aria-setsize'))
  expect(total).toBeGreaterThan(1000)
  expect(await items.count()).toBeLessThan(120)

  await items.first().locator('summary').click()
  await items.first().locator('.card-body').waitFor()

  /** Positions of the rendered items, which must be consecutive. */
  const positions = () =>
    items.evaluateAll((made) => made.map((item) => Number(item.getAttribute('aria-posinset'))))
  const toEnd = () => page.locator('.blocks ul').evaluate((list) => list.scrollIntoView({ block: 'end' }))
  await toEnd()
  await expect
    .poll(async () => {
      await toEnd()
      return (await positions()).at(-1)
    })
    .toBe(total)
  const made = await positions()
  expect(made.length).toBeLessThan(120)
  expect(made).toEqual(made.map((_, at) => (made[0] ?? 0) + at))
  const isSeen = () =>
    items.last().evaluate((item) => item.getBoundingClientRect().bottom <= innerHeight + 40)
  await expect.poll(isSeen).toBe(true)

  const folder = process.env.TRIMTAB_PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/blocks-1280.png` })

  await page.locator('#blocks-title').evaluate((head) => head.scrollIntoView())
  await expect.poll(async () => (await positions())[0]).toBe(1)
  await items.first().locator('.card-body').waitFor()
}, 120_000)
