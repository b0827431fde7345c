import type { Page } from 'playwright-core'

/** Waits until the agent is idle. */
export const isIdle = (page: Page) =>
  page.waitForFunction(
    () => document.querySelector('.rows') !== null && document.querySelector('.working') === null,
  )

/** Waits until the chat, with all its changes, is stored. */
export const isStored = (page: Page, timeout = 30_000) =>
  page.waitForFunction(
    () => location.hash.includes('chat=') && !document.documentElement.hasAttribute('data-unsaved'),
    null,
    { timeout },
  )

/** Sends a message to the agent, and waits until it is done. */
export async function say(page: Page, text: string): Promise<void> {
  const before = await page.locator('.row-user').count()
  await page.fill('#composer', text)
  await page.press('#composer', 'Enter')
  await page.waitForFunction((count) => document.querySelectorAll('.row-user').length > count, before)
  await isIdle(page)
}
