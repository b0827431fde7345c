import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type OpenOptions, pages } from './browser.js'
import { tabTo } from './by-keyboard.js'
import { isIdle, isStored, say, untilDone } from './talk.js'

const openPage = pages()

async function open(options: OpenOptions = {}): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 860, path: '/', ...options })
  await page.waitForSelector('#composer')
  return page
}

/** Takes a screenshot if `TRIMTAB_PICTURES` names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.TRIMTAB_PICTURES
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

/** Returns the tokens of the last request, shown as `145` or `15.2k`. */
async function sum(page: Page): Promise<number> {
  const text = (await page.textContent('.context-sum b')) ?? ''
  return Number.parseFloat(text) * (text.endsWith('k') ? 1000 : 1)
}

describe('excluding', () => {
  test('a call removes it from later requests, also after a reload, until it is restored', async () => {
    const page = await open()
    await say(page, 'run the long log')
    await say(page, 'list files')
    const log = page
      .locator('.card', { hasText: 'run the long log' })
      .or(page.locator('.card', { hasText: 'shell' }))
      .first()
    const before = await sum(page)
    await log.locator('summary').click()
    await expect.poll(() => log.textContent()).toMatch(/~[\d.]+k tokens less with its call/)
    await log.getByRole('button', { name: 'Exclude' }).click()
    await log.getByText('Out of every request from the next one on').waitFor()
    await say(page, 'list files')
    await expect.poll(() => sum(page)).toBeLessThan(before)
    // As the cache is rewritten anyway, the policy may clear other results along with it, in a row of their own.
    const row = page.getByRole('region', { name: /^Excluded before request/ })
    await row.getByText('1 call taken out').waitFor()
    expect(await row.textContent()).not.toContain('shortened')
    await expect.poll(() => log.locator('.stub').textContent()).toContain('the policy excludes it')
    await picture(page, 'excluded-1280')

    await isStored(page)
    await page.reload()
    await page.waitForSelector('.card')
    await expect.poll(() => log.locator('.call-mark').textContent()).toContain('excluded')
    const without = await sum(page)
    await log.locator('summary').click()
    await log.getByRole('button', { name: 'Restore' }).click()
    await log.getByRole('button', { name: 'Exclude' }).waitFor()
    await say(page, 'list files')
    await expect.poll(() => log.textContent()).not.toContain('the policy excludes it')
    await expect.poll(() => sum(page)).toBeGreaterThan(without)
  }, 60_000)
})

test('a pause of trimming can be ended, also after a call was excluded', async () => {
  const page = await open()
  await untilDone(page, () => page.click('text=Fix the failing tests'))
  const trim = page.locator('.trim').last()
  await trim.getByText('Undo…').click()
  await trim.getByText('Undo the trim').click()
  await trim.getByText('Trimming is paused').waitFor()
  await page.selectOption('#policy', 'rolling')
  await say(page, 'list files')
  await trim.getByText('Trimming is paused').waitFor()
  const card = page.locator('.card', { hasText: 'list_files' }).last()
  await card.locator('summary').click()
  await card.getByRole('button', { name: 'Exclude' }).click()
  await say(page, 'read package.json')
  const excluded = page.getByRole('region', { name: /^Excluded before request/ })
  await excluded.getByRole('button', { name: 'Resume trimming' }).click()
  await expect.poll(() => page.getByText('Trimming is paused').count()).toBe(0)
}, 60_000)

describe('approval', () => {
  test('a write can be denied with a reason, allowed once, or allowed for the chat', async () => {
    const page = await open()
    await page.getByLabel('Ask before changing files').check()
    const ask = async (text: string) => {
      await page.fill('#composer', text)
      await page.press('#composer', 'Enter')
      await page.getByRole('region', { name: 'Approval' }).waitFor()
    }
    await say(page, 'list files')
    await ask('write notes.md: one')
    await picture(page, 'approval-1280')
    await expect.poll(() => page.textContent('.approval')).toContain('write_file wants to change notes.md.')
    await expect.poll(() => page.locator('.card').last().textContent()).toContain('waits for your approval')
    await page.getByRole('button', { name: 'Deny…' }).click()
    await page.fill('[aria-label="Reason"]', 'put it into docs')
    await page.keyboard.press('Enter')
    await isIdle(page)
    await expect
      .poll(() => page.textContent('.rows'))
      .toContain('the user did not allow this call: put it into docs')

    await ask('write notes.md: one')
    await tabTo(page, page.getByRole('button', { name: 'Allow', exact: true }))
    await page.keyboard.press('Enter')
    await isIdle(page)
    await ask('append two to notes.md')
    await page.getByRole('button', { name: 'Allow all in this chat' }).click()
    await isIdle(page)
    await say(page, 'append three to notes.md')
    await say(page, 'read notes.md')
    await page.locator('.card', { hasText: 'read_file' }).locator('summary').click()
    await expect.poll(() => page.locator('.card-body .lines').last().textContent()).toContain('three')
  }, 60_000)

  test('stopping the agent closes an open request for approval', async () => {
    const page = await open({ width: 390, height: 780 })
    await page.getByLabel('Ask before changing files').check()
    await page.fill('#composer', 'write notes.md: one')
    await page.press('#composer', 'Enter')
    await page.getByRole('region', { name: 'Approval' }).waitFor()
    await picture(page, 'approval-390')
    await page.click('[aria-label="Stop"]')
    await isIdle(page)
    await expect.poll(() => page.getByRole('region', { name: 'Approval' }).count()).toBe(0)
    await expect.poll(() => page.textContent('.rows')).toContain('Stopped')
  })
})

