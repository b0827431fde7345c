import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pages } from './browser.js'
import { isStored } from './talk.js'

// Without a network the browser reports what it cannot load.
const openPage = pages((complaint) =>
  /ERR_INTERNET_DISCONNECTED|Failed to fetch|unknown error occurred when fetching/.test(complaint),
)

async function say(page: Page, text: string): Promise<void> {
  await page.fill('#composer', text)
  await page.press('#composer', 'Enter')
  await page.waitForSelector('.row-text')
  await page.waitForFunction(() => document.querySelector('.working') === null)
}

test('after one visit the page works offline', async () => {
  const { page } = await openPage({ width: 1280, path: '/' })
  await page.waitForSelector('#composer')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.context().setOffline(true)
  try {
    await page.reload()
    await page.waitForSelector('#composer')
    // Needs files of the tools that were not requested before.
    await say(page, 'read src/app.ts')
    await expect.poll(() => page.textContent('.rows')).toContain('I have read')
    await isStored(page)
    await page.reload()
    await page.waitForSelector('.row-text')
    await expect.poll(() => page.textContent('.chat-title')).toBe('read src/app.ts')
    await page.click('text=New chat')
    await page.click('text=Play the sample session')
    await page.waitForSelector('.transport')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.waitForSelector('.policy-table tbody tr')
    await page.goto(new URL('/viewer.html', page.url()).href)
    await page.waitForSelector('#landing-sample')
  } finally {
    await page.context().setOffline(false)
  }
}, 60_000)

test('if the network fails before the files are cached, the page says so, goes on with the network, and caches them', async () => {
  const { page } = await openPage({ width: 1280, path: '/' })
  await page.waitForSelector('#composer')
  await page.context().setOffline(true)
  await page.fill('#composer', 'list files')
  await page.press('#composer', 'Enter')
  await page.locator('.failure', { hasText: 'there is no network' }).waitFor()
  // Until the page has tried to cache its files.
  await page.waitForTimeout(4000)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.waitForSelector('.row-text')
  await isStored(page)
  await page.evaluate(() => navigator.serviceWorker.ready)
}, 60_000)
