// A page that was opened before a new build was published.
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.js'
import { serve } from './serve.js'
import { isStored, say } from './talk.js'

const DIST = fileURLToPath(new URL('../../www/dist', import.meta.url))

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

/** Checksum in the name of a file, as the build writes it. */
const HASH = /-[\w-]{8}(?=\.\w+$)/

/** Replaces the files of a folder with those of a build in which every file has changed. */
function publishNewBuild(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => ({ name, parentPath }))
  const hashed = files.flatMap(({ name }) => HASH.exec(name)?.[0] ?? [])
  const names = new RegExp(`(?:${[...new Set(hashed)].join('|')})(?=\\.)`, 'g')
  for (const { name, parentPath } of files) {
    const path = join(parentPath, name)
    if (/\.(?:js|css|html)$/.test(name)) {
      const text = readFileSync(path, 'utf8').replace(names, '$&2')
      writeFileSync(path, name === 'service-worker.js' ? text.replace(/(VERSION = '\w+)'/, "$1-new'") : text)
    }
    renameSync(path, join(parentPath, name.replace(HASH, '$&2')))
  }
}

const version = (page: Page) => page.evaluate(() => document.querySelector('script')?.src)

test('an open page keeps working after a new build, and the next visit loads the new one, also for offline use', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-builds-'))
  cpSync(DIST, folder, { recursive: true })
  const server = await serve(folder, { 'cache-control': 'max-age=600' })
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  try {
    const page = await context.newPage()
    await page.goto(`${server.origin}/`)
    await page.waitForSelector('#composer')
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    const before = await version(page)
    publishNewBuild(folder)
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      const next = (await registration?.update())?.installing
      await new Promise<void>((resolve) => {
        const look = () => next?.state === 'installing' || resolve()
        next?.addEventListener('statechange', look)
        look()
      })
    })
    // The page says so and stays as it is: nothing is lost by itself.
    const told = page.locator('.new-version')
    await told.waitFor()
    await expect.poll(() => told.textContent()).toContain('newer version')
    expect(await version(page)).toBe(before)
    // An earlier build loads the rest of itself only now, and the server has it no more.
    const session = await context.newCDPSession(page)
    await session.send('Network.clearBrowserCache')
    await say(page, 'read src/app.ts')
    await expect.poll(() => page.textContent('.rows')).toContain('I have read')
    await isStored(page)
    const address = page.url()
    await page.close()

    const later = await context.newPage()
    await later.goto(address)
    await later.waitForSelector('.row-text')
    expect(await version(later)).not.toBe(before)
    await later.waitForTimeout(4000)
    expect(await later.locator('.new-version').count()).toBe(0)
    await later.waitForFunction(async () =>
      (await caches.keys()).every((name) => name.endsWith('-new') || !name.startsWith('trimtab ')),
    )
    await context.setOffline(true)
    await later.reload()
    await later.waitForSelector('.row-text')
    await say(later, 'search dayOf')
    await expect.poll(() => later.textContent('.rows')).toContain('dayOf')
  } finally {
    await context.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}, 90_000)
