import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dropFile, pages } from './browser.js'

const openPage = pages()
const SAMPLE = readFileSync(new URL('../../examples/session.jsonl', import.meta.url), 'utf8')

test.each([1280, 2560])('no name in the legend is cut off at %i px', async (width) => {
  const { page } = await openPage({ width, height: 1000, path: '/' })
  await page.waitForSelector('#composer')
  await dropFile(page, 'sample.jsonl', SAMPLE)
  await page.waitForSelector('.transport')
  // With all requests there, a name is beside two sizes.
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' })
  const names = page.locator('.kind-name')
  await expect.poll(() => page.locator('.kinds s').count()).toBeGreaterThan(0)
  expect(await names.count()).toBeGreaterThan(5)
  const cut = await names.evaluateAll((all) =>
    all.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent),
  )
  expect(cut).toEqual([])
})
