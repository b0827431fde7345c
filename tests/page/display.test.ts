import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pages } from './browser.js'
import { say } from './talk.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const openPage = pages()

/** Shows a trimmed history with the context panel open, the policies compared and one previewed. */
async function everything(page: Page): Promise<void> {
  await page.waitForSelector('#composer')
  await page.click('text=Play the sample session')
  await page.selectOption('.speed select', '64')
  await page.waitForSelector('[aria-label="Play again"]')
  if (await page.locator('.sheet-context').isHidden()) await page.click('.ring')
  else if ((page.viewportSize()?.width ?? 0) < 700) await page.click('.ring')
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.waitForSelector('[data-reason]')
  await page.waitForSelector('.comparison progress', { state: 'detached' })
  await page.click('[data-policy="rolling"] button')
  await page.waitForSelector('[data-next]')
}

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run()
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 80)).join(' | ')}`,
    )
  })
}

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

// 320 px is a window of 1280 px at a zoom of 400 %.
test.each([320, 360, 1280, 2560])(
  'at %i px nothing is cut off, and axe finds no faults',
  async (width) => {
    const { page } = await openPage({ width, height: width === 320 ? 256 : 800, path: '/' })
    await everything(page)
    expect(await isTooWide(page)).toBe(false)
    const cells = await page
      .locator('.policy-table')
      .evaluate((table) => table.scrollWidth > (table.parentElement?.clientWidth ?? 0))
    expect(cells).toBe(false)
    expect(await faults(page)).toEqual([])
  },
  120_000,
)

test('at 360 px a card that waits for approval shows the name of its file', async () => {
  const { page } = await openPage({ width: 360, height: 740, path: '/' })
  await page.waitForSelector('#composer')
  await page.getByLabel('Ask before changing files').check()
  await page.fill('#composer', 'write notes.md: kept')
  await page.press('#composer', 'Enter')
  await page.getByRole('region', { name: 'Approval' }).waitFor()
  const place = page.locator('.card-place', { hasText: 'notes.md' })
  const hidden = await place.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(hidden).toBeLessThanOrEqual(0)
  expect(await isTooWide(page)).toBe(false)
})

test('at a zoom of 400 % a first visit begins with its heading', async () => {
  const { page } = await openPage({ width: 320, height: 200, path: '/' })
  const heading = page.getByRole('heading', { name: 'See what the model sees.' })
  await heading.waitFor()
  await page.waitForTimeout(300)
  const thread = await page.locator('.thread').boundingBox()
  expect((await heading.boundingBox())?.y).toBeGreaterThanOrEqual(thread?.y ?? Number.POSITIVE_INFINITY)
})

test.each(['light', 'dark'] as const)(
  'with forced colours in the %s theme, selection, focus and the colours of bars are visible',
  async (colorScheme) => {
    const { page } = await openPage({ width: 1280, height: 900, path: '/', colorScheme })
    await page.emulateMedia({ forcedColors: 'active', colorScheme })
    await everything(page)
    expect(await faults(page)).toEqual([])
    const focused = page.locator('[data-policy="smart"] button')
    await focused.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    expect(await focused.evaluate((one) => getComputedStyle(one).outlineStyle)).not.toBe('none')
    // Bars and swatches carry meaning by colour and must keep it.
    const fills = await page
      .locator('.bar-part')
      .evaluateAll((parts) => new Set(parts.map((part) => getComputedStyle(part).fill)).size)
    expect(fills).toBeGreaterThan(3)
    const outline = (policy: string) =>
      page.locator(`[data-policy="${policy}"]`).evaluate((row) => getComputedStyle(row).outlineStyle)
    expect(await outline('rolling')).toBe('solid')
    expect(await outline('off')).toBe('none')
  },
  120_000,
)

test('a window of 1280 by 800 px at a zoom of 400 % shows the thread, not only the composer', async () => {
  const { page } = await openPage({ width: 320, height: 200, path: '/' })
  await page.waitForSelector('#composer')
  await say(page, 'list files')
  const { height } = (await page.locator('.thread').boundingBox()) ?? { height: 0 }
  // Before the composer was one line, it was 30 px.
  expect(height).toBeGreaterThan(70)
  expect(await isTooWide(page)).toBe(false)
})

test('while the agent works, disabled buttons of a message are invisible', async () => {
  const { page } = await openPage({ width: 1280, height: 800, path: '/' })
  await page.waitForSelector('#composer')
  await say(page, 'list files')
  await page.getByLabel('Ask before changing files').check()
  await page.fill('#composer', 'write notes.md: kept')
  await page.press('#composer', 'Enter')
  await page.getByRole('region', { name: 'Approval' }).waitFor()
  await page.mouse.move(0, 0)
  const again = page.getByRole('button', { name: 'Answer again' }).first()
  expect(await again.isDisabled()).toBe(true)
  await expect.poll(() => again.evaluate((one) => getComputedStyle(one).opacity)).toBe('0')
})

test('the buttons of an answer that ends a turn are below it, not over its text', async () => {
  const { page } = await openPage({ width: 1280, height: 800, path: '/' })
  await page.waitForSelector('#composer')
  await say(page, 'list files')
  const answer = page.locator('.row-text').last()
  await answer.hover()
  const bottom = await answer.locator('.prose').evaluate((prose) => prose.getBoundingClientRect().bottom)
  const top = await answer.locator('.row-actions').evaluate((row) => row.getBoundingClientRect().top)
  expect(top).toBeGreaterThanOrEqual(bottom)
})
