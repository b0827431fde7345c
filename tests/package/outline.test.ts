// Grammars of the packed package: in Node, in a page built by Vite, and in a page without a bundler.
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.js'
import { serve } from '../page/serve.js'
import { type Consumer, makeConsumer } from './consumer.js'

let consumer: Consumer
let browser: Browser
let server: Awaited<ReturnType<typeof serve>>
let inNode: string
beforeAll(async () => {
  consumer = await makeConsumer()
  server = await serve(consumer.folder)
  browser = await launchChromium()
  inNode = await consumer.node('outline/print.js')
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  consumer?.remove()
})

test.each(['itself', 'bytes', 'module', 'response'])('a grammar loads from %s', async (kind) => {
  expect(await consumer.node('outline/load.js', kind)).toBe('done\n')
})

test('expand shows the requested section', () => {
  expect(inNode).toContain(
    'Lines 124-125: step_41\n 124 | def step_41(value):\n 125 |     return value + 41\n',
  )
})

/** Text of a page, and the wasm files that it requested. */
async function visit(path: string): Promise<{ text: string; wasm: string[] }> {
  const page = await browser.newPage()
  const wasm: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('.wasm')) wasm.push(request.url().replace(/^.*\//, ''))
  })
  try {
    await page.goto(`${server.origin}${path}`, { waitUntil: 'load' })
    const text = await page.evaluate(() =>
      (globalThis as unknown as { viewText(): Promise<string> }).viewText(),
    )
    return { text, wasm }
  } finally {
    await page.close()
  }
}

test('a page built by Vite shows the same text as Node and loads one grammar', async () => {
  const outDir = join(consumer.folder, 'outline-output')
  await build({
    root: join(consumer.folder, 'outline'),
    base: './',
    configFile: false,
    logLevel: 'error',
    build: { outDir, target: 'es2022' },
  })
  const { text, wasm } = await visit('/outline-output/index.html')
  expect(text).toBe(inNode)
  expect(wasm).toEqual([expect.stringMatching(/^python_bg-.*\.wasm$/)])
})

test('a page without a bundler shows the same text as Node and loads one grammar', async () => {
  const { text, wasm } = await visit('/outline/unbundled.html')
  expect(text).toBe(inNode)
  expect(wasm).toEqual(['python_bg.wasm'])
})
