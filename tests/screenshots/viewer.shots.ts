// The picture of the session viewer in www/README.md.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openSample, pages } from '../page/browser.js'
import { write } from './camera.js'

const PICTURE = fileURLToPath(new URL('../../www/images/viewer.webp', import.meta.url))
const openPage = pages()

test('viewer', async () => {
  const { page } = await openPage({ width: 1320, height: 960 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openSample(page)
  await expect.poll(() => page.locator('.message').count()).toBeGreaterThan(1)
  await page.evaluate(() => document.fonts.ready)
  await write(page, PICTURE, 2)
})
