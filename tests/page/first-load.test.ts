import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { pages } from './browser.js'

const openPage = pages()

/** In another thread: at once, it would stop this one, and with it the server that the page loads from. */
const compressed = promisify(brotliCompress)

/** Maximum bytes of the first load, with each file compressed with brotli. */
const LIMIT = 240 * 1024

test('no script contains the bytes of a wasm engine', () => {
  const folder = fileURLToPath(new URL('../../www/dist/assets/', import.meta.url))
  const sizes = readdirSync(folder)
    // The model runtime contains its worker's text, and is loaded only with a model in the page.
    .filter((name) => name.endsWith('.js') && !name.startsWith('llama-'))
    .map((name) => [name, statSync(folder + name).size] as const)
  expect(sizes.length).toBeGreaterThan(20)
  expect(sizes.filter(([, size]) => size > 200_000)).toEqual([])
})

test('the first load stays within its size limit, and the first command loads the rest, each file once', async () => {
  const sizes = new Map<string, number>()
  const again: string[] = []
  const count = async (response: Response) => {
    const name = new URL(response.url()).pathname
    // A browser requests the icon again if the address changes before it has loaded.
    if (sizes.has(name) && name !== '/favicon.svg') again.push(name)
    sizes.set(name, 0)
    sizes.set(name, (await compressed(await response.body())).length)
  }
  const { page } = await openPage({ path: '/', prepare: (fresh) => fresh.on('response', count) })
  await page.waitForLoadState('networkidle')
  await page.waitForSelector('#composer')
  await expect.poll(() => [...sizes.values()].includes(0)).toBe(false)
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  console.log(`first load: ${(total / 1024).toFixed(1)} KB brotli in ${sizes.size} files`)
  expect(total).toBeGreaterThan(50 * 1024)
  expect(total).toBeLessThan(LIMIT)

  const names = () => [...sizes.keys()].join(' ')
  expect(names()).not.toMatch(/files_bg|search_bg|transcripts|prose|tool-body|llama/)
  await page.fill('#composer', 'read src/app.ts')
  await page.press('#composer', 'Enter')
  await page.waitForSelector('.row-text')
  await expect.poll(names).toMatch(/files_bg.*search_bg|search_bg.*files_bg/)
  page.removeAllListeners('response')
  await expect.poll(() => [...sizes.values()].includes(0)).toBe(false)
  // Inlined bytes would be a second copy of the wasm file.
  const scripts = [...sizes].filter(([name]) => name.endsWith('.js'))
  expect(Math.max(...scripts.map(([, size]) => size))).toBeLessThan(60 * 1024)
  expect(again).toEqual([])
})
