// The packed package in pages of Vite 7 and 8, in Chromium: built, from the development server, in a worker, and inside
// a library.
import { cpSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import * as vite7 from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../chromium.js'
import { serve } from '../page/serve.js'
import { packed } from './packed.js'
import { outcomeOf, visit } from './visit.js'

interface DevServer {
  listen(): Promise<unknown>
  resolvedUrls: { local: string[] } | null
  close(): Promise<void>
}

interface Vite {
  build(options: object): Promise<unknown>
  createServer(options: object): Promise<DevServer>
}

const hosts = createRequire(new URL('packages/package.json', import.meta.url))
const VERSIONS = { 7: vite7 as Vite, 8: hosts('vite-8') as Vite }

const installed = packed()
let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

/** Returns what the package gives on a page. */
const outcomeAt = (address: string) =>
  visit(browser, address, async (page) => {
    // A development server may reload the page once it has prepared the dependencies.
    await page.waitForFunction(() => 'outcome' in globalThis)
    return outcomeOf(page)
  })

async function outcomeIn(folder: string, file: string): Promise<unknown> {
  const server = await serve(folder)
  try {
    return await outcomeAt(`${server.origin}/${file}`)
  } finally {
    await server.close()
  }
}

describe.each(Object.entries(VERSIONS))('Vite %s', (version, vite) => {
  const folderOf = (name: string) => join(installed.consumer.folder, 'bundles', `vite-${version}-${name}`)
  const common = () => ({
    root: installed.consumer.folder,
    base: './',
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
  })
  const built = async (html: string) => {
    const outDir = folderOf(html)
    const input = join(installed.consumer.folder, 'hosts', html)
    await vite.build({ ...common(), build: { outDir, target: 'es2022', rollupOptions: { input } } })
    return outcomeIn(outDir, `hosts/${html}`)
  }

  test('a built page gives the same results as Node', async () => {
    expect(await built('strict.html')).toEqual(installed.expected)
  })

  test('a worker of a built page gives the same results as Node', async () => {
    expect(await built('in-worker.html')).toEqual(installed.expected)
  })

  test.each(['strict.html', 'in-worker.html'])('the development server gives them in %s', async (html) => {
    // Vite 7 bundles dependencies for the development server without the files that they refer to.
    const optimizeDeps = version === '7' ? { exclude: ['trimtab'] } : {}
    const server = await vite.createServer({ ...common(), base: '/', server: { port: 0 }, optimizeDeps })
    await server.listen()
    try {
      const outcome = await outcomeAt(`${server.resolvedUrls?.local[0]}hosts/${html}`)
      expect(outcome).toEqual(installed.expected)
    } finally {
      await server.close()
    }
  })

  test('a library that contains the package gives them', async () => {
    const outDir = folderOf('library')
    const entry = join(installed.consumer.folder, 'hosts/page.js')
    const lib = { entry, formats: ['es'], fileName: () => 'library.js' }
    await vite.build({ ...common(), build: { outDir, target: 'es2022', lib } })
    mkdirSync(outDir, { recursive: true })
    cpSync(join(installed.consumer.folder, 'hosts/library.html'), join(outDir, 'library.html'))
    expect(await outcomeIn(outDir, 'library.html')).toEqual(installed.expected)
  })
})
