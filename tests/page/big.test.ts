import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { dropFile, pages } from './browser.js'
import { longSession } from './sessions.js'
import { isStored } from './talk.js'
import { longestTask } from './tasks.js'

/** 10,000 messages, 40 MB. */
const BIG = longSession(3333, 270)

const openPage = pages()

async function open(): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 860, path: '/' })
  await page.waitForSelector('#composer')
  return page
}

test('opening a session of 40 MB shows a percentage, and can be cancelled', async () => {
  expect(BIG.length).toBeGreaterThan(40_000_000)
  const page = await open()
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      const text = document.querySelector('.opening')?.textContent
      const percent = /(\d+)%/.exec(text ?? '')?.[1]
      if (percent !== undefined && seen.at(-1) !== percent) seen.push(percent)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await dropFile(page, 'big.json', BIG)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect.poll(() => page.locator('.opening').count()).toBe(0)
  expect(await page.locator('.transport').count()).toBe(0)
  expect(await page.locator('.notice').count()).toBe(0)

  await dropFile(page, 'big.json', BIG)
  await page.waitForSelector('.transport')
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen.map(Number))
  expect(seen.length).toBeGreaterThan(4)
  expect(seen.every((percent) => percent >= 0 && percent <= 100)).toBe(true)
  // Of 10,000 messages only those near the end are in the page.
  expect(await page.locator('.rows > *').count()).toBeLessThan(120)
  await expect.poll(() => page.locator('.row-user').last().textContent()).toContain('Request 3332')
  const made = async () =>
    Number(/Request (\d+) of 3333/.exec((await page.textContent('.transport')) ?? '')?.[1])
  await expect.poll(made, { timeout: 20_000 }).toBeGreaterThan(10)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  const stopped = await made()
  await page.waitForTimeout(700)
  expect(await made()).toBe(stopped)
  await page.getByRole('button', { name: 'Compute all', exact: true }).click()
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
}, 90_000)

test('a fork late in a long session is answered, saved and loaded without blocking the page', async () => {
  const page = await open()
  await dropFile(page, 'big.json', BIG)
  await page.waitForSelector('.transport')
  await page.locator('.transport', { hasText: 'Request 3333 of 3333' }).waitFor({ timeout: 150_000 })
  await page.locator('.stepper input').fill('3300')
  const fork = page.getByRole('button', { name: 'Fork here' })
  await fork.waitFor()
  const longest = await longestTask(page)
  await fork.click()
  await page.fill('#composer', 'list files')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.row-text:has-text("Those are the files.")', { timeout: 60_000 })
  // Reading all messages here took 340 ms at the fork, and 500 ms at the answer; collecting 40 MB of garbage takes 140.
  expect(await longest()).toBeLessThan(250)
  await isStored(page, 120_000)
  await page.reload()
  await page.waitForSelector('.row-text:has-text("Those are the files.")', { timeout: 60_000 })
}, 300_000)

test('a long thread renders only nearby entries, in order, and keeps cards open while it is scrolled', async () => {
  const page = await open()
  await dropFile(page, 'long.json', longSession(600))
  await page.waitForSelector('.row-user:has-text("Request 599")')
  const first = () => page.locator('.row-user').first().textContent()
  const scroll = (share: number) =>
    page.locator('.thread').evaluate((area, part) => {
      area.scrollTop = part * (area.scrollHeight - area.clientHeight)
    }, share)
  await scroll(0)
  await expect.poll(first).toBe('Request 0')
  await page.locator('.card summary').first().click()
  await page.locator('.card .lines').first().or(page.locator('.card .terminal').first()).waitFor()
  await scroll(0.5)
  await expect.poll(async () => Number((await first())?.replace('Request ', ''))).toBeGreaterThan(200)
  expect(await page.locator('.rows > *').count()).toBeLessThan(120)
  // Entries are consecutive.
  const order = (await page.locator('.row-user').allTextContents()).map((text) =>
    Number(text.replace('Request ', '')),
  )
  expect(order).toEqual(order.map((_, at) => (order[0] ?? 0) + at))
  await scroll(0)
  await expect.poll(first).toBe('Request 0')
  expect(await page.locator('.card').first().getAttribute('open')).not.toBeNull()
  await page.locator('.card summary').first().focus()
  await page.click('[aria-label="Scroll to the end"]')
  await page.waitForSelector('.row-user:has-text("Request 599")')
}, 60_000)

test('a scroll stays when a timer of the page renders the rows before the scroll event', async () => {
  const page = await open()
  await dropFile(page, 'long.json', longSession(600))
  await page.waitForSelector('.row-user:has-text("Request 599")')
  const tops = await page.locator('.thread').evaluate(async (area) => {
    const frames = async (count: number) => {
      for (let frame = 0; frame < count; frame++)
        await new Promise((drawn) => {
          requestAnimationFrame(drawn)
        })
    }
    const setLater = globalThis.setTimeout
    const seen: number[] = []
    for (const share of [0, 0.3, 0.6, 0.1]) {
      const late: (() => void)[] = []
      Object.assign(globalThis, { setTimeout: (callback: () => void) => late.push(callback) })
      // All rows are replaced, which leaves those out of sight to a timer.
      area.scrollTop = 0.9 * area.scrollHeight
      await frames(3)
      Object.assign(globalThis, { setTimeout: setLater })
      const target = Math.round(share * area.scrollHeight)
      area.scrollTop = target
      for (const run of late) run()
      await frames(5)
      seen.push(late.length > 0 ? area.scrollTop - target : Number.NaN)
    }
    return seen
  })
  // Rows above that are measured for the first time may move the area by a few of them.
  for (const moved of tops) expect(Math.abs(moved)).toBeLessThan(1500)
}, 60_000)

test('the slider shows an earlier request of a long session, which can be forked', async () => {
  const page = await open()
  await dropFile(page, 'long.json', longSession(600))
  const isMade = () =>
    page.locator('.transport', { hasText: 'Request 600 of 600' }).waitFor({ timeout: 20_000 })
  await isMade()
  const cost = await page.textContent('.cost')
  // Another policy decides each request again.
  await page.selectOption('#policy', 'off')
  await expect.poll(() => page.textContent('.cost')).toContain('1.00×')
  expect(cost).not.toContain('1.00×')
  await isMade()
  await page.locator('.stepper input').fill('300')
  await page.waitForSelector('.row-user:has-text("Request 299")')
  await expect.poll(() => page.locator('.row-user').last().textContent()).toBe('Request 299')
  await expect.poll(() => page.textContent('.context-sum')).toMatch(/tokens sent/)
  await page.getByRole('button', { name: 'Fork here' }).click()
  await page.waitForSelector('#composer')
  await expect.poll(() => page.locator('.row-user').last().textContent()).toBe('Request 299')
}, 60_000)