describe('earlier requests', () => {
  test('can be viewed one by one, and forked', async () => {
    const page = await open()
    await untilDone(page, () => page.click('text=Fix the failing tests'))
    const rows = await page.locator('.row').count()
    await page.locator('.context [aria-label="Previous request"]').click()
    await page.locator('.context [aria-label="Previous request"]').click()
    await page.getByRole('button', { name: 'Fork here' }).waitFor()
    await expect.poll(() => page.locator('.row').count()).toBeLessThan(rows)
    await picture(page, 'past-1280')
    await page.getByRole('button', { name: 'Back to latest' }).click()
    await expect.poll(() => page.locator('.row').count()).toBe(rows)

    await page.locator('.context .stepper input').fill('2')
    await page.getByRole('button', { name: 'Fork here' }).click()
    await expect.poll(() => page.textContent('.chat-title')).toBe('Fork of Fix the failing tests')
    await untilDone(page, () => page.getByRole('button', { name: 'Continue' }).click())
    await expect.poll(() => page.locator('.row-text').count()).toBeGreaterThan(0)
    await page.waitForFunction(() => document.querySelectorAll('.session-button').length === 2)
  }, 60_000)

  test('follow the slider: the first move at once, the last one with the next frame', async () => {
    const page = await open()
    await page.click('text=Play the sample session')
    await page.selectOption('.speed select', '64')
    await page.waitForSelector('[aria-label="Play again"]')
    const shown = await page.evaluate(async () => {
      const slider = document.querySelector<HTMLInputElement>('.context .stepper input')
      if (slider === null) return []
      const label = () => slider.closest('label')?.textContent?.trim()
      const move = (request: number) => {
        slider.value = String(request)
        slider.dispatchEvent(new Event('input', { bubbles: true }))
      }
      const frame = () => new Promise(requestAnimationFrame)
      // A frame runs what was asked for before it in order, so this one ends after the page's own.
      await frame()
      move(9)
      await Promise.resolve()
      const atOnce = label()
      move(7)
      move(5)
      await Promise.resolve()
      const later = label()
      await frame()
      await Promise.resolve()
      return [atOnce, later, label()]
    })
    expect(shown.map((text) => text?.split(' of ')[0])).toEqual(['Request 9', 'Request 9', 'Request 5'])
  })

  test('of a recorded session can be forked at 390 px, and the fork sends the same tokens', async () => {
    const page = await open({ width: 390, height: 780 })
    await page.click('text=Play the sample session')
    await page.selectOption('.speed select', '64')
    await page.waitForSelector('[aria-label="Play again"]')
    await page.click('.ring')
    const whole = await sum(page)
    await page.locator('.context .stepper input').fill('9')
    await page.getByText('Request 9 of').first().waitFor()
    await expect.poll(() => sum(page)).not.toBe(whole)
    const sent = await sum(page)
    await page.click('[aria-label="Close context"]')
    await page.getByRole('button', { name: 'Fork here' }).waitFor()
    await picture(page, 'past-390')
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBe(0)
    await page.getByRole('button', { name: 'Fork here' }).click()
    await untilDone(page, () => page.getByRole('button', { name: 'Continue' }).click())
    // Decisions made later in the session are not sent here.
    await page.click('.ring')
    await page.locator('.context .stepper input').fill('9')
    await expect.poll(() => sum(page)).toBe(sent)
    await page.click('[aria-label="Close context"]')
    const back = page.getByRole('button', { name: 'Back to latest' })
    if (await back.isVisible()) await back.click()
    await say(page, 'list files')
    await expect.poll(() => page.textContent('.rows')).toContain('Those are the files.')
  }, 60_000)
})

test('lost evidence links to its original and to where it was needed', async () => {
  const page = await open()
  await page.click('text=Play the sample session')
  await page.selectOption('.speed select', '64')
  await page.waitForSelector('[aria-label="Play again"]')
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  const rolling = page.locator('tr[data-policy="rolling"]')
  await rolling.waitFor()
  await rolling.click()
  const lost = page.getByRole('region', { name: 'Evidence lost' })
  await lost.waitFor()
  const first = lost.locator('li').first()
  await first.getByRole('button', { name: 'Show the original' }).click()
  await page.waitForSelector('.is-found')
  await picture(page, 'lost-1280')
  const stood = await page.locator('.is-found').textContent()
  await first.getByRole('button', { name: 'Show where it was needed' }).click()
  await expect.poll(async () => (await page.locator('.is-found').last().textContent()) !== stood).toBe(true)
}, 60_000)
