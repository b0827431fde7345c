import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { dropFile, type OpenOptions, pages } from './browser.js'
import { isStored, say, untilDone } from './talk.js'

const openPage = pages()

async function open(options: OpenOptions = {}): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 860, path: '/', ...options })
  await page.waitForSelector('#composer')
  return page
}

const inList = (page: Page) => page.locator('.session-list .session-button').count()
const branches = (page: Page) => page.getByRole('navigation', { name: 'Branches' })

async function again(page: Page): Promise<void> {
  await page.locator('.row-text').last().hover()
  await untilDone(page, () => page.getByRole('button', { name: 'Answer again' }).last().click())
  await branches(page).waitFor()
}

test('Answer again makes a branch, keeps the earlier answer, and buttons switch between both', async () => {
  const page = await open()
  await say(page, 'list files')
  await say(page, 'write notes.md: kept')
  await again(page)
  await expect.poll(() => branches(page).textContent()).toBe('Branch 2 of 2')
  expect(await page.locator('.row-user').allTextContents()).toEqual(['list files', 'write notes.md: kept'])
  await page.locator('.row-text', { hasText: 'notes.md' }).waitFor()
  await expect.poll(() => inList(page)).toBe(2)
  await again(page)
  await expect.poll(() => branches(page).textContent()).toBe('Branch 3 of 3')
  await expect.poll(() => inList(page)).toBe(3)

  await page.getByRole('button', { name: 'Previous branch' }).click()
  await expect.poll(() => branches(page).textContent()).toBe('Branch 2 of 3')
  await page.getByRole('button', { name: 'Previous branch' }).click()
  await expect.poll(() => branches(page).textContent()).toBe('Branch 1 of 3')
  expect(await page.getByRole('button', { name: 'Previous branch' }).isDisabled()).toBe(true)
  expect(await page.locator('.row-user').allTextContents()).toEqual(['list files', 'write notes.md: kept'])

  // Over a reload, and when one of them is gone.
  await isStored(page)
  await page.reload()
  await page.waitForSelector('.row-text')
  await expect.poll(() => branches(page).textContent()).toBe('Branch 1 of 3')
  await page.getByRole('button', { name: 'Next branch' }).click()
  await expect.poll(() => branches(page).textContent()).toBe('Branch 2 of 3')
  await page.click('text=Delete…')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(() => inList(page)).toBe(2)
  await page.locator('.session-list .session-button').first().click()
  await expect.poll(() => branches(page).textContent()).toMatch(/Branch \d of 2/)
}, 90_000)

test('editing a message makes a branch', async () => {
  const page = await open({ width: 390 })
  await say(page, 'list files')
  await page.getByRole('button', { name: 'Edit and branch' }).last().click()
  await page.fill('[aria-label="Edit message"]', 'read README.md')
  await untilDone(page, () => page.getByRole('button', { name: 'Branch', exact: true }).click())
  await branches(page).waitFor()
  await page.getByRole('button', { name: 'Previous branch' }).click()
  await expect.poll(() => page.locator('.row-user').allTextContents()).toEqual(['list files'])
  await expect.poll(() => branches(page).textContent()).toBe('Branch 1 of 2')
}, 60_000)

test('Answer again in a recorded session makes a chat that the model of the page answers', async () => {
  const page = await open()
  const said = ['list files', 'There are two.', 'thanks', 'You are welcome.']
  const session = said.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }))
  await dropFile(page, 'a.json', JSON.stringify(session))
  await page.waitForSelector('[aria-label="Play from the start"]')
  await page.getByRole('button', { name: 'Answer again' }).first().focus()
  await untilDone(page, () => page.keyboard.press('Enter'))
  await page.waitForSelector('#composer')
  expect(await page.locator('.row-user').allTextContents()).toEqual(['list files'])
  await page.locator('.row-text', { hasText: 'Those are the files.' }).waitFor()
  await expect.poll(() => inList(page)).toBe(1)
  // The session is no chat that is kept: there is nothing to step to.
  expect(await branches(page).count()).toBe(0)
}, 60_000)
