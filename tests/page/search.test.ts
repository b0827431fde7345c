import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { dropFile, type OpenOptions, pages } from './browser.js'
import { say } from './talk.js'

const openPage = pages()

async function open(options: OpenOptions = {}): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 860, path: '/', ...options })
  await page.waitForSelector('#composer')
  return page
}

const places = (page: Page) => page.locator('.found-place')
const marked = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map((range) => String(range)))

async function twoChats(page: Page): Promise<void> {
  await say(page, 'run cat logs/build.log')
  await say(page, 'list files')
  await page.click('text=New chat')
  await say(page, 'write notes.md: The lighthouse keeper')
  await expect.poll(() => page.locator('.session-button').count()).toBe(2)
}

test('search finds messages and tool results in all chats, and a hit opens its chat and marks the text', async () => {
  const page = await open()
  await twoChats(page)
  await page.fill('[aria-label="Search chats"]', 'LIGHTHOUSE k')
  await expect.poll(() => places(page).first().textContent()).toContain('lighthouse keeper')
  expect(await page.locator('.found-chat').allTextContents()).toEqual([
    'write notes.md: The lighthouse keeper',
  ])

  // In a result: its card is opened, as far as the place is.
  await page.fill('[aria-label="Search chats"]', 'warning')
  await expect.poll(() => page.locator('.found-chat').allTextContents()).toEqual(['run cat logs/build.log'])
  await places(page).first().click()
  await page.locator('.card[open]', { hasText: 'cat logs/build.log' }).waitFor()
  await expect.poll(() => marked(page)).toEqual([expect.stringMatching(/^warning$/i)])
  const isSeen = () =>
    page.evaluate(() => {
      const [range] = CSS.highlights.get('found') ?? []
      const { top, bottom } = (range as Range).getBoundingClientRect()
      const area = document.querySelector('.thread')?.getBoundingClientRect()
      return area !== undefined && top >= area.top && bottom <= area.bottom
    })
  await expect.poll(isSeen).toBe(true)

  await page.fill('[aria-label="Search chats"]', 'nowhere to be found')
  await expect
    .poll(() => page.locator('.found-state[role="status"]').textContent())
    .toBe('Nothing in messages.')
  await page.fill('[aria-label="Search chats"]', '')
  await expect.poll(() => page.locator('.session-button').count()).toBe(2)
  expect(await page.locator('.found-list').count()).toBe(0)
}, 60_000)

test('a hit far down in a long result is shown and marked', async () => {
  const page = await open()
  const text = `${'a line of a log\n'.repeat(20_000)}the needle is here\n${'another line\n'.repeat(500)}`
  const call = { id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } }
  const session = [
    { role: 'user', content: 'build' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: text },
    { role: 'assistant', content: 'Built.' },
    { role: 'user', content: 'thanks' },
  ]
  await dropFile(page, 'a.json', JSON.stringify(session))
  await page.waitForSelector('.stepper input')
  await page.locator('.user-line').last().hover()
  await page.getByRole('button', { name: 'Edit and branch' }).last().click()
  await page.fill('[aria-label="Edit message"]', 'list files')
  await page.getByRole('button', { name: 'Branch', exact: true }).click()
  await expect.poll(() => page.url()).toContain('chat=')
  await page.click('text=New chat')
  await say(page, 'list files')
  await expect.poll(() => page.locator('.session-button').count()).toBe(2)
  await page.fill('[aria-label="Search chats"]', 'needle')
  await places(page).first().click()
  await expect.poll(() => marked(page)).toEqual(['needle'])
}, 60_000)

test('search works by keyboard alone at 390 px', async () => {
  const page = await open({ width: 390 })
  await say(page, 'run cat logs/build.log')
  await page.getByRole('button', { name: 'Chats', exact: true }).click()
  await page.click('text=New chat')
  await say(page, 'list files')
  await page.getByRole('button', { name: 'Chats', exact: true }).click()
  await expect.poll(() => page.locator('.session-button').count()).toBe(2)
  // The sheet takes the focus once it is shown.
  await page.locator('.sheet-chats :focus').waitFor()
  await page.focus('[aria-label="Search chats"]')
  await page.keyboard.type('warning')
  await places(page).first().waitFor()
  for (
    let i = 0;
    i < 20 &&
    !(await places(page)
      .first()
      .evaluate((one) => one === document.activeElement));
    i++
  )
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => marked(page)).toHaveLength(1)
  await page.locator('.app[data-sheet="none"]').waitFor()
}, 60_000)
