import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchChromium } from '../chromium.js'
import { serve } from './serve.js'

const DIST = fileURLToPath(new URL('../../www/dist', import.meta.url))

export interface OpenOptions {
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  path?: string
  /** Called with the page before it loads. */
  prepare?(page: Page): void
}

export interface OpenPage {
  page: Page
  /** Console messages, uncaught errors, failed requests, and requests to other origins. */
  complaints: string[]
}

interface Host {
  open(options?: OpenOptions): Promise<OpenPage>
  close(): Promise<void>
}

/**
 * Opens pages in a browser that the tests of one file share. After each test there must be no console message, no
 * uncaught error and no request to another origin, except those that `isFine` accepts.
 */
export function pages(isFine: (complaint: string) => boolean = () => false) {
  let host: Host | undefined
  let opened: OpenPage[] = []
  beforeAll(async () => {
    host = await startHost()
  })
  afterAll(async () => {
    await host?.close()
  })
  afterEach(async () => {
    const complaints = opened.flatMap((one) => one.complaints)
    await Promise.all(opened.map((one) => one.page.close()))
    opened = []
    expect(complaints.filter((complaint) => !isFine(complaint))).toEqual([])
  })
  return async (options?: OpenOptions): Promise<OpenPage> => {
    const one = await (host as Host).open(options)
    opened.push(one)
    return one
  }
}

/** Serves the built page and starts a browser. */
async function startHost(): Promise<Host> {
  if (!existsSync(`${DIST}/index.html`)) {
    throw new Error('www/dist is missing: build the page first (npm run build)')
  }
  const server = await serve(DIST)
  const browser = await launchChromium()
  return {
    open: (options) => openPage(browser, server.origin, options ?? {}),
    async close() {
      await browser.close()
      await server.close()
    },
  }
}

async function openPage(browser: Browser, origin: string, options: OpenOptions): Promise<OpenPage> {
  const { width = 1440, height = 900, colorScheme = 'light', path = '/viewer.html' } = options
  const page = await browser.newPage({ viewport: { width, height }, colorScheme })
  const complaints: string[] = []
  page.on('console', (message) => {
    // The page's own origin adds no information; another place does.
    const { url } = message.location()
    const place = url === '' || url.startsWith(`${origin}/`) ? '' : ` (${url})`
    complaints.push(`console ${message.type()}: ${message.text()}${place}`)
  })
  page.on('pageerror', (error) => {
    complaints.push(`uncaught: ${error.message}`)
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) {
      complaints.push(`request elsewhere: ${request.url().slice(0, 200)}`)
    }
  })
  page.on('response', (response) => {
    if (!response.ok()) {
      complaints.push(`${response.status()}: ${response.url()}`)
    }
  })
  options.prepare?.(page)
  await page.goto(`${origin}${path}`)
  return { page, complaints }
}

export async function openSample(page: Page): Promise<void> {
  await page.click('#landing-sample')
  await page.waitForSelector('#viewer:not([hidden]) .message')
}

/** Drops a file on the page. */
export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const data = new DataTransfer()
      data.items.add(new File([content], fileName))
      return data
    },
    [name, text] as const,
  )
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
}

/** Returns the text of a main figure. */
export async function figure(page: Page, id: string): Promise<string> {
  return (await page.textContent(`[data-figure="${id}"]`)) ?? ''
}

/** Returns the number of a main figure: `~12,345` is 12345. */
export async function figureNumber(page: Page, id: string): Promise<number> {
  return Number((await figure(page, id)).replace(/[^\d.]/g, ''))
}
