import type { Page } from 'playwright-core'

/** Until the agent rests. */
export const isIdle = (page: Page) =>
  page.waitForFunction(
    () => document.querySelector('.rows') !== null && document.querySelector('.working') === null,
  )

/** Says something to the agent, and waits until it has done it. */
export async function say(page: Page, text: string): Promise<void> {
  const before = await page.locator('.row-user').count()
  await page.fill('#composer', text)
  await page.press('#composer', 'Enter')
  await page.waitForFunction((count) => document.querySelectorAll('.row-user').length > count, before)
  await isIdle(page)
}
