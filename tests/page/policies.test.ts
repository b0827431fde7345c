import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { rollingContext } from 'trimtab'
import type { Simulation } from 'trimtab/money'
import { expect, test } from 'vitest'
import { dropFile, pages } from './browser.js'
import { longSession } from './sessions.js'

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const openPage = pages()

async function open(width = 1280): Promise<Page> {
  const { page } = await openPage({ width, height: 900, path: '/' })
  await page.waitForSelector('#composer')
  return page
}

async function playSample(page: Page): Promise<void> {
  await page.click('text=Play the sample session')
  await page.selectOption('.speed select', '64')
  await page.waitForSelector('[aria-label="Play again"]')
}

async function compare(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.waitForSelector('[data-reason]')
  await page.waitForSelector('.comparison progress', { state: 'detached' })
}

/** Returns the displayed figures of a row: cost, kept, peak, regret. */
async function row(page: Page, policy: string) {
  const cells = page.locator(`.policy-table tr[data-policy="${policy}"] td`)
  const [cost, kept, peak, regret] = await cells.allTextContents()
  const exact = await cells.nth(2).getAttribute('title')
  return { cost, kept, peak, regret, tokens: Number(exact?.replace(/\D/g, '')) }
}

const copy = async (page: Page, kind: string): Promise<string> => {
  await page.getByRole('button', { name: kind, exact: true }).click()
  await page.locator('.copies [role="status"]', { hasText: `Copied as ${kind}` }).waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Runs a command as pasted by a user; `npx trimtab` runs the built package. */
function shell(command: string, folder: string): Simulation {
  const script = `npx() { shift; "${process.execPath}" "${root('js/dist/cli/main.js')}" "$@" --json; }\n${command}`
  return JSON.parse(execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' })) as Simulation
}

test('each row of the policy table equals the output of the copied command, to the token', async () => {
  const page = await open()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await playSample(page)
  await compare(page)
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-policies-'))
  try {
    copyFileSync(root('examples/session.jsonl'), join(folder, 'Sample session'))
    for (const policy of ['cache-aware', 'clear', 'smart', 'rolling']) {
      await page.click(`[data-policy="${policy}"] button`)
      const [simulated, everything] = shell(await copy(page, 'Command line'), folder).policies
      if (simulated === undefined || everything === undefined) throw new Error('two policies were asked for')
      const { edits, files, failures } = simulated.evidence
      expect(await row(page, policy)).toMatchObject({
        cost: simulated.relativeCost.toFixed(2),
        kept: `${edits.kept + files.kept + failures.kept}/${edits.of + files.of + failures.of}`,
        tokens: simulated.peakTokens,
        regret: simulated.regret?.toFixed(2),
      })
      expect((await row(page, 'off')).tokens).toBe(everything.peakTokens)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 60_000)

test('a policy in the table can be previewed, copied and applied', async () => {
  const page = await open()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await playSample(page)
  await compare(page)
  expect(await page.locator('.mark-cheapest').count()).toBe(1)
  await page.click('[data-policy="rolling"] button')
  await expect.poll(() => page.locator('[data-next]').textContent()).toMatch(/next request sends ~[\d.]+k of/)
  expect(await page.locator('.growth-preview').count()).toBe(1)
  const json = await copy(page, 'JSON')
  expect(JSON.parse(json)).toEqual(rollingContext())
  expect(await copy(page, 'TypeScript')).toContain(`const policy: Policy = ${json}`)
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await expect.poll(() => page.inputValue('#policy')).toBe('rolling')
  // The preview disappears from the chart when it is closed.
  await page.click('[data-policy="rolling"] button')
  await expect.poll(() => page.locator('.growth-preview').count()).toBe(0)
})

test('the costs in the table follow the chosen prices, and are in dollars if a price is entered', async () => {
  const page = await open()
  await playSample(page)
  await compare(page)
  const before = (await row(page, 'cache-aware')).cost
  await page.selectOption('.price-choice select', 'deepseek')
  await expect.poll(async () => (await row(page, 'cache-aware')).cost).not.toBe(before)
  await page.waitForSelector('[data-reason]')
  await page.fill('.price-choice input', '3')
  await expect.poll(() => page.textContent('[data-policy="off"] small')).toMatch(/^\$\d\.\d+$/)
})

test('the policy table fills row by row, and the comparison can be cancelled', async () => {
  const page = await open()
  await dropFile(page, 'long.json', longSession(1500))
  await page.waitForSelector('.comparison')
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.waitForSelector('.policy-table tbody tr')
  const rows = () => page.locator('.policy-table tbody tr').count()
  expect(await rows()).toBeLessThan(5)
  expect(await page.locator('.comparison progress').count()).toBe(1)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  const known = await rows()
  await page.waitForTimeout(1500)
  expect(await rows()).toBe(known)
  expect(await page.locator('.comparison progress').count()).toBe(0)
  await page.getByRole('button', { name: 'Compare again' }).click()
  await page.locator('.comparison progress').waitFor()
}, 60_000)

test('chosen prices apply above the chat, in its panel and in the policy table', async () => {
  const page = await open()
  await playSample(page)
  const before = await page.textContent('.cost')
  await page.getByLabel('Prices of').selectOption('deepseek')
  await compare(page)
  const { cost } = await row(page, 'cache-aware')
  await expect.poll(() => page.textContent('.cost')).toBe(`${cost}× cost`)
  await expect.poll(() => page.textContent('.figures-small')).toContain(`${cost}×`)
  expect(await page.textContent('.cost')).not.toBe(before)
})
