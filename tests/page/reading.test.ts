import { mkdirSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../chat/model-server.js'
import { pages } from './browser.js'
import { say } from './talk.js'

let server: ModelServer

beforeEach(async () => {
  server = await startModelServer()
})
afterEach(async () => {
  expect(server.faults()).toEqual([])
  await server.close()
})

// The browser logs a message about the endpoint's refusals. Registered here, so that its hooks run before the server is
// closed.
const openPage = pages((complaint) => complaint.includes(server.origin))

async function open(width: number): Promise<{ page: Page; asked: string[] }> {
  const asked: string[] = []
  const prepare = (page: Page) => void page.on('request', (request) => asked.push(request.url()))
  const { page } = await openPage({ width, height: 860, path: '/', prepare })
  await page.waitForSelector('#composer')
  return { page, asked }
}

/** Reads a file and returns its card, opened. */
async function readCard(page: Page, path: string): Promise<Locator> {
  await say(page, `read ${path}`)
  const card = page.locator('.card', { hasText: path }).first()
  await card.locator('summary').first().click()
  await card.locator('.lines .line').first().waitFor()
  return card
}

const choose = (card: Locator, mode: string) => card.getByRole('button', { name: mode, exact: true }).click()

/** Takes a screenshot if `TRIMTAB_PICTURES` names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.TRIMTAB_PICTURES
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

describe.each([390, 1280])('a file card at %i px', (width) => {
  test('shows the structure of a read file, expands its sections in place, and returns to the full text', async () => {
    const { page, asked } = await open(width)
    const card = await readCard(page, 'src/tides.ts')
    const grammars = () => asked.filter((url) => url.includes('/grammars/'))
    expect(grammars()).toEqual([])
    const whole = await card.locator('.lines .line').allTextContents()

    await choose(card, 'Structure')
    await card.locator('.unfold').first().waitFor()
    expect(grammars().map((url) => /grammars\/(\w+)_bg/.exec(url)?.[1])).toEqual(['typescript'])
    // The worker loads the grammar: a large file takes some hundred milliseconds and must not block the page.
    const fetched = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    )
    expect(fetched.length).toBeGreaterThan(5)
    expect(fetched.filter((name) => name.includes('/grammars/'))).toEqual([])
    const shown = await card.locator('.lines .line').count()
    expect(shown).toBeLessThan(whole.filter((line) => line.trim() !== '').length)
    await picture(page, `structure-${width}`)
    const named = card.locator('.unfold', { hasText: / of \w/ })
    expect(await named.count()).toBeGreaterThan(0)

    const folds = await card.locator('.unfold').count()
    const first = card.locator('.unfold').first()
    await first.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => card.locator('.unfold').count()).toBe(folds - 1)
    expect(await card.locator('.lines .line').count()).toBeGreaterThan(shown)
    await picture(page, `unfolded-${width}`)
    for (let left = folds - 1; left > 0; left--) {
      await card.locator('.unfold').first().click()
      await expect.poll(() => card.locator('.unfold').count()).toBe(left - 1)
    }
    const numbered = await card
      .locator('.lines .line')
      .evaluateAll((lines) => lines.map((line) => Number(line.getAttribute('data-number'))))
    expect(numbered).toEqual(numbered.map((_, at) => at + 1))
    expect(numbered.length).toBeGreaterThan(shown)

    await choose(card, 'Full')
    await expect.poll(() => card.locator('.lines .line').allTextContents()).toEqual(whole)
    await choose(card, 'Curated')
    await card.getByText('by its outline and what was said before').waitFor()
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBe(0)
  }, 90_000)
})

test('the curated view streams what the model writes, can be cancelled, and shows the reason if the model fails', async () => {
  const { page } = await open(1280)
  await page.click('.model-button')
  await page.getByRole('button', { name: 'OpenAI-compatible', exact: true }).click()
  await page.fill('[name="address"]', `${server.origin}/v1`)
  await page.fill('[name="model"]', 'small-1')
  await page.fill('[name="key"]', 'sk-1')
  server.next(
    {
      kind: 'answers',
      said: { calls: [{ name: 'read_file', arguments: { file_paths: ['src/tides.ts'] } }] },
    },
    { kind: 'answers', said: { text: 'Read.' } },
    { kind: 'answers', said: { reasoning: 'Which lines? '.repeat(300), text: 'none' }, pause: 40 },
  )
  await page.click('text=Use this model')
  await page.waitForFunction(() => document.querySelector('dialog[open]') === null)
  const card = await readCard(page, 'src/tides.ts')

  await choose(card, 'Curated')
  await card.getByText(/The model chooses lines · [\d,]+ characters/).waitFor()
  await card.locator('.read-waits pre', { hasText: 'Which lines?' }).waitFor()
  await picture(page, 'curating-1280')
  await card.getByRole('button', { name: 'Cancel' }).click()
  await card.locator('.lines .line').first().waitFor()
  await expect
    .poll(() => card.getByRole('button', { name: 'Full', exact: true }).getAttribute('aria-pressed'))
    .toBe('true')
  await expect.poll(() => server.received.at(-1)?.isAborted).toBe(true)

  const choice = {
    line_ranges: [{ start: 2, end: 5, reason: 'The beginning' }],
    summary: 'The beginning is shown.',
    preserved_percentage: 10,
  }
  server.next({
    kind: 'answers',
    said: { reasoning: 'The beginning will do.', text: JSON.stringify(choice) },
  })
  await choose(card, 'Curated')
  await card.getByText('The beginning is shown.').waitFor()
  const shown = card.locator('.lines .line')
  expect(await shown.evaluateAll((lines) => lines.map((line) => line.getAttribute('data-number')))).toEqual([
    '2',
    '3',
    '4',
    '5',
  ])
  await card.getByText('What the model thought').click()
  await card.getByText('The beginning will do.').waitFor()
  await picture(page, 'curated-1280')

  server.next({ kind: 'refuses', status: 500, message: 'out of order' })
  await choose(card, 'Curated')
  await card.getByText(/all of it, as .*out of order/).waitFor()
}, 90_000)
