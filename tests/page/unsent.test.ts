// What the user has written and not sent.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { pages } from './browser.js'
import { isIdle, isStored, say } from './talk.js'

const openPage = pages()

async function open(): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 600, path: '/' })
  await page.waitForSelector('#composer')
  return page
}

describe('a message that is being edited', () => {
  const editor = (page: Page) => page.locator('[aria-label="Edit message"]')

  async function edited(): Promise<Page> {
    const page = await open()
    await say(page, 'list files')
    await page.getByRole('button', { name: 'Edit and branch' }).click()
    await editor(page).fill('    list\n  logs')
    return page
  }

  test('stays over a reload, and until it is sent or cancelled', async () => {
    const page = await edited()
    await isStored(page)
    await page.reload()
    await expect.poll(() => editor(page).inputValue()).toBe('    list\n  logs')
    // The focus is not taken by an editor that the user has not just opened.
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).not.toBe('Edit message')
    await page.click('text=New chat')
    await expect.poll(() => editor(page).count()).toBe(0)
    await page.click('.session-button')
    await expect.poll(() => editor(page).inputValue()).toBe('    list\n  logs')
    await page.getByRole('button', { name: 'Branch', exact: true }).click()
    await expect.poll(() => page.textContent('.row-user')).toBe('    list\n  logs')
    await isIdle(page)
    await page.getByRole('button', { name: 'Previous branch' }).click()
    await expect.poll(() => page.textContent('.row-user')).toBe('list files')
    expect(await editor(page).count()).toBe(0)
  }, 60_000)

  test('stays if its row leaves the document', async () => {
    const page = await open()
    const messages = Array.from({ length: 400 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `message ${at}`,
    }))
    await page.setInputFiles('[aria-label="Session file"]', {
      name: 'session.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(messages)),
    })
    await page.locator('.row-user', { hasText: 'message 398' }).waitFor()
    await page.getByRole('button', { name: 'Edit and branch' }).last().click()
    await editor(page).fill('rewritten')
    const scroll = (end: number) =>
      page.evaluate((part) => {
        const area = document.querySelector('.thread') as HTMLElement
        area.scrollTop = part * area.scrollHeight
      }, end)
    await scroll(0)
    await page.locator('.row-user', { hasText: /^message 0$/ }).waitFor()
    expect(await editor(page).count()).toBe(0)
    await scroll(1)
    await expect.poll(() => editor(page).inputValue()).toBe('rewritten')
  }, 60_000)
})

test('a text too long for the storage is not replaced by an earlier one, and the page asks before it is left', async () => {
  const page = await open()
  await page.fill('#composer', 'short')
  await page.reload()
  await expect.poll(() => page.inputValue('#composer')).toBe('short')
  await page.evaluate(() => {
    const field = document.querySelector('#composer') as HTMLTextAreaElement
    field.value = 'x'.repeat(6_000_000)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await page.reload()
  await page.waitForSelector('#composer')
  expect(asked).toEqual(['beforeunload'])
  expect(await page.inputValue('#composer')).toBe('')
}, 60_000)

test('code keeps the indentation of its first line', async () => {
  const page = await open()
  await say(page, '\n    if (a)\n        b()\n\n')
  expect(await page.textContent('.row-user')).toBe('    if (a)\n        b()')
  await say(page, '  list files  ')
  expect(await page.locator('.row-user').last().textContent()).toBe('list files')
}, 60_000)

test('what was entered for a provider is there after another one was chosen', async () => {
  const page = await open()
  await page.click('.model-button')
  const provider = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await provider('Anthropic')
  await page.fill('[name="model"]', 'claude')
  await page.fill('[name="key"]', 'secret')
  await page.check('[name="keep"]')
  await provider('Gemini')
  expect(await page.inputValue('[name="key"]')).toBe('')
  await page.fill('[name="model"]', 'flash')
  await provider('Script')
  await provider('Anthropic')
  expect(await page.inputValue('[name="model"]')).toBe('claude')
  expect(await page.inputValue('[name="key"]')).toBe('secret')
  expect(await page.isChecked('[name="keep"]')).toBe(true)
  await provider('Gemini')
  expect(await page.inputValue('[name="model"]')).toBe('flash')
}, 60_000)

/** Pastes a file into the message field, as after a screenshot. */
const paste = (page: Page, name: string, type: string) =>
  page.evaluate(
    ([fileName, mime]) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File(['content'], fileName, { type: mime }))
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('#composer')?.dispatchEvent(event)
    },
    [name, type] as const,
  )

test('a pasted picture is refused with a reason, and another file is added', async () => {
  const page = await open()
  await paste(page, 'image.png', 'image/png')
  await page.locator('.notice', { hasText: 'Pictures are not sent' }).waitFor()
  await paste(page, 'notes.txt', 'text/plain')
  await expect.poll(() => page.inputValue('#composer')).toBe('read notes.txt')
}, 60_000)
