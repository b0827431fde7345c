import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pages } from './browser.js'
import { isStored, say } from './talk.js'

const openPage = pages()

async function open(): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 520, path: '/' })
  await page.waitForSelector('#composer')
  return page
}

const hash = (page: Page) => page.evaluate(() => location.hash)

test('the URL holds chat, policy and scroll position, and a reload restores them', async () => {
  const page = await open()
  expect(await hash(page)).toBe('')
  for (const text of ['Fix the failing tests', 'list files', 'read src/zone.ts', 'search dayOf'])
    await say(page, text)
  await page.selectOption('#policy', 'rolling')
  await expect.poll(() => hash(page)).toMatch(/^#chat=[\w-]+&policy=rolling$/)
  await isStored(page)
  // By its text: rows far from the visible part are not in the document.
  const second = page.locator('.row-user', { hasText: 'list files' })
  await second.evaluate((row) => {
    const area = row.closest('.thread') as HTMLElement
    area.scrollTop += row.getBoundingClientRect().top - area.getBoundingClientRect().top
  })
  await expect.poll(() => hash(page)).toMatch(/&at=/)
  const top = () => second.evaluate((row) => Math.round(row.getBoundingClientRect().top))
  // Rows that are first drawn change the height of the thread: wait until nothing moves.
  const settled = async () => {
    for (let last = await top(); ; ) {
      await page.waitForTimeout(500)
      const now = await top()
      if (now === last) return now
      last = now
    }
  }
  const before = await settled()
  const place = await hash(page)
  await page.reload()
  await page.waitForSelector('.row-user')
  await expect.poll(() => page.inputValue('#policy')).toBe('rolling')
  await expect.poll(() => page.textContent('.chat-title')).toBe('Fix the failing tests')
  await expect.poll(() => hash(page)).toBe(place)
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(40)
  await page.click('[aria-label="Scroll to the end"]')
  await expect.poll(() => hash(page)).not.toMatch(/&at=/)
})

test('the URL holds a policy chosen before the first message, unless it is the default', async () => {
  const page = await open()
  await page.selectOption('#policy', 'smart')
  await expect.poll(() => hash(page)).toBe('#policy=smart')
  await page.reload()
  await page.waitForSelector('#composer')
  await expect.poll(() => page.inputValue('#policy')).toBe('smart')
  await page.selectOption('#policy', 'cache-aware')
  await expect.poll(() => hash(page)).toBe('')
})

test('the address of another chat opens it in the same tab, and Back returns to the one before', async () => {
  const page = await open()
  const opened = () => page.locator('.row-user').allTextContents()
  await say(page, 'list files')
  await isStored(page)
  const first = await hash(page)
  await page.click('text=New chat')
  await say(page, 'search dayOf')
  await isStored(page)
  const second = await hash(page)
  await page.fill('#composer', 'not sent')
  await page.evaluate((address) => location.assign(address), `${first}&policy=rolling`)
  await expect.poll(opened).toEqual(['list files'])
  await expect.poll(() => page.inputValue('#policy')).toBe('rolling')
  expect(await page.inputValue('#composer')).toBe('not sent')
  await page.goBack()
  await expect.poll(opened).toEqual(['search dayOf'])
  await page.goForward()
  await expect.poll(opened).toEqual(['list files'])
  // A link to an element of the page is no address.
  const before = await hash(page)
  await page.locator('.skip').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('composer')
  await expect.poll(() => hash(page)).toBe(before)
  expect(await opened()).toEqual(['list files'])
  expect(second).not.toBe(first)
}, 60_000)
