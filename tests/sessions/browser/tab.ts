import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { launchChromium } from '../../chromium.js'
import { serve } from '../../page/serve.js'

/** A real browser with the built package in each tab, as `trimtab` and `tools`. */
export interface Tabs {
  /** First tab of a test. Storage is shared by all tabs of one test, and by no other test. */
  page(): Page
  open(): Promise<Page>
}

/** Starts the browser before the tests, and a separate user for each. Call it where tests are declared. */
export function useTabs(): Tabs {
  let browser: Browser
  let server: Awaited<ReturnType<typeof serve>>
  let context: BrowserContext
  let page: Page
  const open = async () => {
    const tab = await context.newPage()
    await tab.goto(`${server.origin}/tests/sessions/browser/index.html`)
    await tab.waitForFunction(() => 'trimtab' in globalThis)
    return tab
  }
  beforeAll(async () => {
    server = await serve(fileURLToPath(new URL('../../..', import.meta.url)))
    browser = await launchChromium()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  beforeEach(async () => {
    context = await browser.newContext()
    page = await open()
    return () => context.close()
  })
  return { page: () => page, open }
}
