import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { dropFile, pages } from './browser.js'
import { say } from './talk.js'

const openPage = pages()

/** Takes a screenshot if `TRIMTAB_PICTURES` names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.TRIMTAB_PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` })
}

/** Returns a prompt, consecutive calls, and an answer; the last call failed. */
function session(paths: readonly string[]): string {
  const calls = paths.flatMap((path, at) => [
    {
      type: 'function_call',
      call_id: `c${at}`,
      name: at % 3 === 2 ? 'shell' : 'read_file',
      arguments: JSON.stringify(at % 3 === 2 ? { command: `ls ${path}` } : { path }),
    },
    { type: 'function_call_output', call_id: `c${at}`, output: `${path} has this line\n`.repeat(40) },
  ])
  return JSON.stringify([
    { role: 'user', content: 'Look around.' },
    ...calls,
    { role: 'assistant', content: [{ type: 'output_text', text: 'That is all.' }] },
  ])
}

test.each([390, 2560])('consecutive calls are one row that expands in place, at %i px', async (width) => {
  const { page } = await openPage({ width, height: 800, path: '/#policy=off' })
  await page.waitForSelector('#composer')
  await dropFile(
    page,
    'calls.json',
    session(['src/a.ts', 'src/b.ts', 'src', 'src/a/rather/long/path/of/a/file.ts', 'src/d.ts']),
  )
  const group = page.locator('.group-head')
  await group.waitFor()
  await expect.poll(() => group.textContent()).toMatch(/^5 callsread_file 4, shell 1~[\d.]+k$/)
  expect(await page.locator('.card').count()).toBe(0)
  await picture(page, `group-${width}`)
  await group.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('.card').count()).toBe(5)
  // The focus stays on the group, and Tab moves it to the first call.
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('group-head')
  // A card at the end of the thread expands in place.
  const top = () => group.evaluate((one) => Math.round(one.getBoundingClientRect().top))
  const before = await top()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('.card-body').textContent()).toContain('src/a.ts has this line')
  await picture(page, `group-open-${width}`)
  expect(await top()).toBe(before)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await group.click()
  await expect.poll(() => page.locator('.card').count()).toBe(0)
})

test('calls are shown one by one while they run, and a reload restores a scroll position within a group', async () => {
  const { page } = await openPage({ width: 1280, height: 500, path: '/' })
  await page.waitForSelector('#composer')
  // An observer, as polling can miss a short state on a busy machine.
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('.group-head[aria-expanded="true"]'))
        Reflect.set(globalThis, 'wasOpen', true)
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  await page.fill('#composer', 'Fix the failing tests')
  await page.press('#composer', 'Enter')
  await page.waitForFunction(() => Reflect.get(globalThis, 'wasOpen') === true)
  await page.waitForFunction(() => document.querySelector('.working') === null)
  const group = page.locator('.group-head').first()
  await expect.poll(() => group.getAttribute('aria-expanded')).toBe('false')
  await say(page, 'read src/zone.ts')
  await group.click()
  const card = page.locator('.card[data-grouped="true"]').first()
  await card.evaluate((one) => {
    // Scrolling releases the position that is held after expanding.
    one.dispatchEvent(new WheelEvent('wheel', { bubbles: true }))
    one.scrollIntoView({ block: 'start' })
  })
  // The group's position may be written to the address first.
  await page.waitForFunction(() => /&at=\d/.test(location.hash))
  await page.waitForTimeout(400)
  await page.reload()
  await card.waitFor()
  await expect.poll(() => card.evaluate((one) => one.getBoundingClientRect().top)).toBeLessThan(200)
}, 60_000)
