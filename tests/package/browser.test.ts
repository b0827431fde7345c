// The packed package in pages built by Vite, built by esbuild, and without a bundler. Each gives the same
// bytes as Node.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.js'
import { serve } from '../page/serve.js'
import { type Consumer, makeConsumer } from './consumer.js'

interface Summary {
  digests: string[]
  edits: Record<string, number>
}

let consumer: Consumer
let browser: Browser
let server: Awaited<ReturnType<typeof serve>>
let inNode: Summary
beforeAll(async () => {
  consumer = await makeConsumer()
  server = await serve(consumer.folder)
  browser = await launchChromium()
  inNode = JSON.parse(await consumer.node('node/results.js')) as Summary
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
  consumer?.remove()
})

/** Result of a page, and all URLs that it requested. */
async function visit(path: string): Promise<{ summary: Summary; requests: string[] }> {
  const page = await browser.newPage()
  const requests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requests.push(request.url().replace(server.origin, '')))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => errors.push(message.text()))
  try {
    await page.goto(`${server.origin}${path}`, { waitUntil: 'load' })
    expect(errors).toEqual([])
    const summary = await page.evaluate(() =>
      (globalThis as unknown as { summarise(): Promise<Summary> }).summarise(),
    )
    expect(errors).toEqual([])
    return { summary, requests: requests.filter((url) => !url.startsWith('data:')) }
  } finally {
    await page.close()
  }
}

test('Node edits 200 different histories', () => {
  expect(new Set(inNode.digests).size).toBe(200)
  for (const pass of ['ephemeral', 'age', 'dedupe']) expect(inNode.edits[pass], pass).toBeGreaterThan(15)
})

test('a page built by Vite gives the same bytes as Node', async () => {
  const outDir = join(consumer.folder, 'vite-output')
  await build({
    root: join(consumer.folder, 'browser'),
    base: './',
    configFile: false,
    logLevel: 'error',
    build: { outDir, target: 'es2022' },
  })
  const { summary, requests } = await visit('/vite-output/index.html')
  expect(summary).toEqual(inNode)
  // One script holds everything, so no wasm file is served.
  expect(requests).toEqual([
    '/vite-output/index.html',
    expect.stringMatching(/^\/vite-output\/assets\/.*\.js$/),
  ])
})

/** The esbuild that comes with Vite. */
function loadEsbuild(): {
  build(options: object): Promise<{ metafile: { inputs: Record<string, unknown> } }>
} {
  const fromVite = createRequire(createRequire(import.meta.url).resolve('vite'))
  return fromVite('esbuild') as ReturnType<typeof loadEsbuild>
}

test('a page built by esbuild gives the same bytes as Node', async () => {
  const outdir = join(consumer.folder, 'esbuild-output')
  const { metafile } = await loadEsbuild().build({
    absWorkingDir: consumer.folder,
    entryPoints: ['browser/page.js'],
    bundle: true,
    minify: true,
    format: 'esm',
    // With this platform, any import of a Node module is an error.
    platform: 'browser',
    outdir,
    metafile: true,
    logLevel: 'silent',
  })
  expect(Object.keys(metafile.inputs)).toContain('node_modules/trimtab/js/dist/entries/trimtab.js')
  writeFileSync(
    join(outdir, 'index.html'),
    '<!doctype html><link rel="icon" href="data:," /><script type="module" src="./page.js"></script>\n',
  )
  const { summary, requests } = await visit('/esbuild-output/index.html')
  expect(summary).toEqual(inNode)
  expect(requests).toEqual(['/esbuild-output/index.html', '/esbuild-output/page.js'])
})

test('a page without a bundler gives the same bytes as Node', async () => {
  const { summary, requests } = await visit('/browser/unbundled.html')
  expect(summary).toEqual(inNode)
  expect(requests).toContain('/node_modules/trimtab/js/dist/entries/trimtab.js')
  expect(requests.filter((url) => !/\.(?:js|html)$/.test(url))).toEqual([])
})
