import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Returns what is read on a page, and checks that the page has no errors. */
export async function visit(
  browser: Browser,
  address: string,
  read: (page: Page) => Promise<unknown>,
): Promise<unknown> {
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  try {
    await page.goto(address, { waitUntil: 'load' })
    const outcome = await read(page)
    expect(errors).toEqual([])
    return outcome
  } finally {
    await page.close()
  }
}

/** What a test page of the package computed. */
export const outcomeOf = (page: Page): Promise<unknown> =>
  page.evaluate(() => (globalThis as unknown as { outcome: Promise<unknown> }).outcome)
