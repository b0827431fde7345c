import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../chromium.js'
import { serve } from './serve.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let folder: string
let server: { origin: string; close(): Promise<void> }
let browser: Browser

/** Sets up the examples as in an application: the plain page beside node_modules, and the React app built. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-panel-'))
  cpSync(join(ROOT, 'examples/panel'), folder, { recursive: true })
  cpSync(join(ROOT, 'js/dist'), join(folder, 'node_modules/trimtab/js/dist'), { recursive: true })
  cpSync(join(ROOT, 'pkg'), join(folder, 'node_modules/trimtab/pkg'), { recursive: true })
  await build({
    root: join(ROOT, 'examples/panel'),
    base: './',
    configFile: false,
    logLevel: 'silent',
    esbuild: { jsx: 'automatic' },
    build: {
      outDir: join(folder, 'built'),
      rollupOptions: { input: join(ROOT, 'examples/panel/react.html') },
    },
  })
  server = await serve(folder)
  browser = await launchChromium()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
  rmSync(folder, { recursive: true })
})

async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage({ viewport: { width: 390, height: 900 }, ...options })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${server.origin}/${path}`)
  await page.waitForSelector('#ask')
  return { page, complaints: () => complaints.filter((text) => !text.includes('404')) }
}

const panel = (page: Page) => page.locator('trimtab-context .panel')

async function ask(page: Page, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await page.click('#ask')
}

describe.each(['plain.html', 'built/react.html'])('the panel in %s', (path) => {
  test('shows the size of each request, its growth, and blocks with their stubs', async () => {
    const { page, complaints } = await open(path)
    await expect.poll(() => panel(page).textContent()).toContain('Nothing was sent yet')
    await ask(page, 5)
    await expect.poll(() => panel(page).textContent()).toContain('request 1 to 5')
    await expect.poll(() => panel(page).textContent()).toMatch(/[\d.]+k of 32k tokens sent/)
    const sizes = await panel(page)
      .locator('.bar svg')
      .evaluateAll((bars) => bars.map((bar) => bar.ariaLabel))
    const [full, sent] = sizes.map((text) => Number.parseFloat(/[\d.]+/.exec(text ?? '')?.[0] ?? ''))
    expect(sent).toBeLessThan((full ?? 0) * 0.8)
    const edited = panel(page).locator('details[data-edited="true"]').first()
    await edited.locator('summary').click()
    await expect.poll(() => edited.textContent()).toContain('The model sees')
    await expect.poll(() => edited.locator('pre').last().textContent()).toContain('warning: unused variable')
    // An open block stays open and keeps the focus.
    await edited.locator('summary').focus()
    await page.evaluate(() => document.querySelector<HTMLElement>('#ask')?.click())
    await expect.poll(() => panel(page).textContent()).toContain('request 1 to 6')
    expect(await panel(page).locator('details[open]').count()).toBe(1)
    const focus = () =>
      page.evaluate(
        () => document.activeElement?.shadowRoot?.activeElement?.getAttribute('data-focus') ?? null,
      )
    expect(await focus()).not.toBeNull()
    expect(complaints()).toEqual([])
    await page.close()
  })

  test.each(['light', 'dark'] as const)(
    'has no accessibility faults in the %s theme (axe)',
    async (colorScheme) => {
      const { page } = await open(path, { colorScheme })
      await ask(page, 5)
      await panel(page).locator('summary').first().click()
      await page.evaluate(AXE)
      const faults = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as {
          axe: { run(within: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
        }
        return (await axe.run('trimtab-context')).violations.map(({ id, nodes }) => [
          id,
          ...nodes.map(({ html }) => html),
        ])
      })
      expect(faults).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      expect(wide).toBe(false)
      await page.close()
    },
  )
})

test('the panel shows a report from JSON once if it is set twice, and never renders names as markup', async () => {
  const { page } = await open('plain.html')
  await page.evaluate(async () => {
    const name = '<img src=x onerror="window.pwned=1">'
    const edit = { message: 1, block: 0, pass: 'clear', isPointer: false, reason: name, tool: name }
    const report = {
      tokensBefore: 5000,
      tokensAfter: 2000,
      cache: null,
      edits: [{ ...edit, tokensBefore: 3010, tokensAfter: 10, text: name }],
    }
    const element = document.createElement('trimtab-context')
    // biome-ignore lint/suspicious/noExplicitAny: the page's own type is not known here
    const panel = element as any
    panel.report = report
    panel.report = report
    document.body.append(element)
  })
  const own = panel(page).last()
  await expect.poll(() => own.textContent()).toContain('2k tokens sent')
  expect(await own.textContent()).not.toContain('request 1 to')
  await own.locator('summary').click()
  await expect.poll(() => own.locator('.stub').textContent()).toContain('<img')
  expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false)
  await page.close()
})

test('the panel uses properties set before it is defined, and works under a strict content security policy', async () => {
  const strict = `<!doctype html><html lang="en"><meta charset="utf-8"><title>x</title>
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'">
    <button id="ask">x</button><trimtab-context></trimtab-context><script type="module" src="./strict.js"></script>`
  writeFileSync(join(folder, 'strict.html'), strict)
  writeFileSync(
    join(folder, 'strict.js'),
    `import { Context } from './node_modules/trimtab/js/dist/entries/trimtab.js'
     import { definePanel } from './node_modules/trimtab/js/dist/entries/panel.js'
     const context = new Context({})
     context.project([{ role: 'user', content: 'hello' }])
     const element = document.querySelector('trimtab-context')
     element.context = context
     element.window = 1000
     definePanel()
     definePanel()`,
  )
  const { page, complaints } = await open('strict.html')
  await expect.poll(() => panel(page).textContent()).toMatch(/of 1k tokens sent/)
  expect(await panel(page).evaluate((one) => getComputedStyle(one).display)).toBe('grid')
  expect(complaints()).toEqual([])
  await page.close()
})
